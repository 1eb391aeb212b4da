"""Hunts of incidents, done side by side: what each finds on the broken and on the fixed release, and how soon."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from simulator.hunt.hunt import CALM, Hunt
from simulator.hunt.hunt_file import LoadedHunt
from simulator.hunt.hunt_search import GENERATION, GUIDED, RANDOM, HuntSearch
from simulator.proof.hunted_incidents import HuntedIncident
from streaming.hunt.hunt_engine import HuntEngine
from streaming.hunt.hunt_runs import HuntRuns, Remembered

ENOUGH = 1  # found cases on the broken release
SEEDS = 3


@dataclass(frozen=True)
class HuntedSide:
    """What a hunt found on a side: schedules until the first, None if none, and the first case's sentence.

    failed: it shows nothing: the simulator itself failed, the scenario misses without any fault, or no schedule could
    measure an objective.
    """

    schedules: int
    first: int | None
    sentence: str
    runs: int
    failed: bool = False


@dataclass(frozen=True)
class HuntedFinding:
    """An incident: what was found on the broken release, and on the fixed one."""

    incident: HuntedIncident
    broken: HuntedSide
    fixed: HuntedSide

    @property
    def is_as_expected(self) -> bool:
        """Whether it was found on the broken release, and nothing on the fixed one."""
        has_failed = self.broken.failed or self.fixed.failed
        return self.broken.first is not None and self.fixed.first is None and not has_failed

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        sides = {"broken": ("faulty", self.broken), "fixed": ("mended", self.fixed)}
        found = {
            name: {"release": self.incident.releases[side], "schedules": own.schedules, "first": own.first,
                   "sentence": own.sentence, "runs": own.runs}
            for name, (side, own) in sides.items()
        }  # fmt: skip
        goals = [str(goal) for goal in self.incident.sides["faulty"].goals]
        return {"incident": self.incident.name, "objectives": goals, **found, "ok": self.is_as_expected}


def hunted(incident: HuntedIncident, schedules: int, seed: int, pool: HuntEngine) -> HuntedFinding:
    """Hunt an incident on both sides, with at most that many schedules on each."""
    sides = {name: hunted_side(loaded, schedules, seed, pool) for name, loaded in incident.sides.items()}
    return HuntedFinding(incident, sides["faulty"], sides["mended"])


def hunted_side(loaded: LoadedHunt, schedules: int, seed: int, pool: HuntEngine, strategy: str = GUIDED) -> HuntedSide:
    """Hunt until the first case, or to the last schedule."""
    wanted = list(dict.fromkeys(name for goal in loaded.goals for name in goal.needs()))
    runs = HuntRuns(loaded.scenario.to_yaml(), wanted, Remembered(), threading.Event(), pool)
    hunt = Hunt(loaded.scenario, loaded.space, loaded.goals, runs, seed, strategy)
    hunt.begin()
    while hunt.done < schedules and len(hunt.cases) < ENOUGH:
        hunt.step(schedules - hunt.done)
    first = min(hunt.cases, key=lambda case: case.first, default=None)
    if first is None:
        return HuntedSide(hunt.done, None, "", runs.runs, not all(hunt.judged[str(goal)] for goal in hunt.goals))
    failed = bool(first.failure) or not (first.schedule.strikes or first.schedule.settings)
    return HuntedSide(hunt.done, first.first + 1, first.sentence, runs.runs, failed)


def until_first(loaded: LoadedHunt, schedules: int, pool: HuntEngine, seeds: int = SEEDS) -> dict[str, list[int]]:
    """Schedules until the first that misses by strategy, one a seed; `schedules` + 1 where none does."""
    return {
        strategy: [first_miss(loaded, schedules, seed, pool, strategy) for seed in range(1, seeds + 1)]
        for strategy in (RANDOM, GUIDED)
    }


def first_miss(loaded: LoadedHunt, schedules: int, seed: int, pool: HuntEngine, strategy: str) -> int:
    """Schedules until the first that misses an objective."""
    wanted = list(dict.fromkeys(name for goal in loaded.goals for name in goal.needs()))
    runs = HuntRuns(loaded.scenario.to_yaml(), wanted, Remembered(), threading.Event(), pool)
    search, calm = HuntSearch(loaded.space, seed, strategy), runs([CALM])[0]
    while search.number < schedules:
        before = search.number
        proposed = search.propose(min(GENERATION, schedules - before))
        for number, (schedule, outcome) in enumerate(zip(proposed, runs(proposed), strict=True), before + 1):
            if outcome.missed(loaded.goals):
                return number
            near = max(goal.nearness(outcome.values, calm.values) for goal in loaded.goals)
            signs = [sign for goal in loaded.goals for sign in goal.signs(outcome.values, calm.values)]
            search.take(schedule, outcome.marks, near, signs)
    return schedules + 1
