"""Policy files that a scenario or an experiment names are tried before anything runs with them, each text once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from simulator.compiled.cache import cache_folder
from simulator.scenario import ScenarioError
from simulator.scenario.policy.own_policy import NAMES, is_own
from simulator.scenario.reading.scenario_file import own_texts
from streaming.errors import InputError
from streaming.own_policies.policy_trial import tried

FINE = "fine"  # folder of the digests of those that were tried


def settle(path: Path) -> None:
    """Try every policy file that a YAML file names, and that the scenario which it names does.

    Raises InputError with what is wrong with one, such as a rule that loops for ever. What is wrong with the YAML
    itself is left to those who read it.
    """
    for file in dict.fromkeys(_named_in(path)):
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


def _named_in(path: Path) -> Iterator[Path]:
    try:
        text = path.read_text(encoding="utf-8")
        data = yaml.safe_load(text) if ".py" in text or "scenario" in text else None
    except (OSError, ValueError, yaml.YAMLError):
        return
    scenario = data.get("scenario") if isinstance(data, dict) else None
    folder = path.parent / Path(scenario).parent if isinstance(scenario, str) else path.parent
    yield from (folder / name for name in _own_names(data))
    if isinstance(scenario, str):
        yield from _named_in(path.parent / scenario)


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
