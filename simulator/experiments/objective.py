"""An objective: a measure and a bound, such as `p99_ms < 200`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.experiments.experiment_measures import MEASURES
from simulator.experiments.intervals import Interval
from simulator.experiments.texts.experiment_file_texts import ExperimentFileTexts
from simulator.scenario.reading.scenario_error import not_known
from simulator.units import shown

FORM = re.compile(r"\s*([a-z0-9_]+(?:\[[^\]]+\])?)\s*(<=|>=|<|>)\s*(\d+(?:\.\d+)?)\s*%?\s*")
TESTS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Objective:
    """A bound on a measure."""

    measure: str
    sign: str
    bound: float

    def __str__(self) -> str:
        return f"{self.measure} {self.sign} {self.bound:g}"

    def holds(self, found: Interval) -> bool | None:
        """Whether it holds for the whole interval; None if these runs cannot tell, as one run alone never can."""
        if found.low is None or found.high is None:
            return None
        test = TESTS[self.sign]
        ends = {test(found.low, self.bound), test(found.high, self.bound)}
        return ends.pop() if len(ends) == 1 else None


def parse_objective(value: Any) -> Objective:
    """An objective of a text such as `p99_ms < 200`. Raises ValueError with the rest of a sentence."""
    found = FORM.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError(ExperimentFileTexts.OBJECTIVE_EXPECTED(got=shown(value)))
    return Objective(found[1], found[2], float(found[3]))


def unmeasured(name: str, known: Sequence[str]) -> str | None:
    """The sentence about a measure that a scenario has not, None if it has it."""
    if name in known:
        return None
    plain, bracket, _ = name.partition("[")
    same = [one for one in known if one.partition("[")[0] == plain]
    if same and not bracket:
        whose = "consumer group" if MEASURES[plain].of_consumers is not None else "broker"
        return ExperimentFileTexts.MEASURE_OF_ONE(name=name, whose=whose, same=same[0])
    return not_known("measure", name, same or [one for one in known if "[" not in one])
