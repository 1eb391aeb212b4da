"""Small experiments that run in a moment, and studies whose runs are made up."""

from __future__ import annotations

from typing import Any

import yaml

from simulator.experiments.experiment_file import LoadedExperiment, parse_experiment
from simulator.experiments.study import Study

SCENARIO: dict[str, Any] = {
    "name": "small",
    "duration": "5s",
    "client": {"release": "4.9.8"},
    "producers": {"count": 4, "rate": "20/s"},
    "topics": {"orders": {"queues": 2}},
    "brokers": {"broker-a": {"latency": {"exponential": {"mean": "5ms"}}}, "broker-b": {"like": "broker-a"}},
}
ARMS = {"old": {}, "new": {"client.release": "5.3.3"}}


def loaded(**keys: Any) -> LoadedExperiment:
    """An experiment with those keys; without arms, a grid or a search, with the arms old and new."""
    given = {"name": "small", "scenario": SCENARIO, **keys}
    if not {"arms", "grid", "find"} & keys.keys():
        given["arms"] = ARMS
    return parse_experiment(yaml.safe_dump(given, sort_keys=False), "experiment.yaml")


def study_of(values: dict[str, list[dict[str, float]]], **keys: Any) -> Study:
    """A study whose arms measured that, a mapping a seed from 1 on."""
    study = Study(loaded(arms={arm: {} for arm in values}, **keys))
    for arm, runs in values.items():
        for seed, measured in enumerate(runs, 1):
            study.take(arm, seed, measured)
    return study
