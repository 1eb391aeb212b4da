"""Arms of a recorded log as an experiment: the recording, the model's own replay of it, and what else was asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import yaml

from simulator import tolerance
from simulator.counterfactual.arms_texts import ArmsTexts
from simulator.counterfactual.calibrated_trace import CalibratedTrace
from simulator.counterfactual.caller_latency import (
    ControlFigure,
    RunLatencies,
    latency_figures,
    recorded_waits,
    totals_of,
)
from simulator.counterfactual.other_set_up import changed_set_ups
from simulator.counterfactual.recorded_totals import recorded_measures, recorded_totals
from simulator.counterfactual.unseen import Weight, assumptions, weight_of
from simulator.counterfactual.untried import until_tried_again
from simulator.experiments.experiment_file import parse_experiment
from simulator.experiments.experiment_measures import MeasuredRun, measures_of
from simulator.experiments.result import ExperimentResult
from simulator.experiments.study import RunKey, Study
from simulator.experiments.verdict import verdict
from simulator.experiments.words import number
from simulator.plan.run_plan import Plan
from simulator.run.run_totals import Totals
from simulator.scenario import Scenario
from simulator.scenario.loading.overrides import parsed
from state.texts import listed

RECORDED, MODEL = "recorded", "model"
GOING_ON = ", longest faults"  # ends the name of an arm in which it does until somebody tried the broker again
UNTRIED_LEAST = 0.5  # percent of the attempts
FAILED = "failed_messages"

SHARES = "shares of attempts"
CONTROL_RUNS = 3  # of the control whose single latencies are looked at

Changes = Mapping[str, str]  # dotted keys of a scenario to YAML values


@dataclass(repr=False)
class ReplayedArms(ExperimentResult):
    """The result of an experiment whose base is the model's replay of a recording.

    weights: by arm. latencies: of attempts and callers, of the control and as recorded.
    """

    weights: dict[str, Weight] = field(default_factory=dict)
    latencies: list[ControlFigure] = field(default_factory=list)

    @property
    def verdict(self) -> list[str]:
        """How well the control shows what was recorded, then what the other arms differ by."""
        loaded = self.study.loaded
        others = {arm: scenario for arm, scenario in loaded.arms.items() if arm != RECORDED}
        return [self.control, *verdict(Study(replace(loaded, arms=others), self.study.values))]

    @property
    def control(self) -> str:
        """What of the recording the model's own replay shows, within the tolerances of a prediction, and what not."""
        shown: dict[bool, list[str]] = {True: [], False: []}
        for one in self.control_figures:
            shown[one.is_shown].append(_in_words(one))
        if not shown[False]:
            return ArmsTexts.SHOWN(shown=listed(shown[True]))
        also, care = ArmsTexts.SHOWN_TOO(shown=listed(shown[True])) if shown[True] else "", ArmsTexts.WITH_CARE()
        return ArmsTexts.NOT_SHOWN(missed=listed(shown[False]), also=also, care=care)

    @property
    def control_figures(self) -> list[ControlFigure]:
        """The control beside the recording: shares, failed messages, latency of attempts and of callers."""
        ours, recorded = self._means(MODEL), self._means(RECORDED)
        found = []
        if pairs := list(zip(self._shares(MODEL), self._shares(RECORDED), strict=True)):
            model, seen = max(pairs, key=lambda pair: abs(pair[0] - pair[1]))
            found.append(ControlFigure(SHARES, "%", model, seen, tolerance.SHARE_POINTS))
        if FAILED in recorded:
            near = tolerance.of_failed(recorded[FAILED])
            found.append(ControlFigure("failed messages", "", ours[FAILED], recorded[FAILED], near))
        return [*found, *self.latencies]

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
        control = [vars(one) | {"ok": one.is_shown} for one in self.control_figures]
        return super().as_json() | {
            "assumptions": list(self.notes), "assumed_percent": weights, "control": control,
        }  # fmt: skip


