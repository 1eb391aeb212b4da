"""Which schedules are tried next: random ones first, then variations of those that came near or reached a new state.

An archive keeps, for every combination of states that a run reached, the schedule that came nearest to missing a goal
there (Mouret and Clune 2015, MAP-Elites). What is tried next is a function of the seed and of what is known, so that a
number of schedules gives the same search on any number of cores.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from simulator.hunt.drawn_values import Draws
from simulator.hunt.schedule import Schedule
from simulator.hunt.space import HuntSpace
from simulator.hunt.variation import varied

GENERATION = 64  # schedules that are tried at once, whatever the number of cores
RANDOM_FIRST = 1  # generations
RANDOM_PART = 0.25  # of later ones
AGAIN = 4  # draws of a variation that holds a known case, or that was tried before
LEAST = 0.05  # a schedule that is far from every goal is varied, too

RANDOM, GUIDED = "random", "guided"
STRATEGIES = (GUIDED, RANDOM)


@dataclass
class Elite:
    """A schedule of the archive. children: how often it was varied."""

    schedule: Schedule
    nearness: float
    children: int = 0

    @property
    def weight(self) -> float:
        """How readily it is varied next."""
        return (LEAST + self.nearness) / math.sqrt(1.0 + self.children)


@dataclass
class HuntSearch:
    """A search under way. number: schedules that were proposed; is_known: whether a schedule holds a case that was
    found before. origins: of the generation that was proposed last, RANDOM or GUIDED.
    """

    space: HuntSpace
    seed: int
    strategy: str = GUIDED
    is_known: Callable[[Schedule], bool] = lambda schedule: False
    number: int = 0
    archive: dict[tuple[str, ...], Elite] = field(default_factory=dict)
    origins: list[str] = field(default_factory=list)
    _tried: set[str] = field(default_factory=set)

    def propose(self, count: int = GENERATION) -> list[Schedule]:
        """The next schedules."""
        found, self.origins = [], []
        for _ in range(count):
            draws = Draws(self.seed, self.number)
            early = self.strategy == RANDOM or self.number < RANDOM_FIRST * GENERATION or not self.archive
            self.number += 1
            is_random = early or draws.part() < RANDOM_PART
            found.append(self.space.random(draws) if is_random else self._variation(draws))
            self.origins.append(RANDOM if is_random else GUIDED)
            self._tried.add(found[-1].key)
        return found

    def take(self, schedule: Schedule, marks: tuple[str, ...], nearness: float) -> None:
        """Take what a schedule that misses nothing new came to."""
        own = self.archive.get(marks)
        if own is None:
            self.archive[marks] = Elite(schedule, nearness)
        elif nearness > own.nearness:
            own.schedule, own.nearness = schedule, nearness

    def _variation(self, draws: Draws) -> Schedule:
        elites = list(self.archive.values())
        others = [one.schedule for one in elites]
        found = self.space.random(draws)
        for _ in range(AGAIN):
            parent = _picked(elites, draws)
            parent.children += 1
            found = varied(self.space, parent.schedule, others, draws)
            if found.key not in self._tried and not self.is_known(found):
                break
        return found


def _picked(elites: list[Elite], draws: Draws) -> Elite:
    left = draws.part() * sum(one.weight for one in elites)
    for one in elites:
        left -= one.weight
        if left <= 0:
            return one
    return elites[-1]
