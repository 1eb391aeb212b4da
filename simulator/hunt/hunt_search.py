"""Which schedules are tried next: random ones first, then what is made of those that came near or reached a new state.

An archive keeps, for every combination of states that a run reached, the schedule that came nearest to missing a goal
there (Mouret and Clune 2015, MAP-Elites): these are varied. Others are put together from the faults that brought
schedules near, whatever else was in them. Nobody knows which of the figures that grow before a goal is missed shows the
way, so each proposal goes by one of them. What is tried next is a function of the seed and of what is known, so that a
number of schedules gives the same search on any number of cores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from simulator.hunt.drawn_values import Draws
from simulator.hunt.schedule import Schedule
from simulator.hunt.space import HuntSpace
from simulator.hunt.strike_credit import StrikeCredits
from simulator.hunt.variation import varied

GENERATION = 64  # schedules that are tried at once, whatever the number of cores
RANDOM_FIRST = 1  # generations
RANDOM_PART, TOGETHER_PART = 0.4, 0.35  # of later ones: random, put together; the rest are variations
AGAIN = 4  # draws of a variation that holds a known case, or that was tried before

RANDOM, GUIDED = "random", "guided"
STRATEGIES = (GUIDED, RANDOM)


@dataclass
class Elite:
    """A schedule of the archive. signs: `Goal.signs` of all goals; children: how often it was varied."""

    schedule: Schedule
    nearness: float
    signs: Sequence[float]
    children: int = 0

    def sign(self, number: int) -> float:
        """One of its signs, 0 if it has no such."""
        return self.signs[number] if number < len(self.signs) else 0.0


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

    def __post_init__(self) -> None:
        self._credits = StrikeCredits(self.space)

    def propose(self, count: int = GENERATION) -> list[Schedule]:
        """The next schedules."""
        found, self.origins = [], []
        for _ in range(count):
            draws = Draws(self.seed, self.number)
            early = self.strategy == RANDOM or self.number < RANDOM_FIRST * GENERATION or not self.archive
            self.number += 1
            part = 0.0 if early else draws.part()
            is_random = part < RANDOM_PART
            found.append(self.space.random(draws) if is_random else self._guided(part, draws))
            self.origins.append(RANDOM if is_random else GUIDED)
            self._tried.add(found[-1].key)
        return found

    def take(self, schedule: Schedule, marks: tuple[str, ...], nearness: float, signs: Sequence[float] = ()) -> None:
        """Take what a schedule that misses nothing new came to."""
        self._credits.take(schedule, signs)
        own = self.archive.get(marks)
        if own is None:
            self.archive[marks] = Elite(schedule, nearness, signs)
        elif nearness > own.nearness:
            own.schedule, own.nearness, own.signs = schedule, nearness, signs

    def _guided(self, part: float, draws: Draws) -> Schedule:
        sign = draws.below(max(self._credits.signs, 1))
        elites = sorted(self.archive.values(), key=lambda one: one.sign(sign), reverse=True)
        others = [one.schedule for one in elites]
        found = self.space.random(draws)
        for _ in range(AGAIN):
            if part < RANDOM_PART + TOGETHER_PART:
                found = self._credits.put_together(sign, draws)
            else:
                parent = _picked(elites, draws)
                parent.children += 1
                found = varied(self.space, parent.schedule, others, draws)
            if found.key not in self._tried and not self.is_known(found):
                break
        return found


def _picked(elites: list[Elite], draws: Draws) -> Elite:
    """One of elites in the order of their nearness: the nearer, and the fewer children it has, the more readily."""
    weights = [1.0 / ((1.0 + rank) * math.sqrt(1.0 + one.children)) for rank, one in enumerate(elites)]
    left = draws.part() * sum(weights)
    for one, weight in zip(elites, weights, strict=True):
        left -= weight
        if left <= 0:
            return one
    return elites[-1]
