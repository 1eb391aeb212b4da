"""What each machine of a replica set is in the course of a run, and since when it lacks what the master stores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from simulator.plan.failover.planned_election import NOTHING, ReplicaState
from simulator.plan.failover.role_stretches import BEHIND, IN_SYNC, RoleStretch, role_stretches
from simulator.plan.failover.set_history import Epoch, SetHistory
from simulator.plan.failover.slow_copying import (
    Stored,
    copies_from_us,
    copying,
    lacks_since,
)
from simulator.scenario import FaultPeriod, Scenario
from simulator.units import US_PER_S


def replica_states(scenario: Scenario, histories: Mapping[str, SetHistory]) -> list[ReplicaState]:
    """Every change of a machine of the sets that faults strike, in order of time."""
    faults, found = scenario.fault_periods(), list[ReplicaState]()
    for number, name in enumerate(scenario.brokers):
        if name in histories and histories[name].is_struck:
            own = [period for period in faults if period.broker == name]
            lags, stored = copying(scenario, name, own)
            found += _of_set(number, histories[name], lags, stored, scenario.duration_us)
    return sorted(found)


def _of_set(
    broker: int, history: SetHistory, faults: Sequence[FaultPeriod], stored: Stored, end_us: int
) -> Iterator[ReplicaState]:  # fmt: skip
    """Where a slave copies slowly, what it lacks is brought up to date every second."""
    roles = role_stretches(history, end_us)
    edges = {0, *(us for epoch in history.epochs for us in (epoch.begins_us, epoch.ends_us))}
    edges |= {us for period in faults for us in (period.at_us, period.until_us)} | {own.from_us for own in roles}
    slow = {period: copies_from_us(period) for period in faults if copies_from_us(period) < period.until_us}
    edges |= {us for period, from_us in slow.items() for us in range(from_us, period.until_us, US_PER_S)}
    lacks, rows = dict.fromkeys(range(1, history.replicas + 1), NOTHING), dict[int, ReplicaState]()
    for at_us in sorted(us for us in edges if us < end_us):
        epoch = [one for one in history.epochs if one.begins_us <= at_us][-1]
        if epoch.begins_us == at_us:
            _begin(lacks, epoch)
        for machine in lacks:
            role = _role_at(roles, machine, at_us)
            leads = machine == epoch.machine and at_us < epoch.ends_us
            since_us = lacks_since(faults, machine, at_us, stored)
            if leads or (role == IN_SYNC and since_us is None):
                lacks[machine] = NOTHING
            elif slow and since_us is not None and role in (IN_SYNC, BEHIND) and at_us < epoch.ends_us:
                lacks[machine] = max(lacks[machine], since_us)
            elif lacks[machine] == NOTHING and at_us < epoch.ends_us:
                lacks[machine] = at_us
            row = ReplicaState(at_us, broker, machine, role, lacks[machine])
            if machine not in rows or rows[machine][3:] != row[3:]:
                rows[machine] = row
                yield row


def _begin(lacks: dict[int, int], epoch: Epoch) -> None:
    """A new master: what it lacks itself is gone, so that who has as much lacks only what it stores."""
    for machine, since_us in lacks.items():
        if since_us != NOTHING and lacks[epoch.machine] != NOTHING and since_us >= lacks[epoch.machine]:
            lacks[machine] = epoch.begins_us if machine != epoch.machine else since_us


def _role_at(roles: Sequence[RoleStretch], machine: int, at_us: int) -> str:
    return next(own.role for own in roles if own.machine == machine and own.from_us <= at_us < own.until_us)
