"""What the faults of a scenario do to the instances of its consumer groups, as actions of the machine.

Faults of one instance that overlap add up: it is away, or stands still, until the last of them is over; slowness
multiplies, what fails fails by any of them. Resets and stuck messages each happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from simulator.compiled.records import Array, size_of
from simulator.consumer.memory.consumer_settings import (
    FAIL,
    FREEZE,
    KILL,
    RESET,
    SLOW,
    START,
    STICK,
    STOP,
    THAW,
    MachineAction,
)
from simulator.engine.memory.settings import FAR
from simulator.plan.consumers.kinds.proxied_plan import proxy_actions
from simulator.plan.consumers.transaction_plan import producer_actions
from simulator.plan.failover.failover_effects import Histories, takeover_actions
from simulator.plan.faults.link_plan import link_actions
from simulator.plan.faults.process_life import BEFORE_US, ActionRow, Frozen, Gone, LifeKinds, life_actions
from simulator.plan.spans import pieces, stretches
from simulator.plan.timetable import speed_of
from simulator.scenario import FaultPeriod, Scenario

PPM = 1_000_000
BEGUN_US = 1  # a new group starts with the scenario
ENDING = ("kill", "stop", "restart", "rolling_restart")
STANDING = ("hang", "pause")
STRIKING = (*ENDING, *STANDING, "slow", "fail", "stuck", "scale_out", "reset_offset")  # kinds that strike instances
LIFE = LifeKinds(START, KILL, FREEZE, THAW)

Timed = tuple[int, int, int]  # when, kind of the action, value


def of_instances(scenario: Scenario) -> Iterator[tuple[int, FaultPeriod]]:
    """The fault periods of instances, each with the instance's number."""
    for period in scenario.fault_periods():
        if "consumer" in period.details and period.kind in STRIKING:
            yield scenario.instances.index(period.details["consumer"]), period


def actions(scenario: Scenario, histories: Histories) -> Array:
    """What happens to instances, producers and the network: rows of MachineAction, in order of time.

    `histories`: of the replica sets.
    """
    end_us, starting = scenario.duration_us, set(starting_instances(scenario))
    struck: dict[int, list[FaultPeriod]] = {number: [] for number in starting}
    for number, period in of_instances(scenario):
        struck.setdefault(number, []).append(period)
    rows: list[ActionRow] = [*producer_actions(scenario), *link_actions(scenario), *proxy_actions(scenario)]
    rows += takeover_actions(scenario, histories)
    for number, own in struck.items():
        found = [*_life(own, end_us, starts=number in starting), *_levels(own, end_us), *_moments(own)]
        rows += [(at_us, kind, number, value) for at_us, kind, value in found]
    return np.array(sorted(rows), np.int64).reshape(-1, size_of(MachineAction))


def _life(periods: Sequence[FaultPeriod], end_us: int, *, starts: bool) -> Iterator[Timed]:
    gone = [Gone(BEFORE_US, BEGUN_US, STOP)] if starts else []
    for period in periods:
        if period.kind == "scale_out":
            gone.append(Gone(BEFORE_US, period.at_us, STOP))
            if period.until_us < end_us:
                gone.append(Gone(period.until_us, FAR, STOP))
        elif period.kind in ENDING:
            is_graceful = period.kind != "kill" and period.details.get("graceful", True)
            gone.append(Gone(period.at_us, period.until_us, STOP if is_graceful else KILL))
    frozen = [Frozen(period.at_us, period.until_us) for period in periods if period.kind in STANDING]
    return life_actions(gone, frozen, LIFE, end_us)


def _slowness(periods: Sequence[FaultPeriod]) -> int:
    """Factor of the times of an instance that is slow for several reasons, in parts per million."""
    return speed_of(period.value for period in periods)


def _failing(periods: Sequence[FaultPeriod]) -> int:
    """Share of the deliveries that fail by any of several faults, in parts per million."""
    handled = PPM
    for period in periods:
        handled = handled * (PPM - (period.value or PPM)) // PPM
    return PPM - handled


LEVELS: tuple[tuple[str, int, Callable[[Sequence[FaultPeriod]], int], int], ...] = (
    ("slow", SLOW, _slowness, PPM),
    ("fail", FAIL, _failing, 0),
)


def _levels(periods: Sequence[FaultPeriod], end_us: int) -> Iterator[Timed]:
    """What grows with the faults that hold, and is as usual without one."""
    for name, kind, value_of, usual in LEVELS:
        for _, until_us, together in stretches(period for period in periods if period.kind == name):
            last: int | None = None
            for at_us, _, held in pieces(together):
                value = value_of(held)
                if value != last:
                    yield at_us, kind, value
                last = value
            if until_us < end_us:
                yield until_us, kind, usual


def _moments(periods: Sequence[FaultPeriod]) -> Iterator[Timed]:
    """What happens at once: of resets at the same moment the one to the latest moment comes last."""
    for period in periods:
        if period.kind == "stuck":
            yield period.at_us, STICK, period.until_us
        elif period.kind == "reset_offset":
            yield period.at_us, RESET, period.details["to_us"]


def absent(scenario: Scenario) -> Array:
    """The instances that are not there before they join, and all of groups that have never run."""
    joining = {n for n, period in of_instances(scenario) if period.kind == "scale_out"}
    first = 0
    for own in scenario.consumers.values():
        joining |= set(range(first + own.count, first + own.instances))
        first += own.instances
    return np.array(sorted(joining | set(starting_instances(scenario))), np.int64)


def starting_instances(scenario: Scenario) -> Iterator[int]:
    """The instances of new groups, which start with the scenario."""
    joining, first = {n for n, period in of_instances(scenario) if period.kind == "scale_out"}, 0
    for own in scenario.consumers.values():
        if own.new_group:
            yield from (n for n in range(first, first + own.count) if n not in joining)
        first += own.instances
