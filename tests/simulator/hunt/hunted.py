"""A space of a small scenario, and runs that need no model: a rule says which schedules miss."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from simulator.hunt.fault_template import read_template
from simulator.hunt.goal import Goal
from simulator.hunt.hunt import Hunt
from simulator.hunt.schedule import Schedule
from simulator.hunt.schedule_outcome import HuntOutcome
from simulator.hunt.space import HuntSpace, space_of
from tests.simulator.small import scenario_of

SCENARIO = scenario_of(duration="10m", producers={"count": 8})
LOST = Goal("lost", "==", 0.0)
TEMPLATES = [
    {"kind": "hang", "broker": "each", "for": "1s..60s", "a_year": 2},
    {"kind": "slow", "broker": "each", "for": "5s..2m", "factor": "2..100", "a_year": 6},
    {"kind": "kill", "broker": "each", "for": "5s..2m", "a_year": 1},
    {"kind": "rolling_restart", "broker": "all", "each": "10s..30s", "pause": "5s..30s", "a_year": 6},
]


def small_space(templates: Sequence[dict[str, object]] = TEMPLATES, **more: object) -> HuntSpace:
    """The space of some templates in SCENARIO."""
    return space_of(SCENARIO, [read_template(one) for one in templates], **more)


def ruled_runs(loses: Callable[[Schedule], float], seen: list[Schedule] | None = None):
    """Runs in which a schedule loses so many messages, and reaches a state for each kind of fault in it."""

    def runs(schedules: Sequence[Schedule]) -> list[HuntOutcome]:
        if seen is not None:
            seen.extend(schedules)
        return [
            HuntOutcome({"lost": loses(one), "not_stored": 0.0, "failed_messages": float(len(one.strikes))},
                        tuple(sorted({strike.kind for strike in one.strikes})))
            for one in schedules
        ]  # fmt: skip

    return runs


def hunt_with(loses: Callable[[Schedule], float], steps: int = 1, **more: object) -> Hunt:
    """A hunt of some generations by such a rule."""
    hunt = Hunt(SCENARIO, small_space(), (LOST,), ruled_runs(loses), **more)
    hunt.begin()
    for _ in range(steps):
        hunt.step()
    return hunt


def longest(schedule: Schedule, kind: str) -> float:
    """Seconds of the longest fault of a kind."""
    return max((one.length_us / 1e6 for one in schedule.strikes if one.kind == kind), default=0.0)
