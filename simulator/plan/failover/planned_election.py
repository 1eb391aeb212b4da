"""An election of a replica set, as its table has it (state/failover_tables.py)."""

from __future__ import annotations

from typing import NamedTuple


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
