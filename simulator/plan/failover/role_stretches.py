"""Who is what in a replica set, and when: its master, its slaves, and those that are away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from simulator.engine.memory.replica import IS_FROZEN, IS_GONE, IS_MUTE
from simulator.plan.failover.failover_effects import set_histories
from simulator.plan.failover.set_history import FOREVER_US, STRIKES, Epoch, SetHistory
from simulator.scenario import Broker, Scenario

MASTER, IN_SYNC, BEHIND = "master", "in sync", "not in the sync set"
AWAY = {IS_GONE: "down", IS_MUTE: "cut off", IS_FROZEN: "frozen"}
ROLES = (MASTER, IN_SYNC, BEHIND, *AWAY.values())

Stretch = tuple[int, int]  # [from_us, until_us)


class RoleStretch(NamedTuple):
    """A machine, numbered from 1, has a role of ROLES in [from_us, until_us)."""

    machine: int
    role: str
    from_us: int
    until_us: int


def has_sets(scenario: Scenario) -> bool:
    """Whether a broker has other machines that have its messages."""
    return any(is_set(broker) for broker in scenario.brokers.values())


def is_set(broker: Broker) -> bool:
    """Whether a broker is a set of machines, whoever takes over from its master."""
    return broker.is_elected or broker.slave_count > 0


def role_stretches(history: SetHistory, end_us: int) -> list[RoleStretch]:
    """What each machine of a set is from the begin to the end of a run, machine by machine, in order of time."""
    edges = {0, end_us, *(at_us for at_us, _ in history.sync)}
    edges |= {at_us for epoch in history.epochs for at_us in (epoch.begins_us, epoch.ends_us)}
    edges |= {at_us for own in history.absences for at_us in (own.at_us, own.until_us)}
    inside = sorted(at_us for at_us in edges if 0 <= at_us <= end_us)
    found = list[RoleStretch]()
    for machine in range(1, history.replicas + 1):
        for from_us, until_us in pairwise(inside):
            role = _role(history, machine, from_us)
            if found and found[-1].machine == machine and found[-1].role == role:
                found[-1] = found[-1]._replace(until_us=until_us)
            else:
                found.append(RoleStretch(machine, role, from_us, until_us))
    return found


def _role(history: SetHistory, machine: int, at_us: int) -> str:
    state = history.state_of(machine, at_us)
    if state is not None:
        return AWAY[state]
    if any(epoch.machine == machine and epoch.begins_us <= at_us < epoch.ends_us for epoch in history.epochs):
        return MASTER
    members = [members for from_us, members in history.sync if from_us <= at_us][-1]
    return IN_SYNC if machine in members else BEHIND


def without_master(scenario: Scenario) -> dict[str, list[Stretch]]:
    """When no machine of a set is its master and answers, by broker; those that are no sets are left out."""
    histories, end_us = set_histories(scenario), scenario.duration_us
    return {
        name: _gaps(histories[name], end_us) if name in histories else _away(scenario, name)
        for name, broker in scenario.brokers.items()
        if is_set(broker)
    }


def _gaps(history: SetHistory, end_us: int) -> list[Stretch]:
    led = list[Stretch]()
    for role in role_stretches(history, end_us):
        if role.role == MASTER:
            led.append((role.from_us, role.until_us))
    edges = [0, *(at_us for stretch in sorted(led) for at_us in stretch), end_us]
    return [gap for gap in zip(edges[::2], edges[1::2], strict=True) if gap[0] < gap[1]]


def _away(scenario: Scenario, name: str) -> list[Stretch]:
    """Of a set in which nobody takes over: the faults of its process, those that overlap as one."""
    periods = (p for p in scenario.fault_periods() if p.broker == name and "consumer" not in p.details)
    struck = (p for p in periods if p.kind in STRIKES and p.at_us < scenario.duration_us)
    return joined_stretches([(p.at_us, min(p.until_us, scenario.duration_us)) for p in struck])


def joined_stretches(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Those stretches in order of time, any two that meet as one."""
    found = list[Stretch]()
    for from_us, until_us in sorted(stretches):
        if found and from_us <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], until_us)
        elif from_us < until_us:
            found.append((from_us, until_us))
    return found


def not_named(epochs: Sequence[Epoch]) -> Iterator[Stretch]:
    """When name servers name no master of a set, in order of time."""
    for before, epoch in pairwise([*epochs, Epoch(0, FOREVER_US, FOREVER_US)]):
        if before.delisted_us < epoch.listed_us:
            yield before.delisted_us, epoch.listed_us
