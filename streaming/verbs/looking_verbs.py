"""The commands for a run which is there, finished or not: looking into it, keeping it small, changing it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streaming.errors import InputError
from streaming.terminal.output_console import OutputConsole as Console
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts
from streaming.verbs.examples import examples

MetricsPort = Annotated[
    int | None, typer.Option(min=0, max=65535, help="port for Prometheus metrics on loopback; 0: any free port")
]
Forever = Annotated[bool, typer.Option("--forever", help="run until stopped; see --pace")]
Restarts = Annotated[
    int | None,
    typer.Option(min=0, help="maximum consecutive restarts after a failure; default 10 with --forever, else 0"),
]
Keep = Annotated[str | None, typer.Option(help="with --forever: virtual time to keep in the tables, such as 7d")]


def explain(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="output folder of a run, finished or not")],
    producer: Annotated[int | None, typer.Option(help="number of the producer, from 0")] = None,
    topic: Annotated[str | None, typer.Option(help="topic of the message")] = None,
    seq: Annotated[int | None, typer.Option(help="number of the message on its producer, thread and topic")] = None,
    thread: Annotated[int | None, typer.Option(help="sender thread, if several have such a message")] = None,
    attempt: Annotated[int, typer.Option(min=1, help="number of the attempt")] = 1,
    at: Annotated[
        str | None, typer.Option(help="explain the first attempt at or after this virtual time: 1:05, 63.1s")
    ] = None,
    broker: Annotated[str | None, typer.Option(help="with --at: only attempts to this broker")] = None,
    group: Annotated[
        str | None, typer.Option(help="explain when this consumer group consumes --offset of --queue on --broker")
    ] = None,
    queue: Annotated[int | None, typer.Option(help="with --group: queue of the topic on the broker")] = None,
    offset: Annotated[int | None, typer.Option(help="with --group: offset of the message in its queue")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of words")] = False,
) -> None:
    """Explain why a message went to its queue, or why a consumer group consumed it twice or not yet."""
    from streaming.terminal.working import working

    console = Console()
    with working(console, CommandResultTexts.OPENING_RUN()):  # the imports alone can take seconds
        from streaming.commands.jobs.explain_command import explain_command
        from streaming.explain.find_attempt import Asked, moment_asked

    if group is not None or queue is not None or offset is not None:
        from streaming.commands.jobs.explain_consumption import explain_consumption_command
        from streaming.explain.queue_history import AskedOffset

        if group is None:
            raise InputError(CommandTexts.GROUP_MISSING())
        of_attempts = {"--producer": producer, "--thread": thread, "--seq": seq, "--at": at}
        if given := [option for option, value in of_attempts.items() if value is not None]:
            raise InputError(CommandTexts.GROUP_TAKES_NO(options=" or ".join(given)))
        place = AskedOffset(group, broker, queue, offset, topic)
        raise typer.Exit(explain_consumption_command(folder, place, as_json=as_json, console=console))
    at_us = None if at is None else moment_asked(at)
    asked = Asked(producer, thread, topic, seq, attempt, at_us, broker)
    raise typer.Exit(explain_command(folder, asked, as_json=as_json, console=console))


def diff(
    one: Annotated[Path, typer.Argument(metavar="DIR_A", help="output folder of a run")],
    other: Annotated[Path, typer.Argument(metavar="DIR_B", help="output folder of another run")],
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of text")] = False,
) -> None:
    """Show the first decision in which two runs differ, the reason, and the totals that differ; exit 1 if they do."""
    from streaming.terminal.working import working

    console = Console()
    with working(console, CommandResultTexts.OPENING_RUNS()):  # the imports alone can take seconds
        from streaming.commands.jobs.diff_command import diff_command

    raise typer.Exit(diff_command(one, other, as_json=as_json, console=console))


def serve(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR", help="output folders of runs, or folders above")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="port to listen on; 0: any free port")] = 8600,
    bind: Annotated[str, typer.Option(metavar="ADDRESS", help="address to listen on")] = "127.0.0.1",
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="host name that browsers may use; repeatable")
    ] = None,
) -> None:
    """Serve a read-only page of running and finished jobs with live pictures."""
    from streaming.commands.jobs.serve_command import serve_command

    raise typer.Exit(serve_command(folders, port, bind, allow_host or (), Console()))


def compact(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="output folder of a job that is not running")],
    keep: Annotated[str | None, typer.Option(help="virtual time to keep, such as 7d; older files are deleted")] = None,
) -> None:
    """Merge a run's table files into few large ones; readers always see each row once."""
    from streaming.commands.jobs.compact_command import compact_command

    raise typer.Exit(compact_command(folder, keep, Console()))


def reload(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="output folder of a started job")],
    scenario: Annotated[Path, typer.Argument(metavar="FILE", help="the new scenario")],
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="change one key; repeatable")
    ] = None,
    from_now: Annotated[
        bool, typer.Option("--from-now", help="times of new faults count from the reload, not from the start")
    ] = False,
) -> None:
    """Reload the rates and future faults of a job between two micro-batches."""
    from streaming.commands.jobs.reload_command import reload_command

    raise typer.Exit(reload_command(folder, scenario, set_ or (), from_now=from_now, console=Console()))


def add_looking(app: typer.Typer) -> None:
    """Give the command line those commands."""
    app.command(
        epilog=examples(
            "sendlab explain out/quickstart --producer 17 --thread 0 --topic orders --seq 30",
            "sendlab explain out/quickstart --at 1:05 --broker broker-b",
            "sendlab explain out/quickstart --producer 3 --thread 0 --topic orders --seq 80 --json",
            "sendlab explain out/quickstart --group billing --broker broker-c --queue 0 --offset 9000",
        )
    )(explain)
    app.command(epilog=examples("sendlab diff out/quickstart out/client-5.3.3", "sendlab diff out/a out/b --json"))(
        diff
    )
    app.command(
        epilog=examples(
            "sendlab serve out",
            "sendlab serve out/live out/quickstart --port 8601",
            "sendlab serve out --bind 0.0.0.0 --allow-host simulations.example",
        )
    )(serve)
    app.command(epilog=examples("sendlab compact out/live", "sendlab compact out/live --keep 7d"))(compact)
    app.command(
        epilog=examples(
            "sendlab reload out/twin scenario.yaml",
            "sendlab reload out/twin scenario.yaml --set producers.rate=40/s",
            "sendlab reload out/twin with-a-hang.yaml --from-now",
        )
    )(reload)
