"""What a picture depends on: the text of its scenarios and the rules of the releases that they name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

from simulator.experiments.experiment_file import load_experiment
from simulator.releases.producer_release import CLIENTS
from simulator.scenario import load_scenario

CONF = Path(__file__).resolve().parents[2] / "conf"
SCENARIOS, TRACES, EXPERIMENT_FILES = CONF / "scenarios", CONF / "traces", CONF / "experiments"


def digest_of(names: Iterable[str]) -> str:
    """Twelve hexadecimal digits; others if a scenario or a rule of its release is another."""
    digest = hashlib.blake2b(digest_size=6)
    for name in names:
        file = SCENARIOS / f"{name}.yaml"
        digest.update(file.read_bytes())
        digest.update(rules_of(load_scenario(file).client.release).encode())
    return digest.hexdigest()


def digest_of_night(recording: str, *arms: str) -> str:
    """The same of a recording: its bytes, and the rules of the releases that it and its arms name."""
    about = json.loads((TRACES / f"{recording}.json").read_text())
    digest = hashlib.blake2b((TRACES / f"{recording}.parquet").read_bytes(), digest_size=6)
    for release in (about["release"], *(arm.partition("=")[2] for arm in arms)):
        digest.update(rules_of(release).encode())
    return digest.hexdigest()


def digest_of_experiment(name: str) -> str:
    """The same of an experiment: its text, and its arms' scenarios with the rules of their releases."""
    loaded = load_experiment(EXPERIMENT_FILES / f"{name}.yaml")
    digest = hashlib.blake2b(loaded.text.encode(), digest_size=6)
    for scenario in loaded.arms.values():
        digest.update(scenario.to_yaml().encode())
        digest.update(rules_of(scenario.client.release).encode())
    return digest.hexdigest()


def rules_of(release: str) -> str:
    """Names of a release's functions and its constants, a line each."""
    client = CLIENTS[release]
    return "\n".join(f"{each.name} = {_value(getattr(client, each.name))}" for each in fields(client))


def _value(value: object) -> str:
    if isinstance(value, frozenset):
        return repr(sorted(value))
    return getattr(value, "__name__", None) or repr(value)
