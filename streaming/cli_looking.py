"""The commands that look into a run which is there, finished or not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def examples(*lines: str) -> str:
    """What stands below the help of a command."""
    return "Examples:\n\n" + "\n\n".join(f"    {line}" for line in lines)


def explain(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="output folder of a run, finished or not")],
    producer: Annotated[int | None, typer.Option(help="number of the producer, from 0")] = None,
    topic: Annotated[str | None, typer.Option(help="topic of the message")] = None,
    seq: Annotated[int | None, typer.Option(help="number of the message on its producer, thread and topic")] = None,
    thread: Annotated[int | None, typer.Option(help="sender thread, where several have such a message")] = None,
    attempt: Annotated[int, typer.Option(min=1, help="which attempt of the message")] = 1,
    at: Annotated[str | None, typer.Option(help="the first attempt from that virtual time on: 1:05, 63.1s")] = None,
    broker: Annotated[str | None, typer.Option(help="with --at: the first that went to that broker")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of words")] = False,
) -> None:
    """Tell why a message went to that queue: what was looked at, what was known, and what other releases would do."""
    from streaming.commands.explain_command import explain_command
    from streaming.explain.find_attempt import Asked, moment_asked

    at_us = None if at is None else moment_asked(at)
    asked = Asked(producer, thread, topic, seq, attempt, at_us, broker)
    raise typer.Exit(explain_command(folder, asked, as_json=as_json, console=Console()))


def add_looking(app: typer.Typer) -> None:
    """Give the command line those commands."""
    app.command(
        epilog=examples(
            "sendlab explain out/quickstart --producer 17 --topic orders --seq 30",
            "sendlab explain out/quickstart --at 1:05 --broker broker-b",
            "sendlab explain out/quickstart --producer 3 --topic orders --seq 80 --attempt 2 --json",
        )
    )(explain)
