"""The job: sources, operator, sinks, replay, report and the command line. `run` and `whatif` start it from Python."""

from typing import Any

__all__ = ["run", "whatif"]


def __getattr__(name: str) -> Any:
    # Loaded when asked for: the set-up asks `streaming.spark.java` before anything else is installed.
    if name == "run":
        from streaming.api import run

        return run
    if name == "whatif":
        from streaming.experiments.run_experiment import whatif

        return whatif
    raise AttributeError(f"module 'streaming' has no attribute {name!r}")
