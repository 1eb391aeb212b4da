"""A model of a RocketMQ cluster, its producers and its consumers: no Spark, no wall clock, files only as it loads."""

from typing import Any

__all__ = ["Result", "Scenario", "ScenarioError", "experiment", "load_scenario", "simulate"]

_PLACES = {
    "Result": "simulator.run.simulate",
    "Scenario": "simulator.scenario",
    "ScenarioError": "simulator.scenario",
    "experiment": "simulator.experiments.experiment_runner",
    "load_scenario": "simulator.scenario",
    "simulate": "simulator.run.simulate",
}


def __getattr__(name: str) -> Any:
    # Loaded when asked for: reading a scenario needs no compiler, and a room may be imported without the others.
    if name in _PLACES:
        from importlib import import_module

        return getattr(import_module(_PLACES[name]), name)
    raise AttributeError(f"module 'simulator' has no attribute {name!r}")
