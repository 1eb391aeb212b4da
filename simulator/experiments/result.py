"""What came out of an experiment: measures with intervals, differences, objectives, the search, and the verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from simulator.experiments.intervals import Interval, shows
from simulator.experiments.study import Study
from simulator.experiments.verdict import verdict
from simulator.run.run_totals import Totals
from simulator.run.views.notebook_view import notebook_view
from simulator.run.views.result_views import view
from simulator.scenario.checks.utilisation import (
    busiest_broker,
    busiest_with_one_gone,
    consumer_utilisation,
    has_rates,
)

FORMAT = 1
MEASURES_SHOWN = 40  # rows in a notebook


@dataclass(frozen=True)
class SearchStep:
    """A value that a search has tried: whether the objectives hold there (None: the runs cannot tell), and why."""

    value: str
    holds: bool | None
    measures: Mapping[str, Interval]


@dataclass(repr=False)
class ExperimentResult:
    """The study, and for each arm the totals of all its runs together.

    interrupted: somebody stopped it before it had its answer. notes: what one should know of it, a sentence each.
    """

    study: Study
    totals: dict[str, Totals] = field(default_factory=dict)
    interrupted: bool = False
    notes: tuple[str, ...] = ()

    def add(self, arm: str, seed: int, measured: Mapping[str, float], totals: Totals) -> None:
        """Take a run."""
        self.study.take(arm, seed, measured)
        self.totals[arm] = self.totals[arm].plus(totals) if arm in self.totals else totals

    def __repr__(self) -> str:
        arms = ", ".join(f"{arm} ({len(self.study.runs_of(arm))} runs)" for arm in self.study.all_arms())
        return (
            "\n  ".join([f"<{type(self).__name__} of {self.study.loaded.experiment.name}: {arms}", *self.verdict]) + ">"
        )

    def _repr_html_(self) -> str:
        return notebook_view(self.study.loaded.experiment.name, self.measures, self.verdict, MEASURES_SHOWN)

    def report(self, path: str | Path) -> Path:
        """Write the page of the experiment, one HTML file, and return its path.

        Raises LookupError if the package that makes it is not installed.
        """
        return Path(view("experiment")(self, path))

    @property
    def verdict(self) -> list[str]:
        """The sentences."""
        return verdict(self.study)

    @property
    def holds(self) -> bool | None:
        """Whether the objectives of the judged arms hold and a search has an answer.

        None if these runs cannot tell, and of an interrupted experiment whose runs so far miss nothing.
        """
        experiment = self.study.loaded.experiment
        held = [*(self.study.holds(arm, experiment.objectives) for arm in experiment.judged_arms), self.search_holds]
        return False if False in held else None if None in held or self.interrupted else True

    @property
    def search_holds(self) -> bool | None:
        """Whether the search has an answer: False if all values miss, None if the runs cannot tell; True without it."""
        if self.study.loaded.experiment.find is None or self.study.found_arm() is not None:
            return True
        steps = self.search_steps()
        return None if not steps or any(step.holds is None for step in steps) else False

    @property
    def measures(self) -> pa.Table:
        """A row an arm and measure with its interval; `.to_pandas()` makes a data frame of it."""
        return _table([{"arm": arm, "measure": name, **one} for arm, own in self._arms() for name, one in own.items()])

    @property
    def differences(self) -> pa.Table:
        """A row an arm and measure with the interval of its paired difference to the base."""
        return _table(
            [{"arm": arm, "measure": name, **one} for arm, own in self._differences() for name, one in own.items()]
        )

    @property
    def runs(self) -> pa.Table:
        """A row an arm, seed and measure."""
        values = self.study.values
        return _table(
            [
                {"arm": arm, "seed": seed, "measure": name, "value": value}
                for arm, runs in values.items()
                for seed, run in runs.items()
                for name, value in run.items()
            ]
        )

    def plot(self, measure: str = "p99_ms") -> Any:
        """A plotly figure of a measure, an interval an arm; draws itself in a notebook."""
        from simulator.experiments.plot import intervals_figure

        return intervals_figure(self.study, measure)

    def search_steps(self) -> list[SearchStep]:
        """The values that the search has tried so far, by value; none without a search."""
        find, state = self.study.loaded.experiment.find, self.study.search()
        if find is None or state is None:
            return []
        steps = []
        for number in sorted(state.tried):
            value = find.values()[number]
            arm = self.study.searched_arm(value)
            own = {one.measure: self.study.interval(arm, one.measure, find.confidence) for one in find.such_that}
            held = self.study.holds(arm, find.such_that, find.confidence)
            steps.append(SearchStep(value, held, {name: one for name, one in own.items() if one is not None}))
        return steps

    def _arms(self) -> list[tuple[str, dict[str, Any]]]:
        found = []
        for arm in self.study.all_arms():
            intervals = {name: self.study.interval(arm, name) for name in self.study.measures(arm)}
            found.append((arm, {name: one.as_json() for name, one in intervals.items() if one is not None}))
        return found

    def _differences(self) -> list[tuple[str, dict[str, Any]]]:
        base, found = self.study.loaded.experiment.base_arm, []
        for arm in self.study.all_arms():
            if arm == base:
                continue
            apart = {name: self.study.difference(arm, name) for name in self.study.measures(arm)}
            found.append(
                (arm, {n: one.as_json() | {"shown": shows(one)} for n, one in apart.items() if one is not None})
            )
        return found

    def _objectives(self, arm: str) -> list[dict[str, Any]]:
        experiment, find = self.study.loaded.experiment, self.study.loaded.experiment.find
        asked, confidence = experiment.objectives, experiment.confidence
        if find is not None and arm not in self.study.loaded.arms:
            asked, confidence = find.such_that, find.confidence
        return [{"objective": str(one), "holds": self.study.holds(arm, (one,), confidence)} for one in asked]

    def _find(self) -> dict[str, Any] | None:
        find, state = self.study.loaded.experiment.find, self.study.search()
        if find is None or state is None:
            return None
        values = find.values()
        steps = [
            {
                "value": _plain(step.value),
                "holds": step.holds,
                "measures": {n: one.as_json() for n, one in step.measures.items()},
            }
            for step in self.search_steps()
        ]
        answer = None if state.answer is None or state.wanted else values[state.answer]
        key = {"smallest" if find.smallest else "largest": find.key}
        such_that = [str(one) for one in find.such_that]
        return key | {
            "such_that": such_that, "confidence": find.confidence, "answer": _plain(answer),
            "finished": not state.wanted, "monotone": state.monotone, "steps": steps,
            "utilisation": self._utilisation(answer),
        }  # fmt: skip

    def _utilisation(self, answer: str | None) -> dict[str, float | None] | None:
        """With the answer, at peak: of the busiest broker, and with the worst one of the brokers gone; or of the
        consumer group that is searched for, and with an instance gone.
        """
        find = self.study.loaded.experiment.find
        if answer is None or find is None:
            return None
        scenario, group = self.study.scenario(self.study.searched_arm(answer)), find.group
        if group is None:
            found = {"peak": busiest_broker(scenario), "one_broker_gone": busiest_with_one_gone(scenario)}
        else:
            alone = consumer_utilisation(scenario, group, 1)
            found = {"peak": consumer_utilisation(scenario, group), "one_instance_gone": alone}
        known = has_rates(scenario)
        return {name: round(busy.utilisation, 4) if busy and known else None for name, busy in found.items()}

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values (docs/experiments.md)."""
        study, experiment = self.study, self.study.loaded.experiment
        differences = dict(self._differences())
        arms = {}
        for arm, measures in self._arms():
            scenario = study.scenario(arm)
            arms[arm] = {
                "runs": len(study.runs_of(arm)),
                "seeds": list(study.runs_of(arm)),
                "scenario_digest": scenario.digest(),
                "measures": measures,
                "objectives": self._objectives(arm),
            }
        return {
            "format": FORMAT,
            "name": experiment.name,
            "description": experiment.description,
            "base": experiment.base_arm,
            "judged": experiment.judged_arms,
            "confidence": experiment.confidence,
            "warm_up_s": experiment.warm_up_us / 1e6,
            "interrupted": self.interrupted,
            "holds": self.holds,
            "verdict": self.verdict,
            "arms": arms,
            "differences": differences,
            "find": self._find(),
        }


def _plain(value: str | None) -> int | float | str | None:
    """A searched value as JSON has it: a number where it is one."""
    try:
        return None if value is None else int(value)
    except ValueError:
        pass
    try:
        return float(str(value))
    except ValueError:
        return value


def _table(rows: list[dict[str, Any]]) -> pa.Table:
    names = list(dict.fromkeys(name for row in rows for name in row))
    finite = [{k: None if isinstance(v, float) and math.isnan(v) else v for k, v in row.items()} for row in rows]
    return pa.table({name: pa.array([row.get(name) for row in finite], from_pandas=False) for name in names})
