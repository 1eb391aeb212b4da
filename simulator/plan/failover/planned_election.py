"""An election of a replica set, and what one of its machines is, as their tables have it (state/failover_tables.py)."""

from __future__ import annotations

from typing import NamedTuple

NOTHING = -1  # a machine lacks nothing


class PlannedElection(NamedTuple):
    """A row of the table: `broker` is its number, `machine` counts from 1, 0 is nobody."""

    at_us: int
    broker: int
    machine: int
    epoch: int
    sync_set: str
    reason: str
    gone_us: int
    named_us: int


class ReplicaState(NamedTuple):
    """A row of the table `replicas`: `broker` is its number, `machine` counts from 1."""

    at_us: int
    broker: int
    machine: int
    role: str
    lacks_since_us: int  # NOTHING: it copies
