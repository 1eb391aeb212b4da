"""Sendlab from Python: commands of `sendlab` as functions that return an object.

    import sendlab
    result = sendlab.simulate("quickstart", set={"client.release": "5.3.3"})
    result.frame("attempts").groupby("broker").size()

Errors are `ScenarioError`, `InputError` and `EnvironmentProblem`, one sentence each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sendlab import verify
    from sendlab.comparing import advise, experiment, sweep, whatif
    from sendlab.hunting import hunt
    from sendlab.recorded_logs import calibrate, fork, import_log, replay
    from sendlab.runs import diff, explain, init, load_scenario, report, run, simulate
    from simulator.run.simulate import Result
    from simulator.scenario import Scenario, ScenarioError
    from streaming.errors import EnvironmentProblem, InputError

__all__ = [
    "EnvironmentProblem",
    "InputError",
    "Result",
    "Scenario",
    "ScenarioError",
    "advise",
    "calibrate",
    "diff",
    "experiment",
    "explain",
    "fork",
    "hunt",
    "import_log",
    "init",
    "load_scenario",
    "replay",
    "report",
    "run",
    "simulate",
    "sweep",
    "verify",
    "whatif",
]

_PLACES = {
    "sendlab.comparing": ("advise", "experiment", "sweep", "whatif"),
    "sendlab.hunting": ("hunt",),
    "sendlab.recorded_logs": ("calibrate", "fork", "import_log", "replay"),
    "sendlab.runs": ("diff", "explain", "init", "load_scenario", "report", "run", "simulate"),
    "simulator.run.simulate": ("Result",),
    "simulator.scenario": ("Scenario", "ScenarioError"),
    "streaming.errors": ("EnvironmentProblem", "InputError"),
}
_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names}


def __getattr__(name: str) -> Any:
    # Loaded when asked for: `import sendlab` takes milliseconds, a report or Spark only what uses it.
    if name == "__version__":
        from streaming.installation.own_version import sendlab_version

        return sendlab_version()
    from importlib import import_module

    if name == "verify":
        return import_module("sendlab.verify")
    if name in _PLACE_OF:
        from streaming.installation.extras import naming_extras

        found = getattr(import_module(_PLACE_OF[name]), name)
        return naming_extras(found) if _PLACE_OF[name].startswith("sendlab.") else found
    raise AttributeError(f"module 'sendlab' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
