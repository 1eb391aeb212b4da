"""A run of `sendlab run ... --engine plain` that prints the seconds of its parts as JSON in its last line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from importlib import import_module
from os import devnull
from time import perf_counter
from typing import Any

LOADED = (
    "streaming.cli", "streaming.commands.run_command", "streaming.jobs.plain.plain_run",
    "streaming.report.causes.proving", "streaming.report.collected.data", "streaming.report.causes.cause_text",
)  # fmt: skip
# Where a part is called from, its name there, and what it is.
PARTS = (
    ("streaming.commands.run_command", "scenario_job", "compiled rules and the plan"),
    ("streaming.jobs.plain.plain_run", "run_plain", "the run and its tables"),
    ("streaming.report.causes.proving", "prove_output", "the proof of causes"),
    ("streaming.report.collected.data", "collect", "tables read for findings"),
)
MODULES = "modules"


def timed(seconds: dict[str, float], part: str, work: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, which keeps how long it took."""

    def measured(*arguments: Any, **named: Any) -> Any:
        began = perf_counter()
        try:
            return work(*arguments, **named)
        finally:
            seconds[part] = seconds.get(part, 0.0) + perf_counter() - began

    return measured


def main() -> None:
    """Run the command of the arguments."""
    began, seconds = perf_counter(), dict[str, float]()
    import_module("streaming.files.arrow_alone").load_arrow_alone()  # as the command does
    places = {name: import_module(name) for name in LOADED}
    seconds[MODULES] = perf_counter() - began
    for place, name, part in PARTS:
        setattr(places[place], name, timed(seconds, part, getattr(places[place], name)))
    from streaming.entry import main as command

    with open(devnull, "w") as nowhere, redirect_stdout(nowhere), suppress(SystemExit):
        command()
    print(json.dumps(seconds))


if __name__ == "__main__":
    sys.exit(main())
