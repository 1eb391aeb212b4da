"""A goal of a hunt: an objective that a single run misses or not, and how near a run came to missing it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.experiments.experiment_measures import MEASURES, known_measures, plain, why_not_measured
from simulator.experiments.objective import Objective, parse_objective, unmeasured
from simulator.experiments.texts.experiment_file_texts import ExperimentFileTexts
from simulator.experiments.words import with_unit
from simulator.scenario import Scenario
from simulator.scenario.reading.scenario_error import not_known

# What grows before a measure that must stay 0 does: where a run has much of it, it came near.
SIGNS = {
    "lost": ("not_stored", "failed_messages"),
    "lost_unseen": ("not_stored", "failed_messages"),
    "not_stored": ("failed_messages", "p999_ms"),
    "failed_messages": ("p999_ms", "attempts_per_message"),
    "failed_percent": ("p999_ms", "attempts_per_message"),
    "skipped": ("unowned_s", "double_owned_s", "consumed_twice_percent"),
    "missed": ("lag_max", "unowned_s"),
    "dead_letters": ("retried_percent",),
    "consumed_twice_percent": ("double_owned_s", "unowned_s"),
}
NEAREST = 0.99
SIGN_PART = 0.5  # of a goal whose bound says itself how near a run came


@dataclass(frozen=True)
class Goal(Objective):
    """An objective that each single run is held to."""

    def is_missed(self, values: Mapping[str, float]) -> bool:
        """Whether a run misses it; one that did not measure it does not, and does not hold it either."""
        found = values.get(self.measure)
        return found is not None and not self.is_met_by(found)

    def is_measured(self, values: Mapping[str, float]) -> bool:
        """Whether a run shows anything of it."""
        return self.measure in values

    def is_missed_from(self, least: float) -> bool:
        """Whether every value from that one on misses it."""
        return least > self.bound if self.sign == "==" else self.sign in ("<", "<=") and not self.is_met_by(least)

    def is_met_from(self, least: float) -> bool:
        """Whether every value from that one on meets it."""
        return self.sign in (">", ">=") and self.is_met_by(least)

    def needs(self) -> list[str]:
        """The measures that are looked at: its own, and those that show that a run came near."""
        bracket = self.measure[len(plain(self.measure)) :]
        return [self.measure, *(self._placed(name, bracket) for name in SIGNS.get(plain(self.measure), ()))]

    def _placed(self, name: str, bracket: str) -> str:
        of_consumers = MEASURES[name].of_consumers is not None
        return name + bracket if of_consumers == (MEASURES[plain(self.measure)].of_consumers is not None) else name

    def nearness(self, values: Mapping[str, float], calm: Mapping[str, float]) -> float:
        """How near a run came to missing it, 0..1; 1 where it does. calm: the values without any added fault."""
        if self.is_missed(values):
            return 1.0
        margin, *rises = self.signs(values, calm)
        has_way = self.bound > 0 and self.sign != "=="
        return max([margin, *((SIGN_PART if has_way else 1.0) * one for one in rises)])

    def signs(self, values: Mapping[str, float], calm: Mapping[str, float]) -> tuple[float, ...]:
        """What shows that a run came near, 0..1 each: its part of the way from the calm run to the bound, and how much
        each of the figures grew that grow before it is missed.
        """
        found, before = values.get(self.measure), calm.get(self.measure, 0.0)
        rises = [_rise(values.get(name, 0.0), calm.get(name, 0.0)) for name in self.needs()[1:]]
        if found is None:
            return (0.0, *rises)
        if self.bound > 0 and self.sign != "==":
            way = self.bound - before
            return (max(min((found - before) / way, NEAREST), 0.0) if way else 0.0, *rises)
        return (_rise(found, before), *rises)

    def in_words(self, values: Mapping[str, float]) -> str:
        """The value of a run with its unit."""
        return with_unit(values[self.measure], self.measure)


# No schedule may end a run with an error; one that does has this measure alone.
RUNS = Goal("simulator_failed", "==", 0.0)


def _rise(value: float, calm: float) -> float:
    """A number 0..1 of how far a figure is above its usual value."""
    if not math.isfinite(value):
        return NEAREST
    above = math.log1p(max(value, 0.0)) - math.log1p(max(calm, 0.0))
    return NEAREST * above / (above + 2.0) if above > 0 else 0.0


def parse_goal(value: Any) -> Goal:
    """The goal of a text such as `lost == 0`. Raises ValueError with the rest of a sentence."""
    found = parse_objective(value)
    if plain(found.measure) not in MEASURES:
        raise ValueError(not_known("measure", found.measure, MEASURES))
    return Goal(found.measure, found.sign, found.bound)


def why_no_goal(goal: Goal, scenario: Scenario) -> str | None:
    """Why runs of a scenario, with a fault of the hunt in it, cannot miss a goal; None if they can."""
    reason = unmeasured(goal.measure, known_measures(scenario))
    if reason is not None:
        return reason
    reason = why_not_measured(goal.measure, scenario, 0)
    return None if reason is None else ExperimentFileTexts.NOT_MEASURABLE(name=goal.measure, why=reason)
