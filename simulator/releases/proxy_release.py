"""The proxy of every release, each field with what releases change.

Source: rocketmq 5.0.0-5.5.0, proxy TopicRouteService, MessageQueueSelector, DefaultMessagingProcessor,
ReceiptHandleProcessor; 5.5.0, MessageQueuePenalizer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simulator.releases.ledger import RELEASES, every_release, since

FIRST_WITH_PROXIES = "5.0.0"


@dataclass(frozen=True, kw_only=True)
class ProxyRelease:
    """The proxy of one release."""

    release: str

    # sendLatencyEnable: it measures its brokers
    measures: bool = since(False, {"5.2.0": True})
    # it takes the queue with the least penalty of one round, before it looked up to three times for what it needs
    weighs: bool = since(False, {"5.5.0": True})
    # of a group that consumes in order it assigns queues, as of remoting clients; before, brokers
    assigns_queues_in_order: bool = since(False, {"5.1.2": True})
    # it renews the receipt handles of PushConsumers; from 5.1.4 to 5.3.3 that is never started (apache/rocketmq#7837)
    renews_receipts: bool = since(True, {"5.1.4": False, "5.4.0": True})


PROXIES: Mapping[str, ProxyRelease] = every_release(ProxyRelease)


def has_proxies(release: str) -> bool:
    """Whether a release of RocketMQ comes with a proxy."""
    return RELEASES.index(release) >= RELEASES.index(FIRST_WITH_PROXIES)
