"""A found case: the least schedule that misses a goal, how often it was met, how likely it is, and its sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from simulator.experiments.experiment_measures import plain
from simulator.hunt.cases.case_words import comes_to, happening
from simulator.hunt.goal import Goal
from simulator.hunt.schedule import Schedule, Strike
from simulator.hunt.space import HuntSpace
from simulator.hunt.texts.hunt_texts import CaseTexts
from simulator.units import US_PER_S

YEAR_US = 365.25 * 86_400 * US_PER_S
ALONG_US = 60 * US_PER_S  # faults without a length that overlap are as near as this


@dataclass
class FoundCase:
    """A case. schedule: the least that misses `goal`; values: its measures; also: other goals that it misses; others:
    goals that it holds, and that other schedules with its faults miss.

    met: numbers of the schedules that missed because of it; first: of the first. pattern: what strikes whom, which
    cases of one cause have in common. seeds: in how many of how many seeds it misses. because: what was proven of it, a
    sentence each. from_corpus: it was known before, and still misses; failure: with which error the run ended.
    at_least: measures that have no end within the run.
    """

    number: int
    goal: Goal
    schedule: Schedule
    values: Mapping[str, float]
    first: int
    pattern: tuple[tuple[str, str], ...]
    also: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    met: set[int] = field(default_factory=set)
    seeds: tuple[int, int] = (1, 1)
    a_year: float | None = None
    because: tuple[str, ...] = ()
    from_corpus: bool = False
    failure: str = ""
    at_least: tuple[str, ...] = ()

    def meet(self, goal: Goal) -> None:
        """Note another goal that is missed because of its faults."""
        if str(goal) not in self.all_goals:
            self.others.append(str(goal))

    @property
    def all_goals(self) -> tuple[str, ...]:
        """The goals that schedules with its faults miss."""
        return (str(self.goal), *self.also, *self.others)

    @property
    def name(self) -> str:
        """The name of its files."""
        words = [f"{self.number:02}", plain(self.goal.measure), *(kind for kind, _ in self.pattern)]
        return "-".join(words).replace("_", "-")

    @property
    def sentence(self) -> str:
        """What happens: `broker-a hangs for 21 s while billing-2 restarts: 312 messages are skipped by billing`."""
        comes = self.failure or comes_to(self.goal, self.values, is_endless=self.goal.measure in self.at_least)
        return CaseTexts.CASE(happening=happening(self.schedule), comes_to=comes)

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "name": self.name, "sentence": self.sentence, "goal": str(self.goal),
            "value": self.values[self.goal.measure],
            "also": self.also, "others": self.others, "met": len(self.met), "first": self.first,
            "seeds": list(self.seeds), "a_year": self.a_year, "because": list(self.because),
            "failure": self.failure,
            "pattern": [list(one) for one in self.pattern], "from_corpus": self.from_corpus,
            "faults": [one.as_fault() for one in self.schedule.strikes], "settings": dict(self.schedule.settings),
        }  # fmt: skip


def likely_a_year(space: HuntSpace, strikes: Sequence[Strike]) -> float | None:
    """About how often a year the strikes come together, at any places that are alike; None without rates.

    Each comes on its own, as a Poisson process, and lasts at least as long as here; all of them come within the time
    from the first begin to the last end.
    """
    if not strikes or any(one.template < 0 for one in strikes):
        return None
    begin_us, end_us = min(one.at_us for one in strikes), max(one.until_us for one in strikes)
    span = max(end_us - begin_us, ALONG_US) / YEAR_US
    found = 1.0 / span
    for one in strikes:
        template = space.templates[one.template]
        if template.a_year is None:
            return None
        lengths = template.lengths()
        part = lengths.part_above(one.length_us) if lengths is not None and one.length_us else 1.0
        found *= template.a_year * space.like(one) * part * span
    return found
