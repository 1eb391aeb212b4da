"""The command line's words about whether the model is right: verify and what stands below it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streaming.errors import InputError
from streaming.terminal.output_console import OutputConsole as Console
from streaming.texts.command_texts import CommandTexts
from streaming.verbs.examples import examples

verify = typer.Typer(
    name="verify", no_args_is_help=True, help="Compare the model with real clients, recordings and published figures."
)


@verify.command(
    epilog=examples(
        "sendlab verify golden tests/golden", "sendlab verify golden tests/golden/send-4.9.8.jsonl.gz --json"
    )
)
def golden(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="recorded cases, files or folders")],
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of tables")] = False,
) -> None:
    """Compare the model with recorded real clients, decision by decision; exit 1 on any difference."""
    from streaming.proof.commands.golden_command import golden_command

    raise typer.Exit(golden_command(paths, as_json))


@verify.command(
    epilog=examples(
        "sendlab verify recordings conf/traces/live-5.3.3-s5",
        "sendlab verify recordings conf/traces/live-4.9.8-s6 --out out/s6 --json",
    )
)
def recordings(
    recording: Annotated[Path, typer.Argument(help="a recording: .csv.gz or .parquet, with or without extension")],
    out: Annotated[
        Path | None, typer.Option(help="folder for the decisions; run the same command again to resume")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="delete earlier output in OUT and start over")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of tables")] = False,
) -> None:
    """Replay a recording and compare every decision with the recorded one; exit 1 on any difference."""
    from streaming.proof.commands.recordings_command import recordings_command
    from streaming.proof.consumers.consumer_recording import is_consumer_recording
    from streaming.texts.command_texts import CommandTexts

    if is_consumer_recording(recording):
        raise InputError(CommandTexts.NO_DECISIONS(recording=recording))
    code = recordings_command(recording, out=out, fresh=fresh, as_json=as_json, console=Console())
    raise typer.Exit(code)


@verify.command(
    epilog=examples(
        "sendlab verify predictions conf/traces/live-4.9.8-s3 conf/scenarios/live/cluster.yaml",
        "sendlab verify predictions conf/traces/consumers/brokerkill-r1 conf/scenarios/live/consumers.yaml",
        "sendlab verify predictions conf/traces/consumers/backlog-kill533-r2",
        "sendlab verify predictions conf/traces/grpc/grpc-hang-r1 conf/scenarios/live/grpc.yaml",
    )
)
def predictions(
    recording: Annotated[Path, typer.Argument(help="a recording of producers or of consumers")],
    scenario: Annotated[
        Path | None,
        typer.Argument(metavar="SCENARIO", help="the set-up to simulate; without it consumers are only measured"),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(min=1, max=1000, help="runs of the scenario, one a seed; default 20, 199 if chance decides"),
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="change one key of SCENARIO; repeatable")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of tables")] = False,
) -> None:
    """Simulate the set-up of a recording and compare the outcome with what was recorded; exit 1 on a miss.

    The scenario gets the recording's client, rate and faults. A figure is missed if it differs by more than its
    tolerance, or lies outside the runs where chance decides.

    For a recording of consumers, compares for each group: backlog, waits, duplicates, takeovers, idle times.
    """
    from streaming.proof.consumers.consumer_recording import is_consumer_recording

    console, is_of_consumers = Console(), is_consumer_recording(recording)
    if scenario is None:
        if not is_of_consumers:
            raise InputError(CommandTexts.SCENARIO_MISSING(near="conf/scenarios/live/cluster.yaml"))
        if set_ or runs is not None:
            raise InputError(CommandTexts.SCENARIO_OPTIONS())
        from streaming.proof.commands.consumers_command import consumers_command

        raise typer.Exit(consumers_command(recording, as_json=as_json, console=console))
    if is_of_consumers:
        from streaming.proof.commands.consumers_command import predict_consumers_command as command
    else:
        from streaming.proof.commands.predictions_command import predict_command as command
    code = command(recording, scenario, changes=set_ or (), runs=runs, as_json=as_json, console=console)
    raise typer.Exit(code)


@verify.command(
    epilog=examples(
        "sendlab verify pairs",
        "sendlab verify pairs /mnt/recordings --runs 5",
        "sendlab verify pairs --out docs/counterfactuals.md",
    )
)
def pairs(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="folder of recordings, default conf/traces")
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(min=1, max=1000, help="runs of each prediction, one a seed; default 20, 199 if chance decides"),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Markdown file whose tables to update")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of tables")] = False,
) -> None:
    """Cross-predict recordings across client releases, each from a single other one; report misses."""
    from streaming.proof.commands.pairs_command import pairs_command

    raise typer.Exit(pairs_command(folder, runs=runs, out=out, as_json=as_json, console=Console()))


@verify.command(
    epilog=examples(
        "sendlab verify incidents",
        "sendlab verify incidents busiest-queue one-slow-answer",
        "sendlab verify incidents --list",
    )
)
def incidents(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="incidents, default all")] = None,
    listed: Annotated[bool, typer.Option("--list", help="only list them")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table")] = False,
    catalogue: Annotated[Path | None, typer.Option(help="folder of incidents, default the bundled one")] = None,
) -> None:
    """Reproduce public incident reports on the broken and the fixed release; exit 1 on a miss."""
    from streaming.proof.commands.incidents_command import incidents_command

    console = Console()
    raise typer.Exit(incidents_command(names or (), listed=listed, as_json=as_json, console=console, folder=catalogue))


@verify.command(
    epilog=examples(
        "sendlab verify hunts",
        "sendlab verify hunts ten-minutes third-broker --schedules 256 --compare",
        "sendlab verify hunts --compare --out docs/hunting.md",
    )
)
def hunts(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="incidents, default all")] = None,
    schedules: Annotated[int, typer.Option(min=1, help="schedules on each side, at most")] = 128,
    seed: Annotated[int, typer.Option(min=0, help="seed of the schedules")] = 1,
    cores: Annotated[int | None, typer.Option(min=1, help="processes that run the model, default all cores")] = None,
    compare: Annotated[bool, typer.Option("--compare", help="compare guided with random search, too")] = False,
    out: Annotated[Path | None, typer.Option(help="Markdown file whose tables to update")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of lines")] = False,
) -> None:
    """Hunt public incidents without their faults, on the broken and the fixed release; exit 1 on a miss."""
    from streaming.proof.commands.hunts_command import hunts_command

    code = hunts_command(
        names or (), schedules=schedules, seed=seed, cores=cores, compare=compare, as_json=as_json, out=out,
        console=Console(),
    )  # fmt: skip
    raise typer.Exit(code)


@verify.command(
    epilog=examples(
        "sendlab verify published",
        "sendlab verify published --json",
        "sendlab verify published --out docs/published.md",
    )
)
def published(
    out: Annotated[Path | None, typer.Option(help="Markdown file whose tables to update")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of tables")] = False,
) -> None:
    """Simulate what others measured and published; exit 1 if a scenario misses a figure that it is fitted to."""
    from streaming.proof.commands.published_command import published_command

    raise typer.Exit(published_command(out=out, as_json=as_json, console=Console()))