def _in_words(one: ControlFigure) -> str:
    if one.name == SHARES:
        return ArmsTexts.SHARES(name=one.name, points=number(max(round(abs(one.model - one.recorded), 1), 0.1)))
    unit = f" {one.unit}" if one.unit else ""
    return ArmsTexts.FIGURE(name=one.name, model=number(one.model), recorded=number(one.recorded), unit=unit)


def replayed_arms(calibrated: CalibratedTrace, arms: Mapping[str, Changes], seeds: int) -> ReplayedArms:
    """An experiment without runs yet. Raises ScenarioError for a change that the scenario does not take."""
    scenarios = {name: calibrated.with_changes(changes) for name, changes in arms.items()}
    other = until_tried_again(calibrated)
    given = {}
    for name, changes in arms.items():
        given[name] = {key: parsed(key, text) for key, text in changes.items()}
        sets_faults = any(key.partition(".")[0] == "faults" for key in changes)
        if other is not None and not sets_faults and _hangs_on_the_untried(calibrated, scenarios[name]):
            given[name + GOING_ON] = {"faults": yaml.safe_load(other.text)["faults"], **given[name]}
    named = {RECORDED: {}, MODEL: {}, **given}
    lines = [f"name: {json.dumps(f'{calibrated.name} under another client')}", "scenario:"]
    lines += [f"  {line}".rstrip() for line in calibrated.text.splitlines()]
    lines += ["arms:", *(f"  {json.dumps(name)}: {json.dumps(changes)}" for name, changes in named.items())]
    lines += [f"base: {MODEL}", f"seeds: {seeds}"]
    return ReplayedArms(Study(parse_experiment("\n".join(lines) + "\n", source=calibrated.name)))


def _hangs_on_the_untried(calibrated: CalibratedTrace, scenario: Scenario) -> bool:
    """Whether enough of an arm, by one run of it, is sent to brokers that nobody tried."""
    totals = _measured(calibrated.plan(scenario), scenario)[1]
    return weight_of(calibrated, scenario, totals).untried >= UNTRIED_LEAST


Run = tuple[str, int, dict[str, float], Totals]  # arm, seed, measures, totals
Mapped = Callable[[Callable[[RunKey], Run], Sequence[RunKey]], Iterator[Run]]


def run_arms(calibrated: CalibratedTrace, result: ReplayedArms, on: Mapped = map) -> Iterator[Run]:
    """Run what is missing of every arm, each run as it is done; then note what hangs on assumptions.

    `on`: like map, and may do several at once.
    """
    study = result.study
    totals = recorded_totals(calibrated)
    result.add(RECORDED, calibrated.scenario.seed, recorded_measures(calibrated, totals), totals)

    def run(key: RunKey) -> Run:
        scenario = study.scenario(key.arm).model_copy(update={"seed": key.seed})
        return (key.arm, key.seed, *_measured(calibrated.plan(scenario), scenario))

    for done in on(run, [key for key in study.wanted() if key.arm != RECORDED]):
        result.add(*done)
        yield done
    simulated = {arm: result.totals[arm] for arm in study.loaded.arms if arm != RECORDED}
    result.weights = {arm: weight_of(calibrated, study.scenario(arm), own) for arm, own in simulated.items()}
    scenarios = {arm: study.scenario(arm) for arm in simulated}
    control = study.scenario(MODEL)
    seeds = list(study.runs_of(MODEL))[:CONTROL_RUNS]
    runs = [_waits(calibrated, control.model_copy(update={"seed": seed})) for seed in seeds]
    attempts = calibrated.fit.attempts
    result.latencies = latency_figures(recorded_waits(attempts), runs, attempts.resolution_us)
    result.notes = (
        ArmsTexts.CALLERS(),
        *changed_set_ups(calibrated, scenarios),
        *assumptions(calibrated, result.weights),
    )


def _waits(calibrated: CalibratedTrace, scenario: Scenario) -> RunLatencies:
    return totals_of(calibrated.plan(scenario), scenario, is_answered_only=calibrated.fit.attempts.answered_only)[1]


def _measured(plan: Plan, scenario: Scenario) -> tuple[dict[str, float], Totals]:
    totals, _ = totals_of(plan, scenario)
    return measures_of(MeasuredRun(totals, scenario, 0)), totals
