"""An objective: a measure and a bound, such as `p99_ms < 200`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simulator.experiments.experiment_measures import MEASURES, plain
from simulator.experiments.intervals import Interval
from simulator.experiments.texts.experiment_file_texts import ExperimentFileTexts
from simulator.scenario.reading.scenario_error import not_known
from simulator.units import shown

TESTS: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
FORM = re.compile(r"\s*([a-z0-9_]+(?:\[[^\]]+\])?)\s*(==|<=|>=|<|>)\s*(\d+(?:\.\d+)?)\s*(%?)\s*")


@dataclass(frozen=True)
class Objective:
    """A bound on a measure."""

    measure: str
    sign: str
    bound: float

    def __str__(self) -> str:
        return f"{self.measure} {self.sign} {_exact(self.bound)}"

    @property
    def is_of_none(self) -> bool:
        """Whether only 0 holds it, as no measure is below 0."""
        return self.bound == 0 and self.sign in ("==", "<=")

    def is_met_by(self, value: float) -> bool:
        """Whether a single value meets it."""
        return TESTS[self.sign](value, self.bound)

    def is_just_met_by(self, found: Interval) -> bool:
        """Whether every run is exactly at a bound that the least difference of another run would miss.

        `==` asks for no more than that every run is.
        """
        return self.sign in ("<=", ">=") and found.low == found.high == self.bound

    @property
    def beyond(self) -> str:
        """An objective like it that runs with exactly the bound can show."""
        if self.sign == ">=":
            return f"{self.measure} > {_exact(_rounded(0.99 * self.bound))}"
        return f"{self.measure} < {_exact(_rounded(1.01 * self.bound or 1.0))}"

    def holds(self, found: Interval) -> bool | None:
        """Whether it holds for the whole interval; None if these runs cannot tell, as one run alone never can.

        A run without end misses every upper bound, whatever the median of the others is.
        """
        if found.low is None or found.high is None or self.is_just_met_by(found):
            return None
        if found.endless and self.sign not in (">", ">="):
            return False
        if self.is_of_none and found.mean > 0:  # however seldom it is more, it is not 0
            return False
        if self.sign == "==" and found.low < self.bound < found.high:
            return None
        ends = {self.is_met_by(found.low), self.is_met_by(found.high)}
        if len(ends) > 1 or (ends == {True} and not found.is_sure):
            return None
        return ends.pop()


def _rounded(bound: float) -> float:
    return float(f"{bound:.6g}")


def _exact(bound: float) -> str:
    """A bound with all its digits and without an exponent, as `parse_objective` reads it."""
    return format(Decimal(repr(bound)), "f").removesuffix(".0")


def parse_objective(value: Any) -> Objective:
    """An objective of a text such as `p99_ms < 200`; of a measure in per cent, `failed_percent < 1 %`, too.

    Raises ValueError with the rest of a sentence.
    """
    found = FORM.fullmatch(value) if isinstance(value, str) else None
    if found is None or (found[4] and not _is_in_percent(found[1])):
        raise ValueError(ExperimentFileTexts.OBJECTIVE_EXPECTED(got=shown(value)))
    return Objective(found[1], found[2], float(found[3]))


def _is_in_percent(measure: str) -> bool:
    return plain(measure) in MEASURES and MEASURES[plain(measure)].unit == "%"


def unmeasured(name: str, known: Sequence[str]) -> str | None:
    """The sentence about a measure that a scenario has not, None if it has it."""
    if name in known:
        return None
    own, bracket, _ = name.partition("[")
    same = [one for one in known if one.partition("[")[0] == own]
    if same and not bracket:
        whose = "consumer group" if MEASURES[own].of_consumers is not None else "broker"
        return ExperimentFileTexts.MEASURE_OF_ONE(name=name, whose=whose, same=same[0])
    return not_known("measure", name, same or [one for one in known if "[" not in one])
