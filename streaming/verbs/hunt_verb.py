"""The command line's words about a hunt."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streaming.terminal.output_console import OutputConsole as Console
from streaming.verbs.examples import examples
from streaming.verbs.experiments_verbs import Junit


def hunt(
    scenario: Annotated[Path, typer.Argument(help="the scenario, or a hunt file that says what may happen in it")],
    objective: Annotated[
        list[str] | None,
        typer.Option(help="what no schedule may miss: 'lost == 0'; repeatable; default nothing lost or skipped"),
    ] = None,
    duration: Annotated[str | None, typer.Option("--for", help="wall time to hunt, such as 5m; default 1m")] = None,
    schedules: Annotated[int | None, typer.Option(min=1, help="schedules to try at most; same seed, same hunt")] = None,
    at_most: Annotated[int | None, typer.Option(min=1, max=8, help="faults of a schedule; default 2")] = None,
    seed: Annotated[int, typer.Option(min=0, help="seed of the schedules")] = 1,
    strategy: Annotated[str, typer.Option(help="guided | random")] = "guided",
    rates: Annotated[Path | None, typer.Option(help="table of what breaks how often, default the bundled one")] = None,
    corpus: Annotated[
        Path | None, typer.Option(help="folder of found schedules: tried first, and new ones are added")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="folder; run again to resume, default out/hunt-NAME")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="change one key of the scenario; repeatable")
    ] = None,
    cores: Annotated[int | None, typer.Option(min=1, help="processes of the plain engine, default all cores")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="delete what is in OUT and start over")] = False,
    junit: Junit = None,
    engine: Annotated[
        str | None, typer.Option(help="plain (the cores of this machine) | spark; default plain without --master")
    ] = None,
    master: Annotated[str | None, typer.Option(help="Spark master, for a hunt over a cluster")] = None,
) -> None:
    """Search for the schedule of faults under which a scenario misses its objectives; exit 1 if one is found.

    Each case is reduced to the faults it needs and written as a scenario of its own, with a sentence about it.
    """
    from streaming.commands.scenarios_command import file_or_example
    from streaming.hunt.hunt_command import HuntOptions, hunt_command

    options = HuntOptions(
        file_or_example(scenario), tuple(objective or ()), schedules, duration, at_most, seed, strategy, rates, corpus,
        out, tuple(set_ or ()), cores, fresh, junit, engine, master,
    )  # fmt: skip
    raise typer.Exit(hunt_command(options, Console()))


EXAMPLES = examples(
    "sendlab hunt conf/scenarios/consumers.yaml --for 5m --objective 'lost == 0' --objective 'skipped[billing] == 0'",
    "sendlab hunt my-cluster.yaml --schedules 2000 --at-most 3 --set faults=[]",
    "sendlab hunt my-hunt.yaml --for 10m --corpus hunted --junit junit.xml",
)
