"""The job: sources, operator, sinks, replay, report and the command line. `run` and `whatif` start it from Python."""

from typing import Any

__all__ = ["run", "whatif"]


def __getattr__(name: str) -> Any:
    # Loaded when asked for: the set-up asks `streaming.spark.java` before anything else is installed.
    if name not in __all__:
        raise AttributeError(f"module 'streaming' has no attribute {name!r}")
    from streaming.installation.extras import lacking, naming_extras

    try:
        if name == "run":
            from streaming.jobs.background_job import run

            return naming_extras(run)
        from streaming.experiments.run_experiment import whatif

        return naming_extras(whatif)
    except ModuleNotFoundError as error:
        raise lacking(error) or error from None
