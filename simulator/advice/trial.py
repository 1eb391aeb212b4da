"""The trial of candidates: one experiment whose arms are every candidate in every situation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from simulator.advice.candidates import AS_IT_IS, Candidate, by_name, first_candidates
from simulator.advice.group_candidates import group_candidates, group_situations
from simulator.advice.situations import Situation, situations_of
from simulator.experiments.experiment_file import LoadedExperiment, parse_experiment
from simulator.scenario import Scenario, ScenarioError, load_scenario
from simulator.scenario.loading.scenario_file import NONE, changed
from simulator.scenario.reading.document import Dumper
from simulator.scenario.reading.scenario_error import not_known
from simulator.texts import at
from simulator.units import format_duration

WARM_UP_US = 20_000_000
WARM_UP_PART = 10  # of a scenario that is shorter
SEEDS = SEEDS_LEAST = 8  # fewer show too little: a setting that is worse in a situation passes for as good
WHICH = ("both", "usual", "own")


def arm_name(candidate: str, situation: str) -> str:
    """The name of an arm."""
    return f"{candidate} | {situation}"


@dataclass
class Trial:
    """What is tried. `impossible`: candidates that the scenario cannot have, and why.

    group: the consumer group whose settings are tried, None for those of the producers.
    """

    path: Path
    scenario: Scenario
    situations: list[Situation]
    candidates: dict[str, Candidate]
    objectives: Sequence[str] = ()
    seeds: int = SEEDS
    given: Mapping[str, str] = field(default_factory=dict)
    impossible: dict[str, str] = field(default_factory=dict)
    group: str | None = None

    def scenario_of(self, candidate: Candidate) -> Scenario:
        """The scenario with a candidate's settings. Raises ScenarioError."""
        return changed(self.scenario, candidate.keys)

    def add(self, candidates: Sequence[Candidate]) -> int:
        """Try these, too, if the scenario can have them; how many they are."""
        count = 0
        for name, candidate in by_name(candidates).items():
            if name in self.candidates or name in self.impossible:
                continue
            try:
                self.scenario_of(candidate)
            except ScenarioError as error:
                self.impossible[name] = str(error).partition(": ")[2] or str(error)
                continue
            self.candidates[name] = candidate
            count += 1
        return count

    def text(self) -> str:
        """The YAML of the experiment."""
        arms = {
            arm_name(name, situation.name): dict(situation.changes) | candidate.keys
            for name, candidate in self.candidates.items()
            for situation in self.situations
        }
        shortest_us = min(
            self.scenario.duration_us,
            *(changed(self.scenario, one.changes).duration_us for one in self.situations),
        )
        document: dict[str, Any] = {
            "name": f"advice for {self.scenario.name}",
            "scenario": self.path.name,
            "arms": arms,
            "base": arm_name(AS_IT_IS, self.situations[0].name),
            "seeds": self.seeds,
            "warm_up": format_duration(min(WARM_UP_US, shortest_us // WARM_UP_PART)),
            "objectives": list(self.objectives),
        }
        return str(yaml.dump(document, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120))

    def experiment(self) -> LoadedExperiment:
        """The experiment that tries them. Raises ScenarioError."""
        return parse_experiment(self.text(), "<advice>", self.path.parent, self.given)


def trial_of(
    path: str | Path, which: str = "both", *, given: Mapping[str, str] = NONE, objectives: Sequence[str] = (),
    seeds: int = SEEDS, group: str | None = None,
) -> Trial:  # fmt: skip
    """The first round of a trial of the settings of a scenario, or of one of its groups. Raises ScenarioError."""
    scenario = load_scenario(path, given)
    if group is not None and group not in scenario.consumers:
        raise ScenarioError([at(path, not_known("consumer group", group, scenario.consumers))])
    if scenario.client.policy is not None:
        text = "client.policy: advice is about the settings of RocketMQ's own client; take the policy out"
        raise ScenarioError([f"{path}: {text}"])
    if which == "own" and not scenario.faults:
        raise ScenarioError([f"{path}: faults: the scenario has no faults; expected --faults usual"])
    situations = situations_of(scenario, which) if group is None else group_situations(scenario, group, which)
    trial = Trial(Path(path), scenario, situations, {}, objectives, seeds, given, group=group)
    trial.add(first_candidates(scenario) if group is None else group_candidates(scenario, group))
    return trial
