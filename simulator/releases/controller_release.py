"""The controller of every release, each field with what releases change.

Source: rocketmq 5.0.0-5.5.0, controller DefaultBrokerHeartbeatManager.onBrokerHeartbeat, DefaultElectPolicy,
DLedgerController.scanInactiveMasterAndTriggerReelect, JRaftController.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simulator.releases.ledger import every_release, since


@dataclass(frozen=True, kw_only=True)
class ControllerRelease:
    """The controllers of one release."""

    release: str

    is_there: bool = since(False, {"5.0.0": True})
    # a heartbeat makes a machine known; before, only its registration with the controller that leads then does, so that
    # the next leader knows nobody (apache/rocketmq#5712)
    knows_by_heartbeat: bool = since(False, {"5.1.0": True})
    # of equal candidates the one with the least brokerElectionPriority is elected
    compares_priority: bool = since(False, {"5.1.0": True})
    # sets without an active master are looked for; before, an election that fails is not tried again (#5009, #6382)
    scans_inactive_masters: bool = since(False, {"5.1.1": True})
    # controllerType may be jRaft: SOFAJRaft instead of DLedger
    has_jraft: bool = since(False, {"5.2.0": True})


CONTROLLERS: Mapping[str, ControllerRelease] = every_release(ControllerRelease)
