"""An experiment as it is written: arms of a scenario, seeds, objectives, and what is searched."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from simulator.experiments.experiment_measures import MEASURES, plain
from simulator.experiments.objective import Objective, parse_objective
from simulator.experiments.texts.experiment_file_texts import ExperimentFileTexts
from simulator.scenario.reading.fields import DURATION_MAX_US, Model, Text, duration_us, whole
from simulator.scenario.reading.scenario_error import Problem, not_known, raise_any
from simulator.units import shown
from state.texts import sentence_of

SEEDS_MAX = 10_000
ARMS_MAX = 1_000
VALUES_MAX = 10_000  # of a search
SEEDS = 20
ALL_ARMS = "all"
UNCHANGED = "as it is"  # the name of an arm that changes nothing
STEPS_OF_A_RATE = 100
STEP = re.compile(r"(\d+(?:\.\d+)?)([A-Za-z/]*)")
RANGE = re.compile(r"\s*(\d+(?:\.\d+)?)([A-Za-z/]*)\s*\.\.\s*(\d+(?:\.\d+)?)([A-Za-z/]*)\s*")

Changes = dict[str, Any]


def _changes(value: Any) -> Changes:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError(ExperimentFileTexts.CHANGES_EXPECTED(got=shown(value)))
    return dict(value)


def _arms(value: Any) -> dict[str, Changes]:
    if not isinstance(value, dict) or not value:
        raise ValueError(ExperimentFileTexts.ARMS_EXPECTED(got=shown(value)))
    arms, problems = {}, []
    for name, changes in value.items():
        try:
            arms[str(name)] = _changes(changes)
        except ValueError as error:
            problems.append(Problem((str(name),), sentence_of(error)))
    raise_any(problems)
    return arms


def _grid(value: Any) -> dict[str, list[Any]]:
    if not isinstance(value, dict) or not value or not all(isinstance(v, list) and v for v in value.values()):
        expected = ExperimentFileTexts.A_GRID()
        raise ValueError(f"expected {expected}, got {shown(value)}")
    return {str(key): list(values) for key, values in value.items()}


def _objectives(value: Any) -> tuple[Objective, ...]:
    if not isinstance(value, list):
        raise ValueError(ExperimentFileTexts.OBJECTIVES_EXPECTED(got=shown(value)))
    return tuple(parse_objective(one) for one in value)


def _judged(value: Any) -> tuple[str, ...] | None:
    """Names of arms; None for all of them."""
    if value == ALL_ARMS:
        return None
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(ExperimentFileTexts.JUDGED_EXPECTED(all=ALL_ARMS, got=shown(value)))
    return tuple(map(str, value))


def _precision(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(ExperimentFileTexts.WIDTHS_EXPECTED(got=shown(value)))
    return dict(value)


class Precision(Model):
    """How narrow the intervals of all arms are to be. `widths`: half widths by measure, (number, of the mean)."""

    widths: dict[str, tuple[float, bool]]
    runs: int

    @classmethod
    def of(cls, value: Any) -> Precision | None:
        """The precision of `{p99_ms: 2%, failed_percent: 0.05, runs: 200}`. Raises ProblemsError."""
        if value is None or isinstance(value, Precision):
            return value
        widths, problems = {}, []
        for name, given in _precision(value).items():
            if name == "runs":
                continue
            found = re.fullmatch(r"(\d+(?:\.\d+)?)(%?)", str(given).strip())
            if plain(name) not in MEASURES:
                problems.append(Problem((name,), not_known("measure", name, MEASURES)))
            elif found is None or float(found[1]) <= 0:
                text = ExperimentFileTexts.WIDTH_EXPECTED(got=shown(given))
                problems.append(Problem((name,), text))
            else:
                widths[name] = (float(found[1]), found[2] == "%")
        runs = value.get("runs", 200)
        if isinstance(runs, bool) or not isinstance(runs, int) or not 2 <= runs <= SEEDS_MAX:
            text = ExperimentFileTexts.RUNS_EXPECTED(most=SEEDS_MAX, got=shown(runs))
            problems.append(Problem(("runs",), text))
        if not widths and not problems:
            problems.append(Problem((), ExperimentFileTexts.NO_MEASURE()))
        raise_any(problems)
        return cls(widths=widths, runs=runs)


class Range(Model):
    """Values `low` + n `step` up to `high`, written with a unit."""

    low: Fraction
    high: Fraction
    unit: str

    @classmethod
    def of(cls, value: Any) -> Range:
        """The range of `2..30` or `100/s..900/s`. Raises ValueError."""
        if isinstance(value, Range):
            return value
        found = RANGE.fullmatch(value) if isinstance(value, str) else None
        if found is None or (found[2] and found[4] and found[2] != found[4]):
            raise ValueError(ExperimentFileTexts.RANGE_EXPECTED(got=shown(value)))
        low, high = Fraction(found[1]), Fraction(found[3])
        if low >= high:
            raise ValueError(ExperimentFileTexts.RISING_RANGE_EXPECTED(got=shown(value)))
        return cls(low=low, high=high, unit=found[4] or found[2])


class Find(Model):
    """A search for the least or greatest value of a key for which all objectives hold."""

    smallest: Text | None = Field(None, title="a key of the scenario such as brokers.broker.count")
    largest: Text | None = Field(None, title="a key of the scenario such as producers.rate")
    within: Annotated[Range, BeforeValidator(Range.of)] = Field(alias="in", title="a range such as 2..30")
    step: Any = Field(None, title="the distance of the values that are tried, such as 1")
    such_that: Annotated[tuple[Objective, ...], BeforeValidator(_objectives)] = Field(
        title='a list of objectives such as ["p99_ms < 50"]'
    )
    confidence: Annotated[int, whole(50, 99)] = 95

    @model_validator(mode="after")
    def _check(self) -> Find:
        problems = []
        if (self.smallest is None) == (self.largest is None):
            problems.append(Problem((), ExperimentFileTexts.ONE_END()))
        if not self.such_that:
            problems.append(Problem(("such_that",), ExperimentFileTexts.NO_OBJECTIVE()))
        problems += self._step_problems()
        raise_any(problems)
        return self

    def _step_problems(self) -> Iterator[Problem]:
        low, high, unit = self.within.low, self.within.high, self.within.unit
        found = STEP.fullmatch("1" if self.step is None else str(self.step))
        if found is None or Fraction(found[1]) == 0 or found[2] not in ("", unit):
            example = f"10{unit}" if unit else "1"
            yield Problem(("step",), ExperimentFileTexts.STEP_EXPECTED(example=example, got=shown(self.step)))
        elif self._step > high - low:
            yield Problem(("step",), ExperimentFileTexts.STEP_TOO_LARGE(length=float(high - low), unit=unit))
        elif (count := int((high - low) / self._step) + 1) > VALUES_MAX:
            where = "in" if self.step is None else "step"
            yield Problem((where,), ExperimentFileTexts.TOO_MANY_VALUES(most=VALUES_MAX, count=count))

    @property
    def _step(self) -> Fraction:
        found = STEP.fullmatch(str(self.step))
        if found is not None:
            return Fraction(found[1])
        length = self.within.high - self.within.low
        return max(length / STEPS_OF_A_RATE, Fraction(1, 1000)) if self.within.unit else Fraction(1)

    @property
    def key(self) -> str:
        """The key that is searched."""
        return self.smallest or self.largest or ""

    @property
    def group(self) -> str | None:
        """The consumer group whose key is searched, None for another key."""
        parts = self.key.split(".")
        return parts[1] if parts[0] == "consumers" and len(parts) > 2 else None

    def values(self) -> list[str]:
        """The values that can be tried, rising, as they are written in a scenario."""
        low, step, unit = self.within.low, self._step, self.within.unit
        count = int((self.within.high - low) / step)
        return [f"{float(low + n * step):.6g}{unit}" for n in range(count + 1)]


class Experiment(Model):
    """One experiment. `scenario`: a path from the experiment's folder, or the scenario's own keys."""

    name: Text = Field(title="a text")
    description: Text | None = None
    scenario: str | dict[str, Any] = Field(title="the path of a scenario, or a scenario written out")
    changes: Annotated[Changes, BeforeValidator(_changes)] = Field(default_factory=dict, alias="set")
    arms: Annotated[dict[str, Changes], BeforeValidator(_arms)] | None = None
    grid: Annotated[dict[str, list[Any]], BeforeValidator(_grid)] | None = None
    base: Text | None = None
    judged: Annotated[tuple[str, ...] | None, BeforeValidator(_judged)] = ()
    seeds: Annotated[int, whole(1, SEEDS_MAX)] | None = None
    precision: Annotated[Precision | None, BeforeValidator(Precision.of)] = None
    warm_up_us: Annotated[int, duration_us(0, DURATION_MAX_US)] = Field(0, alias="warm_up")
    objectives: Annotated[tuple[Objective, ...], BeforeValidator(_objectives)] = ()
    find: Find | None = None
    confidence: Annotated[int, whole(50, 99)] = 95

    @model_validator(mode="after")
    def _check(self) -> Experiment:
        raise_any(self._problems())
        return self

    def _problems(self) -> Iterator[Problem]:
        if self.arms is None and self.grid is None and self.find is None:
            yield Problem(("arms",), ExperimentFileTexts.NOTHING_TO_RUN())
        if self.arms is not None and self.grid is not None:
            yield Problem(("grid",), ExperimentFileTexts.ARMS_AND_GRID())
        yield from self._grid_problems()
        if self.seeds is not None and self.precision is not None:
            yield Problem(("precision",), ExperimentFileTexts.SEEDS_AND_PRECISION())
        count = math.prod(map(len, self.grid.values())) if self.grid is not None else len(self.arms or ())
        if count > ARMS_MAX:
            yield Problem(
                ("arms" if self.grid is None else "grid",), ExperimentFileTexts.TOO_MANY_ARMS(most=ARMS_MAX, got=count)
            )
        elif self.base is not None and self.base not in self.arm_changes():
            yield Problem(("base",), not_known("arm", self.base, self.arm_changes()))
        else:
            for place, name in enumerate(self.judged or ()):
                if name not in self.arm_changes():
                    yield Problem(("judged", place), not_known("arm", name, self.arm_changes()))

    def _grid_problems(self) -> Iterator[Problem]:
        for key, values in (self.grid or {}).items():
            texts = [_value_text(value) for value in values]
            if len(set(texts)) < len(texts):
                again = next(one for place, one in enumerate(texts) if one in texts[:place])
                yield Problem(("grid", key), ExperimentFileTexts.GIVEN_TWICE(value=again))

    def arm_changes(self) -> dict[str, Changes]:
        """The keys of each arm by its name; the scenario as it is where only something is searched."""
        if self.arms is not None:
            return self.arms
        if self.grid is None:
            return {UNCHANGED: {}}
        short = {key: key.rpartition(".")[2] for key in self.grid}
        if len(set(short.values())) < len(short):
            short = {key: key for key in self.grid}
        rows = [dict(zip(self.grid, values, strict=True)) for values in product(*self.grid.values())]
        return {", ".join(f"{short[key]}={_value_text(value)}" for key, value in row.items()): row for row in rows}

    @property
    def base_arm(self) -> str:
        """The arm that the others are held against."""
        return self.base or next(iter(self.arm_changes()))

    @property
    def judged_arms(self) -> list[str]:
        """The arms whose objectives decide whether the experiment holds, in their order.

        Where `judged` does not say, those that are compared with the base; the base if it is alone.
        """
        arms = list(self.arm_changes())
        if self.judged is None:
            return arms
        others = [arm for arm in arms if arm != self.base_arm]
        return [arm for arm in arms if arm in self.judged] or others or arms

    @property
    def runs_at_first(self) -> int:
        """Runs of each arm before anything is decided."""
        if self.precision is not None:
            return min(8, self.precision.runs)
        return self.seeds or SEEDS


def _value_text(value: Any) -> str:
    return (
        "/".join(map(str, value))
        if isinstance(value, list)
        else str(value).lower()
        if isinstance(value, bool)
        else str(value)
    )
