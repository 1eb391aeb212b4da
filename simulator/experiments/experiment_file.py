"""From the YAML of an experiment to the scenarios of its arms, every key checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from pydantic import ValidationError

from simulator.experiments.experiment import Changes, Experiment
from simulator.experiments.experiment_measures import known_measures, why_not_measured
from simulator.experiments.objective import unmeasured
from simulator.experiments.texts.experiment_file_texts import ExperimentFileTexts
from simulator.scenario import Scenario
from simulator.scenario.loading.overrides import apply_overrides
from simulator.scenario.loading.scenario_file import NONE, read_text, scenario_of
from simulator.scenario.reading.document import Document
from simulator.scenario.reading.scenario_error import Path, Problem, ScenarioError, path_text
from simulator.scenario.reading.sentences import Sentences, problems_of
from simulator.units import format_duration
from state.texts import at, sentence_of, without

KEYS_OF_SETTINGS = "set"


@dataclass
class LoadedExperiment:
    """An experiment with its text, where it was read, and the scenarios of its arms by name.

    `given`: dotted keys and YAML values for all arms, from the command line.
    """

    experiment: Experiment
    text: str
    document: Document
    folder: FilePath
    base: Document
    given: Mapping[str, str]
    arms: dict[str, Scenario] = field(default_factory=dict)

    def scenario_with(self, changes: Changes, path: Path) -> Scenario:
        """The scenario of an arm whose keys stand at `path`. Raises ScenarioError with file, line and key."""
        experiment = self.experiment
        data = deepcopy(experiment.scenario if isinstance(experiment.scenario, dict) else self.base.value)
        own = isinstance(experiment.scenario, dict)
        data.setdefault("name", experiment.name) if own else None
        placed: dict[Path, Path] = {}
        for keys, where in ((experiment.changes, (KEYS_OF_SETTINGS,)), (changes, path)):
            placed |= self._applied(data, {key: json.dumps(value) for key, value in keys.items()}, where)
        placed |= self._applied(data, {key: text for key, text in self.given.items() if key not in changes}, None)
        folder = self.folder if own else self.folder / FilePath(str(experiment.scenario)).parent
        scenario, problems = scenario_of(data, folder)
        if scenario is None or problems:
            before = self._own_problems(own, folder) if placed else []
            raise ScenarioError([self._sentence(problem, placed, is_own=problem in before) for problem in problems])
        if experiment.warm_up_us >= scenario.duration_us:
            duration, got = format_duration(scenario.duration_us), format_duration(experiment.warm_up_us)
            raise self.wrong(("warm_up",), ExperimentFileTexts.WARM_UP_TOO_LONG(duration=duration, got=got))
        return scenario

    def searched(self, value: str) -> Scenario:
        """The scenario of the base arm with the searched key at a value. Raises ScenarioError."""
        find, base = self.experiment.find, self.experiment.arm_changes()[self.experiment.base_arm]
        assert find is not None
        number = int(value) if value.isdigit() else value
        return self.scenario_with(base | {find.key: number}, ("find", "smallest" if find.smallest else "largest"))

    def _applied(self, data: dict[str, Any], keys: Mapping[str, str], where: Path | None) -> dict[Path, Path]:
        placed: dict[Path, Path] = {}
        for key, text in keys.items():
            try:
                set_paths = apply_overrides(data, {key: text})
            except ScenarioError as error:
                if where is None:
                    raise
                raise self.wrong((*where, key), without(f"--set {key}", sentence_of(error))) from None
            placed |= dict.fromkeys(set_paths, ("--set", key) if where is None else (*where, key))
        return placed

    def _own_problems(self, own: bool, folder: FilePath) -> list[Problem]:
        """What is wrong with the scenario as it stands, before any change."""
        data = deepcopy(self.experiment.scenario if own else self.base.value)
        if not isinstance(data, dict):
            return []
        data.setdefault("name", self.experiment.name)
        return scenario_of(data, folder)[1]

    def _sentence(self, problem: Problem, placed: Mapping[Path, Path], *, is_own: bool) -> str:
        """A problem of a scenario as a sentence: at the key that brought it about, or in the scenario's file.

        `is_own`: the scenario has it without any change.
        """
        plain = problem.path[:1] + problem.path[2:] if problem.path[:2] == ("producers", 0) else problem.path
        for path in (problem.path, plain):
            made = [placed[path[:length]] for length in range(len(path), 0, -1) if path[:length] in placed]
            if problem.is_unknown_key:  # of a key that was made on the way to the one that was set
                made += [where for below, where in placed.items() if below[: len(path)] == path]
            if made:
                where, inner = made[0], path_text(path)
                return self._at(where, problem.text if str(where[-1]) == inner else at(inner, problem.text))
        changed = list(dict.fromkeys(placed.values()))
        if changed and not is_own:  # a change that does not fit what the scenario says elsewhere
            return self._at(changed[-1], at(path_text(plain), problem.text))
        if isinstance(self.experiment.scenario, dict):
            own = Problem(("scenario", *plain), problem.text, problem.line)
            return Sentences(self.document, {}).error_of([own]).sentences[0]
        return Sentences(self.base, {}).error_of([problem]).sentences[0]

    def _at(self, where: Path, text: str) -> str:
        """What is wrong with a key of the file, or of the command line."""
        return at(f"--set {where[1]}", text) if where[0] == "--set" else self.wrong(where, text).sentence

    def wrong(self, path: Path, text: str) -> ScenarioError:
        """The error about a key of the experiment."""
        return Sentences(self.document, {}).error_of([Problem(path, text)])

    def check_measures(self) -> None:
        """Raise ScenarioError for an objective or a precision that some arm, or a search, cannot be measured by."""
        experiment, find = self.experiment, self.experiment.find
        arms = list(self.arms.values())
        for i, one in enumerate(experiment.objectives):
            self._check_measure(one.measure, ("objectives", i), arms)
        for name in experiment.precision.widths if experiment.precision else ():
            self._check_measure(name, ("precision", name), arms)
        if find is not None:
            ends = [self.searched(value) for value in (find.values()[0], find.values()[-1])]
            for i, one in enumerate(find.such_that):
                self._check_measure(one.measure, ("find", "such_that", i), ends)

    def _check_measure(self, name: str, path: Path, scenarios: list[Scenario]) -> None:
        for scenario in scenarios:
            text = unmeasured(name, known_measures(scenario))
            if text is not None:
                raise self.wrong(path, text)
        reasons = [why_not_measured(name, scenario, self.experiment.warm_up_us) for scenario in scenarios]
        if all(reasons):
            raise self.wrong(path, ExperimentFileTexts.NOT_MEASURABLE(name=name, why=reasons[0]))


def load_experiment(
    path: str | FilePath, given: Mapping[str, str] = NONE, seeds: int | None = None
) -> LoadedExperiment:
    """Read an experiment from a YAML file; `given` are changes for all arms, `seeds` replaces the file's.

    Raises ScenarioError, whose text is one sentence for the user.
    """
    file = FilePath(path)
    return parse_experiment(read_text(file), str(path), file.parent, given, seeds)


def parse_experiment(
    text: str, source: str = "<text>", folder: str | FilePath = ".", given: Mapping[str, str] = NONE,
    seeds: int | None = None,
) -> LoadedExperiment:  # fmt: skip
    """Read an experiment from a YAML text; `folder` is where its scenario is looked for. Raises ScenarioError."""
    document = Document(text, source, "experiment", "name, scenario, arms")
    problems = list(document.problems)
    data = deepcopy(document.value)
    if seeds is not None:
        data.pop("precision", None)
        data["seeds"] = seeds
    try:
        experiment = Experiment.model_validate(data)
    except ValidationError as error:
        problems += problems_of(error, Experiment)
    if problems:
        raise Sentences(document, {}).error_of(problems)
    base = document
    if isinstance(experiment.scenario, str):
        file = FilePath(folder) / experiment.scenario
        try:
            base = Document(read_text(file), str(file))
        except ScenarioError as error:
            if file.exists():
                raise
            raise Sentences(document, {}).error_of([Problem(("scenario",), sentence_of(error))]) from None
        if base.problems:
            raise Sentences(base, {}).error_of(base.problems)
    arms = experiment.arm_changes()
    for key in given:
        if all(key in changes for changes in arms.values()):
            raise ScenarioError([ExperimentFileTexts.SET_BY_EVERY_ARM().at(f"--set {key}")])
    loaded = LoadedExperiment(experiment, text, document, FilePath(folder), base, given)
    where = "grid" if experiment.grid is not None else "arms"
    for name, changes in arms.items():
        path = (where, name) if where == "arms" else (where,)
        loaded.arms[name] = loaded.scenario_with(changes, path)
    if len({scenario.seed for scenario in loaded.arms.values()}) > 1:
        own = [name for name, changes in arms.items() if "seed" in changes]
        path = (where, own[-1]) if where == "arms" else (where,)
        raise loaded.wrong((*path, "seed"), ExperimentFileTexts.SEED_OF_AN_ARM())
    loaded.check_measures()
    return loaded
