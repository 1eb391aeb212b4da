"""Arms of a recorded night as an experiment: the recording, the model's own replay of it, and what else was asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import yaml

from simulator.counterfactual.night import Night
from simulator.counterfactual.other_set_up import changed_set_ups
from simulator.counterfactual.recorded_totals import recorded_measures, recorded_totals
from simulator.counterfactual.unseen import Weight, assumptions, weight_of
from simulator.counterfactual.untried import night_going_on
from simulator.experiments.experiment_file import parse_experiment
from simulator.experiments.experiment_measures import MeasuredRun, measures_of
from simulator.experiments.result import ExperimentResult
from simulator.experiments.study import RunKey, Study
from simulator.experiments.verdict import verdict
from simulator.experiments.words import listed, number
from simulator.plan.run_plan import Plan
from simulator.run.run_totals import Totals, queue_ids, total_cell
from simulator.scenario import Scenario

RECORDED, MODEL = "recorded", "model"
GOING_ON = ", trouble goes on"  # ends the name of an arm in which it does until somebody tried the broker again
UNTRIED_LEAST = 0.5  # percent of the attempts
FAILED = "failed_messages"
SHARE_POINTS, FAILED_PART, FAILED_MESSAGES = 5.0, 0.2, 10

Changes = Mapping[str, str]  # dotted keys of a scenario to YAML values


@dataclass
class NightResult(ExperimentResult):
    """The result of an experiment whose base is the model's replay of a recording. weights: by arm."""

    weights: dict[str, Weight] = field(default_factory=dict)

    @property
    def verdict(self) -> list[str]:
        """How well the control shows what was recorded, then what the other arms differ by."""
        loaded = self.study.loaded
        others = {arm: scenario for arm, scenario in loaded.arms.items() if arm != RECORDED}
        return [self.control, *verdict(Study(replace(loaded, arms=others), self.study.values))]

    @property
    def control(self) -> str:
        """Whether the model's own replay shows what was recorded, within the tolerances of a prediction."""
        ours, recorded = self._means(MODEL), self._means(RECORDED)
        told, missed = [], False
        pairs = list(zip(self._shares(MODEL), self._shares(RECORDED), strict=True))
        if pairs:
            worst = max(abs(model - seen) for model, seen in pairs)
            missed |= worst > SHARE_POINTS
            told.append(f"shares of attempts within {number(max(round(worst, 1), 0.1))} points")
        if FAILED in recorded:
            missed |= abs(ours[FAILED] - recorded[FAILED]) > max(FAILED_MESSAGES, FAILED_PART * recorded[FAILED])
            told.append(f"{number(ours[FAILED])} failed messages where {number(recorded[FAILED])} were recorded")
        begin = "The control misses what was recorded" if missed else "The control shows what was recorded"
        return f"{begin}: {listed(told)}." + (" Take the other arms with care." if missed else "")

    def _means(self, arm: str) -> dict[str, float]:
        found = {name: self.study.interval(arm, name) for name in self.study.measures(arm)}
        return {name: one.mean for name, one in found.items() if one is not None}

    def _shares(self, arm: str) -> list[float]:
        """Mean shares of brokers in trouble by name, then of healthy ones from the least up: they share by chance."""
        runs, brokers = self.study.runs_of(arm).values(), list(self.study.scenario(MODEL).brokers)
        struck = {period.broker for period in self.study.scenario(MODEL).fault_periods()}
        rows = []
        for run in runs:
            share = {broker: run[f"share_percent[{broker}]"] for broker in brokers}
            healthy = sorted(share[broker] for broker in brokers if broker not in struck)
            rows.append([*(share[broker] for broker in brokers if broker in struck), *healthy])
        return [float(mean) for mean in np.mean(rows, axis=0)]

    def as_json(self) -> dict[str, Any]:
        """That of an experiment, with the weight of what is assumed."""
        weights = {arm: vars(one) for arm, one in self.weights.items()}
        return super().as_json() | {"assumptions": list(self.notes), "assumed_percent": weights}


def night_result(night: Night, arms: Mapping[str, Changes], seeds: int) -> NightResult:
    """An experiment without runs yet. Raises ScenarioError for a change that the scenario does not take."""
    scenarios = {name: night.with_changes(changes) for name, changes in arms.items()}
    other = night_going_on(night)
    given = {}
    for name, changes in arms.items():
        given[name] = {key: yaml.safe_load(text) for key, text in changes.items()}
        sets_faults = any(key.partition(".")[0] == "faults" for key in changes)
        if other is not None and not sets_faults and _hangs_on_the_untried(night, scenarios[name]):
            given[name + GOING_ON] = {"faults": yaml.safe_load(other.text)["faults"], **given[name]}
    named = {RECORDED: {}, MODEL: {}, **given}
    lines = [f"name: {json.dumps(f'{night.name} under another client')}", "scenario:"]
    lines += [f"  {line}".rstrip() for line in night.text.splitlines()]
    lines += ["arms:", *(f"  {json.dumps(name)}: {json.dumps(changes)}" for name, changes in named.items())]
    lines += [f"base: {MODEL}", f"seeds: {seeds}"]
    return NightResult(Study(parse_experiment("\n".join(lines) + "\n", source=night.name)))


def _hangs_on_the_untried(night: Night, scenario: Scenario) -> bool:
    """Whether enough of an arm, by one run of it, is sent to brokers that nobody tried."""
    totals = _measured(night.plan(scenario), scenario)[1]
    return weight_of(night, scenario, totals).untried >= UNTRIED_LEAST


Run = tuple[str, int, dict[str, float], Totals]  # arm, seed, measures, totals
Mapped = Callable[[Callable[[RunKey], Run], Sequence[RunKey]], Iterator[Run]]


def run_night(night: Night, result: NightResult, on: Mapped = map) -> Iterator[Run]:
    """Run what is missing of every arm, each run as it is done; then note what hangs on assumptions.

    `on`: like map, and may do several at once.
    """
    study = result.study
    totals = recorded_totals(night)
    result.add(RECORDED, night.scenario.seed, recorded_measures(night, totals), totals)

    def run(key: RunKey) -> Run:
        scenario = study.scenario(key.arm).model_copy(update={"seed": key.seed})
        return (key.arm, key.seed, *_measured(night.plan(scenario), scenario))

    for done in on(run, [key for key in study.wanted() if key.arm != RECORDED]):
        result.add(*done)
        yield done
    simulated = {arm: result.totals[arm] for arm in study.loaded.arms if arm != RECORDED}
    result.weights = {arm: weight_of(night, study.scenario(arm), own) for arm, own in simulated.items()}
    scenarios = {arm: study.scenario(arm) for arm in simulated}
    result.notes = (*changed_set_ups(night, scenarios), *assumptions(night, result.weights))


def _measured(plan: Plan, scenario: Scenario) -> tuple[dict[str, float], Totals]:
    totals = total_cell(plan, plan.cells[0], queue_ids(scenario))
    for own in plan.cells[1:]:
        totals = totals.plus(total_cell(plan, own, queue_ids(scenario)))
    return measures_of(MeasuredRun(totals, scenario, 0)), totals
