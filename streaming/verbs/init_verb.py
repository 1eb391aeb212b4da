"""The command line's words about a cluster of your own: init."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streaming.terminal.output_console import OutputConsole as Console


def init(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="what you have: outputs of mqadmin, broker.conf, rmq-proxy.json, stats.log, metrics, a client log, a "
            "trace folder, what producer.sh printed; or folders of them",
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="the scenario to write")] = Path("my-cluster.yaml"),
    topic: Annotated[list[str] | None, typer.Option(help="only this topic; repeatable; default all in use")] = None,
    release: Annotated[str | None, typer.Option(help="release of the producers' client")] = None,
    brokers: Annotated[str | None, typer.Option(metavar="N", help="brokers, if no file names them")] = None,
    producers: Annotated[str | None, typer.Option(metavar="N", help="producer processes in all")] = None,
    rate: Annotated[str | None, typer.Option(help="messages of all producers together, such as 1000/s")] = None,
    queues: Annotated[str | None, typer.Option(metavar="N", help="queues on each broker, if no file has them")] = None,
    collect: Annotated[
        bool, typer.Option("--collect", help="print a script that saves what mqadmin prints of your cluster")
    ] = False,
    example: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="write example files to this folder: what real tools printed of a small cluster"
        ),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="overwrite the file of --out")] = False,
) -> None:
    """Write a scenario of your own cluster from saved outputs and metrics, or from five questions."""
    from streaming.commands.init_command import InitOptions, init_command, print_collector, write_example

    if collect:
        print_collector(Console())
        return
    if example is not None:
        write_example(example, Console())
        return
    options = InitOptions(release=release, brokers=brokers, queues=queues, producers=producers, rate=rate)
    init_command(files or (), out, options=options, topics=topic or (), fresh=fresh, console=Console())
