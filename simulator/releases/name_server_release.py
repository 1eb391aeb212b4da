"""The name server of every release, each field with what releases change.

Source: rocketmq 4.2.0-5.5.0, NamesrvController, NamesrvConfig, DefaultRequestProcessor; 5.1.0-5.5.0,
ClientRequestProcessor.getRouteInfoByTopic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simulator.releases.ledger import every_release, since


@dataclass(frozen=True, kw_only=True)
class NameServerRelease:
    """The name server of one release."""

    release: str

    # ms: brokers that are silent are looked for
    scan_period: int = since(10_000, {"5.0.0": 5_000})
    # a request that it does not know is answered with a code, else not at all
    answers_unknown: bool = since(False, {"5.0.0": True})
    # brokers may ask to be given up after 10 s (enableSlaveActingMaster)
    has_acting_master: bool = since(False, {"5.0.0": True})
    # needWaitForService
    has_wait_for_service: bool = since(False, {"5.1.0": True})
    # after its first answer it waits no more; before, it answers nobody again (apache/rocketmq#9182)
    wait_ends: bool = since(False, {"5.3.2": True})


NAME_SERVERS: Mapping[str, NameServerRelease] = every_release(NameServerRelease)
