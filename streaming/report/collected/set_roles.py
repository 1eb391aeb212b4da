"""The replica sets that something happens to: who of their machines is what, and what only the master has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from simulator.plan.failover.failover_effects import set_histories
from simulator.plan.failover.planned_election import NOTHING, ReplicaState
from simulator.plan.failover.replica_states import replica_states
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


class LackStretch(NamedTuple):
    """In [from_us, until_us) a machine, numbered from 1, lacks what was stored since `since_us`."""

    machine: int
    from_us: int
    until_us: int
    since_us: int


@dataclass(frozen=True)
class SetRoles:
    """One broker. roles: of each machine; without: when none is master and answers; unnamed: when routes have none.

    lacks: when a machine does not have all that masters stored. uncopied: when no other machine gets what is stored;
    what was stored before a new master counts no more.
    """

    broker: str
    machines: int
    roles: list[RoleStretch]
    without: list[Stretch]
    unnamed: list[Stretch]
    uncopied: list[Stretch]
    lacks: list[LackStretch]


def set_roles(scenario: Scenario | None, end_us: int) -> list[SetRoles]:
    """The first MOST_SETS sets that elect and that a fault strikes, up to a moment."""
    histories = {} if scenario is None else set_histories(scenario)
    struck = {name: history for name, history in histories.items() if history.is_struck}
    if scenario is None or not struck:
        return []
    gaps, states = without_master(scenario), replica_states(scenario, histories)
    numbers = {name: number for number, name in enumerate(scenario.brokers)}
    return [
        SetRoles(
            name,
            history.replicas,
            role_stretches(history, end_us),
            _until(end_us, gaps[name]),
            _until(end_us, not_named(history.epochs)),
            _until(end_us, _uncopied(scenario, name, history)),
            list(_lacking([one for one in states if one.broker == numbers[name]], end_us)),
        )
        for name, history in list(struck.items())[:MOST_SETS]
    ]


def _lacking(states: Sequence[ReplicaState], end_us: int) -> Iterator[LackStretch]:
    """When each machine of a set lacks something, machine by machine."""
    for machine in sorted({one.machine for one in states}):
        own = [one for one in states if one.machine == machine and one.at_us < end_us]
        for one, until_us in zip(own, [*(later.at_us for later in own[1:]), end_us], strict=True):
            if one.lacks_since_us != NOTHING:
                yield LackStretch(machine, one.at_us, until_us, one.lacks_since_us)


def lag_s(lacks: Sequence[LackStretch], machine: int, bin_us: int, bins: int) -> np.ndarray:
    """How far a machine is behind at the end of each bin, in seconds; 0 while it copies."""
    found, ends_us = np.zeros(bins), np.arange(1, bins + 1) * bin_us
    for one in lacks:
        inside = (ends_us > one.from_us) & (ends_us <= one.until_us)
        if one.machine == machine:
            found[inside] = (ends_us[inside] - one.since_us) / 1e6
    return found


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
