"""Arms that begin with the state of a running job, as an experiment: what has been is its warm-up."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import yaml

from simulator.counterfactual.arms_experiment import Changes, Mapped, Run
from simulator.counterfactual.fork import ForkPoint
from simulator.counterfactual.fork_fault import faults_now
from simulator.experiments.experiment import UNCHANGED
from simulator.experiments.experiment_file import parse_experiment
from simulator.experiments.experiment_measures import MeasuredRun, measures_of
from simulator.experiments.result import ExperimentResult
from simulator.experiments.study import RunKey, Study
from simulator.run.run_totals import Totals, queue_ids, tables_counted, total_on
from simulator.scenario import Scenario, parse_scenario


@dataclass(frozen=True)
class Fork:
    """Where it begins, and when it ends. `length_us`: from the begin on."""

    point: ForkPoint
    length_us: int

    @property
    def until_us(self) -> int:
        """When the arms end."""
        return self.point.at_us + self.length_us

    def arm(self, changes: Changes) -> Scenario:
        """The job's scenario with changes, as long as the job's or as the arms need. Raises ScenarioError.

        A key that is a kind of fault has its target as value, with ` for 5m` if it ends before the arms do: it begins
        when the fork does. Keys behind it that belong to the kind, such as `factor`, are the fault's.
        """
        document = yaml.safe_load(self.point.scenario.to_yaml())
        now, plain = faults_now(self.point.scenario, changes, self.point.at_us, self.length_us)
        if now:
            plain["faults"] = json.dumps([*(document.get("faults") or []), *now])
        if self.until_us > self.point.scenario.duration_us:
            plain.setdefault("duration", f"{self.until_us}us")
        if not plain:
            return self.point.scenario
        return parse_scenario(self.point.scenario.to_yaml(), overrides=plain)

    def result(self, arms: Mapping[str, Changes], seeds: int) -> ExperimentResult:
        """The experiment of the arms, without runs yet. Raises ScenarioError."""
        made = {UNCHANGED: self.arm({}), **{name: self.arm(changes) for name, changes in arms.items()}}
        shown = {name: scenario.model_copy(update={"duration_us": self.until_us}) for name, scenario in made.items()}
        lines = [
            f"name: {json.dumps(f'{self.point.scenario.name}, from {self.point.at_us / 1e6:g} s on')}",
            f"scenario: {json.dumps(yaml.safe_load(shown[UNCHANGED].to_yaml()))}",
            f"arms: {json.dumps({name: {} for name in made})}",
            f"seeds: {seeds}",
            f"warm_up: {self.point.at_us}us",
        ]
        loaded = parse_experiment("\n".join(lines) + "\n", source="fork")
        text = "\n".join([lines[0], f"arms: {json.dumps({UNCHANGED: {}, **arms})}", *lines[3:]]) + "\n"
        return ExperimentResult(Study(replace(loaded, arms=shown, text=text)))

    def run(self, result: ExperimentResult, arms: Mapping[str, Changes], on: Mapped = map) -> Iterator[Run]:
        """Run every arm with every seed, the job's own first; each as it is done. Raises LayoutError.

        `on`: like map, and may do several at once.
        """
        study = result.study

        def run(key: RunKey) -> Run:
            scenario = self.arm(arms.get(key.arm, {})).model_copy(update={"seed": key.seed})
            totals = self._totals(scenario)
            measures = measures_of(MeasuredRun(totals, study.scenario_of_run(key.arm, key.seed), self.point.at_us))
            return key.arm, key.seed, measures, totals

        for done in on(run, study.wanted()):
            result.add(*done)
            yield done

    def _totals(self, scenario: Scenario) -> Totals:
        plan, queues = self.point.arm_plan(scenario, self.until_us), queue_ids(scenario)
        cells = [self.point.cell(plan, number, tables_counted(own)) for number, own in enumerate(plan.cells)]
        first, *rest = (total_on(plan, cell, queues, self.point.at_us) for cell in cells)
        for totals in rest:
            first = first.plus(totals)
        return first
