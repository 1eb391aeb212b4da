"""The trial of candidates: one experiment whose arms are every candidate in every situation."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from simulator.advice.advice_texts import AdviceTexts
from simulator.advice.candidates import AS_IT_IS, Candidate, by_name, first_candidates
from simulator.advice.client_candidates import (
    client_candidates,
    grpc_only,
    proxy_situations,
    without_faults_of_proxies,
)
from simulator.advice.group_candidates import group_candidates, group_situations
from simulator.advice.replica_candidates import replica_candidates, replica_situations, sets_of
from simulator.advice.situations import Situation, situations_of
from simulator.experiments.experiment_file import LoadedExperiment, parse_experiment
from simulator.scenario import Scenario, ScenarioError, load_scenario
from simulator.scenario.loading.overrides import parsed
from simulator.scenario.loading.scenario_file import NONE, changed
from simulator.scenario.reading.document import Dumper
from simulator.scenario.reading.scenario_error import not_known
from simulator.units import format_duration
from state.texts import at

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

    group: the consumer group whose settings are tried, None for those of the producers. replicas: the settings of the
    replica sets are tried instead.
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
    replicas: bool = False

    def scenario_of(self, candidate: Candidate) -> Scenario:
        """The scenario with a candidate's settings. Raises ScenarioError."""
        return changed(self.scenario, self.keys_of(candidate))

    def keys_of(self, candidate: Candidate, situation: Situation | None = None) -> dict[str, Any]:
        """The changes of the scenario for a candidate, in a situation."""
        keys = {} if situation is None else dict(situation.changes)
        return without_faults_of_proxies(self.scenario, keys | candidate.keys)

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

    def text(self, folder: Path | None = None) -> str:
        """The YAML of the experiment; folder: where it is to be read from, with what the command line changed."""
        arms = {
            arm_name(name, situation.name): self.keys_of(candidate, situation)
            for name, candidate in self.candidates.items()
            for situation in self.situations
        }
        shortest_us = min(
            self.scenario.duration_us,
            *(changed(self.scenario, one.changes).duration_us for one in self.situations),
        )
        document: dict[str, Any] = {
            "name": f"advice for {self.scenario.name}",
            "scenario": yaml.safe_load(self.scenario.to_yaml()) if self.replicas else self._scenario_from(folder),
            **({} if folder is None or self.replicas or not self.given else {"set": self._set()}),
            "arms": arms,
            "base": arm_name(AS_IT_IS, self.situations[0].name),
            "seeds": self.seeds,
            "warm_up": format_duration(min(WARM_UP_US, shortest_us // WARM_UP_PART)),
            "objectives": list(self.objectives),
        }
        return str(yaml.dump(document, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120))

    def _scenario_from(self, folder: Path | None) -> str:
        return self.path.name if folder is None else os.path.relpath(self.path.resolve(), folder.resolve())

    def _set(self) -> dict[str, Any]:
        return {key: parsed(key, text) for key, text in self.given.items()}

    def experiment(self) -> LoadedExperiment:
        """The experiment that tries them. Raises ScenarioError."""
        given = NONE if self.replicas else self.given  # they are in the scenario that it has
        return parse_experiment(self.text(), "<advice>", self.path.parent, given)


def trial_of(
    path: str | Path, which: str = "both", *, given: Mapping[str, str] = NONE, objectives: Sequence[str] = (),
    seeds: int = SEEDS, group: str | None = None, replicas: bool = False,
) -> Trial:  # fmt: skip
    """The first round of a trial: of the producers' settings, of those of a consumer group, or of the replica sets'.

    Raises ScenarioError.
    """
    scenario = load_scenario(path, given)
    if group is not None and group not in scenario.consumers:
        raise ScenarioError([at(path, not_known("consumer group", group, scenario.consumers))])
    if replicas and group is not None:
        raise ScenarioError([AdviceTexts.GROUP_OR_REPLICAS().at(path)])
    if replicas and not sets_of(scenario):
        raise ScenarioError([AdviceTexts.NO_REPLICAS().at("brokers").at(path)])
    if scenario.client.policy is not None and not replicas:
        raise ScenarioError([AdviceTexts.OWN_CLIENT_ONLY().at("client.policy").at(path)])
    if which == "own" and not scenario.faults:
        raise ScenarioError([AdviceTexts.NO_FAULTS().at("faults").at(path)])
    if replicas:
        situations, candidates = replica_situations(scenario, which), replica_candidates(scenario)
    elif group is not None:
        situations, candidates = group_situations(scenario, group, which), group_candidates(scenario, group)
    else:
        situations, candidates = situations_of(scenario, which), _of_producers(scenario)
    if which != "own" and not replicas:
        situations += proxy_situations(scenario)
    trial = Trial(Path(path), scenario, situations, {}, objectives, seeds, given, group=group, replicas=replicas)
    trial.add(candidates)
    return trial


def _of_producers(scenario: Scenario) -> list[Candidate]:
    """The settings that the scenario's producers have, of remoting clients, gRPC clients or both."""
    own = [Candidate()] if grpc_only(scenario) else first_candidates(scenario)
    return [*own, *client_candidates(scenario)]
