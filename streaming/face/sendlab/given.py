"""What a caller may give: scenarios and experiments in four forms, changes with plain Python values."""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from simulator.experiments.experiment_file import LoadedExperiment, load_experiment, parse_experiment
from simulator.scenario import Scenario, changed, parse_scenario
from simulator.scenario.reading.scenario_error import not_known
from simulator.units import DURATION_UNITS_US
from streaming.commands.scenarios_command import examples_in
from streaming.errors import InputError
from streaming.installation.conf_files import conf_folder
from streaming.texts.command_texts import CommandTexts

Given = Scenario | str | Path | Mapping[str, Any]
Changes = Mapping[str, Any]
NO_CHANGES: Changes = types.MappingProxyType({})
FILES = (".yaml", ".yml", ".parquet", ".gz")
EXPERIMENTS, TRACES = "experiments/", "traces/"


def plain(value: Any) -> Any:
    """A value as YAML has it: timedelta(seconds=3) and {"s": 3} become 3000000us and 3s, paths become texts.

    Numbers and arrays of numpy become plain ones.
    """
    if isinstance(value, np.generic | np.ndarray):
        return plain(value.tolist())
    if isinstance(value, timedelta):
        return f"{value // timedelta(microseconds=1)}us"
    if isinstance(value, Mapping):
        if len(value) == 1 and set(value) <= set(DURATION_UNITS_US):
            ((unit, number),) = value.items()
            if isinstance(number, int | float) and not isinstance(number, bool):
                return f"{number}{unit}"
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return str(value) if isinstance(value, Path) else value


def changes_of(changes: Changes | None) -> dict[str, Any]:
    """Dotted keys and values as `--set` has them. Raises InputError for what is no mapping."""
    if changes is None:
        return {}
    if not isinstance(changes, Mapping):
        raise InputError(CommandTexts.DICT_EXPECTED(got=changes).at("set"))
    return {key: plain(value) for key, value in changes.items()}


def texts_of(changes: Changes | None) -> dict[str, str]:
    """The same with every value as YAML's text."""
    return {k: v if isinstance(v, str) else json.dumps(v) for k, v in changes_of(changes).items()}


def options_of(changes: Changes | None) -> list[str]:
    """The same as KEY=VALUE."""
    return [f"{key}={value}" for key, value in texts_of(changes).items()]


def bundled(name: str, room: str = "") -> Path | None:
    """The file of an example that comes with Sendlab, None if there is none of that name."""
    known = examples_in(conf_folder())
    found = known.get(name) or known.get(room + name)
    return None if found is None else found.file


def _is_text(given: str) -> bool:
    return "\n" in given or ": " in given


def path_given(given: str | Path, room: str = "") -> Path:
    """The file of a path, or of an example's name. Raises InputError."""
    if not isinstance(given, str | Path):
        what = "an experiment" if room == EXPERIMENTS else "a trace" if room == TRACES else "a scenario"
        raise InputError(CommandTexts.GIVEN_EXPECTED(what=what, got=given))
    path = Path(given)
    if path.exists() or isinstance(given, Path) or path.suffix in FILES:
        return path
    found = bundled(given, room)
    if found is None:
        names = [name.removeprefix(room) for name in examples_in(conf_folder()) if name.startswith(room)]
        raise InputError(CommandTexts.NO_FILE_NOR_EXAMPLE(why=not_known("example", given, names)).at(given))
    return found


def output_given(folder: str | Path) -> Path:
    """The output folder of a run. Raises InputError for what is no path."""
    if not isinstance(folder, str | Path):
        raise InputError(CommandTexts.OUT_FOLDER_EXPECTED(got=folder))
    return Path(folder)


def scenario_given(given: Given, changes: Changes = NO_CHANGES) -> Scenario:
    """A scenario from a Scenario, a path, an example's name, YAML text or a dict, with changes.

    Raises ScenarioError and InputError.
    """
    overrides = changes_of(changes)
    if isinstance(given, Mapping):
        document = {"name": "scenario", **plain(given)}
        return parse_scenario(yaml.safe_dump(document, sort_keys=False), source="the dict", overrides=overrides)
    if isinstance(given, str) and _is_text(given):
        return parse_scenario(given, source="the text", overrides=overrides)
    return changed(given if isinstance(given, Scenario) else path_given(given), overrides)


def experiment_given(
    given: LoadedExperiment | str | Path | Mapping[str, Any], changes: Changes = NO_CHANGES, seeds: int | None = None
) -> LoadedExperiment:
    """An experiment from a path, an example's name, YAML text or a dict; files are named as seen from here.

    Raises ScenarioError and InputError.
    """
    if isinstance(given, LoadedExperiment):
        return given
    texts = texts_of(changes)
    if isinstance(given, Mapping):
        document = {"name": "experiment", **plain(given)}
        return parse_experiment(yaml.safe_dump(document, sort_keys=False), "the dict", ".", texts, seeds)
    if isinstance(given, str) and _is_text(given):
        return parse_experiment(given, "the text", ".", texts, seeds)
    return load_experiment(path_given(given, EXPERIMENTS), texts, seeds)
