"""The proxy of every release, each field with what releases change.

Source: rocketmq 5.0.0-5.5.0, proxy TopicRouteService, MessageQueueSelector; 5.5.0, MessageQueuePenalizer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simulator.releases.ledger import every_release, since


@dataclass(frozen=True, kw_only=True)
class ProxyRelease:
    """The proxy of one release."""

    release: str

    # sendLatencyEnable: it measures its brokers
    measures: bool = since(False, {"5.2.0": True})
    # it takes the queue with the least penalty of one round, before it looked up to three times for what it needs
    weighs: bool = since(False, {"5.5.0": True})


PROXIES: Mapping[str, ProxyRelease] = every_release(ProxyRelease)
