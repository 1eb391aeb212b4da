"""Policy files that a scenario or an experiment names are tried before anything runs with them, each text once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from simulator.compiled.cache import cache_folder
from simulator.scenario import ScenarioError
from simulator.scenario.loading.scenario_file import own_texts
from simulator.scenario.policy.own_policy import NAMES, is_own
from streaming.errors import InputError
from streaming.own_policies.policy_trial import tried

FINE = "fine"  # folder of the digests of those that were tried


def settle(path: Path, changes: Sequence[str] = ()) -> None:
    """Try every policy file that a YAML file names, that the scenario which it names does, or KEY=VALUE changes do.

    Raises InputError with what is wrong with one, such as a rule that loops forever. What is wrong with the YAML
    itself is left to those who read it.
    """
    for file in dict.fromkeys([*_named_in(path), *_named_by(changes, path)]):
        if file.is_file():
            _settle_one(file)


def _settle_one(file: Path) -> None:
    try:
        texts = own_texts(file)
    except ScenarioError:
        return
    digest = hashlib.blake2b(repr(sorted(texts.items())).encode(), digest_size=12).hexdigest()
    mark = cache_folder("own-policies") / FINE / digest
    if mark.exists():
        return
    problem = tried(file).problem
    if problem is not None:
        raise InputError(problem)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()


def _read(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8")
        return yaml.safe_load(text) if ".py" in text or "scenario" in text else None
    except (OSError, ValueError, yaml.YAMLError):
        return None


def _scenario_of(path: Path, data: Any) -> Path | None:
    """The scenario's file that an experiment names."""
    named = data.get("scenario") if isinstance(data, dict) else None
    return path.parent / named if isinstance(named, str) else None


def _named_in(path: Path) -> Iterator[Path]:
    data = _read(path)
    scenario = _scenario_of(path, data)
    yield from ((scenario or path).parent / name for name in _own_names(data))
    if scenario is not None:
        yield from _named_in(scenario)


def _named_by(changes: Sequence[str], path: Path) -> Iterator[Path]:
    folder = (_scenario_of(path, _read(path)) or path).parent
    for key, _, text in (change.partition("=") for change in changes):
        try:
            names = list(_own_names({key.strip(): yaml.safe_load(text)}))
        except yaml.YAMLError:
            continue
        yield from (folder / name for name in names)


def _own_names(data: Any) -> Iterator[str]:
    if isinstance(data, list):
        for one in data:
            yield from _own_names(one)
    if not isinstance(data, dict):
        return
    for key, value in data.items():
        if str(key).rpartition(".")[2] in NAMES:
            listed = value if isinstance(value, list) else [value]
            names = [next(iter(one), "") if isinstance(one, dict) else one for one in listed]
            yield from (name for name in names if isinstance(name, str) and is_own(name))
        else:
            yield from _own_names(value)
