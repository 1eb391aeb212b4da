"""Figures of the replica sets of a finished run."""

from __future__ import annotations

from simulator.plan.failover.role_stretches import without_master
from simulator.run.simulate import Result


def longest_without_master(result: Result, broker: str | None) -> float:
    """Seconds for which no machine of a broker's set was its master and answered, at one stretch."""
    gaps = without_master(result.scenario).get(str(broker), [])
    return max((until_us - from_us for from_us, until_us in gaps), default=0) / 1e6
