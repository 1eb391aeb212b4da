"""The replica sets that something happens to: who of their machines is what, and what only the master has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from simulator.plan.failover.failover_effects import set_histories
from simulator.plan.failover.role_stretches import (
    RoleStretch,
    Stretch,
    joined_stretches,
    not_named,
    role_stretches,
    without_master,
)
from simulator.plan.failover.set_history import OF_SLAVES, SetHistory
from simulator.scenario import Scenario

MOST_SETS = 8


@dataclass(frozen=True)
class SetRoles:
    """One broker. roles: of each machine; without: when none is master and answers; unnamed: when routes have none.

    uncopied: when no other machine gets what is stored; what was stored before a new master counts no more.
    """

    broker: str
    machines: int
    roles: list[RoleStretch]
    without: list[Stretch]
    unnamed: list[Stretch]
    uncopied: list[Stretch]


def set_roles(scenario: Scenario | None, end_us: int) -> list[SetRoles]:
    """The first MOST_SETS sets that elect and that a fault strikes, up to a moment."""
    struck = {} if scenario is None else {n: h for n, h in set_histories(scenario).items() if h.is_struck}
    if scenario is None or not struck:
        return []
    gaps = without_master(scenario)
    return [
        SetRoles(
            name,
            history.replicas,
            role_stretches(history, end_us),
            _until(end_us, gaps[name]),
            _until(end_us, not_named(history.epochs)),
            _until(end_us, _uncopied(scenario, name, history)),
        )
        for name, history in list(struck.items())[:MOST_SETS]
    ]


def _until(end_us: int, stretches: Iterator[Stretch] | list[Stretch]) -> list[Stretch]:
    return [(from_us, min(until_us, end_us)) for from_us, until_us in stretches if from_us < end_us]


def _uncopied(scenario: Scenario, name: str, history: SetHistory) -> list[Stretch]:
    """While the slaves lag, and while the master is alone in the sync set; cut where another master begins."""
    found = [(p.at_us, p.until_us) for p in scenario.fault_periods() if p.broker == name and p.kind in OF_SLAVES]
    steps = [*history.sync, (scenario.duration_us, frozenset[int]())]
    found += [(at_us, until_us) for (at_us, members), (until_us, _) in pairwise(steps) if len(members) == 1]
    cuts = [epoch.begins_us for epoch in history.epochs]
    return [piece for stretch in joined_stretches(found) for piece in _cut(stretch, cuts)]


def _cut(stretch: Stretch, cuts: list[int]) -> Iterator[Stretch]:
    inside = [at_us for at_us in cuts if stretch[0] < at_us < stretch[1]]
    yield from pairwise([stretch[0], *inside, stretch[1]])


def only_on_master(stored: np.ndarray, bin_us: int, uncopied: list[Stretch]) -> np.ndarray:
    """Messages that were stored since copying stopped, at the end of each bin; stored: [bins], by their end."""
    found = np.zeros(len(stored))
    for from_us, until_us in uncopied:
        first, last = from_us // bin_us, min(-(-until_us // bin_us), len(stored))
        parts = stored[first:last].astype(float)
        if len(parts):
            parts[0] *= 1 - (from_us - first * bin_us) / bin_us
            found[first:last] = np.cumsum(parts)
            found[last - 1] *= until_us >= last * bin_us
    return found
