"""Consumers: against SimPy with the same model, and what a consumption costs as groups and backlogs grow."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.measure import Context, Entry
from tests.bench.measures.consumers.growth import backlogs, instances
from tests.bench.measures.consumers.versus_simpy import versus_simpy


def measure(context: Context) -> Iterator[Entry]:
    """One figure after the other."""
    yield versus_simpy(context)
    yield instances(context)
    yield backlogs(context)
