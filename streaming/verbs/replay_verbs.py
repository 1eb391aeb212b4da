"""The command line's part for recorded logs: import, calibrate, replay and what is made of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streaming.errors import InputError
from streaming.terminal.output_console import OutputConsole as Console
from streaming.texts.command_texts import CommandTexts
from streaming.verbs.examples import examples
from streaming.verbs.kafka_verbs import Bootstrap, KafkaConfig

replays = typer.Typer()


@replays.command(
    epilog=examples(
        "sendlab replay conf/traces/live-4.9.8-s3 --arm client.release=5.3.3",
        'sendlab replay out/night --arm client.release=5.3.3 --arm "client.release=5.3.3 client.send_msg_timeout=1s"',
        "sendlab replay conf/traces/live-4.9.8-s3 --out out/decisions",
        "sendlab replay out/quickstart --from-batch 2",
    )
)
def replay(
    trace: Annotated[
        Path, typer.Argument(help="a recording (.csv.gz or .parquet, with or without extension), or with --arm a trace")
    ],
    arms: Annotated[
        list[str] | None,
        typer.Option("--arm", metavar="KEY=VALUE", help="counterfactual: change this setting and replay; repeatable"),
    ] = None,
    scenario: Annotated[
        Path | None, typer.Option(help="with --arm: the calibrated scenario of the trace, if you have edited it")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="output folder; run the same command again to resume. Default with --arm: out/NAME"),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="delete earlier output in OUT and start over")] = False,
    runs: Annotated[
        int | None, typer.Option(min=1, max=1000, help="with --arm: runs of each arm, one a seed; default 20")
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="with --arm: setting that the trace lacks")
    ] = None,
    from_batch: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="run the output folder TRACE again from this micro-batch")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of tables")] = False,
) -> None:
    """Replay a trace under another client or policy (--arm): the recorded messages against the recorded brokers.

    Writes a page that compares each arm with the recording. Without --arm a recording is sent through the job, and its
    decisions are written to OUT.

    With --from-batch the rows of a run are simulated again from the state in its checkpoint; exit 1 if one
    differs.
    """
    from streaming.proof.consumers.consumer_recording import is_consumer_recording

    console = Console()
    if is_consumer_recording(trace):
        raise InputError(CommandTexts.CONSUMERS_NOT_REPLAYED(trace=trace))
    if from_batch is not None:
        from streaming.commands.replays.from_batch_command import from_batch_command

        if arms or out is not None:
            raise InputError(CommandTexts.FROM_BATCH_ALONE())
        raise typer.Exit(from_batch_command(trace, from_batch, as_json=as_json, console=console))
    if arms:
        from streaming.commands.replays.arms_command import arms_command

        raise typer.Exit(
            arms_command(
                trace, arms, out=out, changes=set_ or (), seeds=runs or 20, as_json=as_json, fresh=fresh,
                console=console, edited=scenario,
            )
        )  # fmt: skip
    for option, value in (("--scenario", scenario), ("--set", set_), ("--runs", runs)):
        if value:
            raise InputError(CommandTexts.ARMS_ALONE(option=option))
    if fresh and out is None:
        raise InputError(CommandTexts.FRESH_WITHOUT_OUT())
    from streaming.commands.replays.replay_command import replay_command

    raise typer.Exit(replay_command(trace, out=out, fresh=fresh, as_json=as_json, console=console))


@replays.command(
    name="import",
    epilog=examples(
        "sendlab import message-trace trace-dump.txt -o out/last-night --hosts hosts.yaml --set client.release=4.9.8",
        "sendlab import csv sends-1.csv.gz sends-2.csv.gz -o out/sends",
        "sendlab import csv sends.csv -o out/exported --map time=ts,broker=brokerName --timezone Asia/Shanghai",
        "sendlab import jsonl app.jsonl.gz -o out/app --map time=@timestamp,broker=mq.broker",
        "sendlab import client-log rocketmq_client.log -o out/failures --timezone Asia/Shanghai",
        "sendlab import recording conf/traces/live-4.9.8-s3 -o out/s3",
        "sendlab import metrics scrapes.txt -o out/last-night",
        "sendlab import message-trace --bootstrap localhost:9092 --topic RMQ_SYS_TRACE_TOPIC -o out/from-kafka",
    ),
)
def import_(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT", help="message-trace | csv | jsonl | client-log | recording | tables | metrics"
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="folder for the trace")],
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="the log; .gz, .zst, .bz2 and .xz are unpacked. Not with --topic"),
    ] = None,
    hosts: Annotated[Path | None, typer.Option(help="YAML file that maps broker addresses to names")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="client setting that the log lacks: client.release=4.9.8; repeatable"
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="overwrite the trace in OUT")] = False,
    master: Annotated[
        str | None,
        typer.Option(help="read on this Spark master; by default in a process for each core of this machine"),
    ] = None,
    bootstrap: Bootstrap = None,
    topic: Annotated[str | None, typer.Option(help="Kafka topic with the messages of RMQ_SYS_TRACE_TOPIC")] = None,
    kafka_config: KafkaConfig = None,
    map_: Annotated[
        list[str] | None,
        typer.Option(
            "--map", metavar="MEANING=COLUMN", help="csv: names of its columns: time=ts,broker=brokerName; repeatable"
        ),
    ] = None,
    timezone: Annotated[
        str | None, typer.Option(metavar="ZONE", help="csv, client-log: zone of times without one: Asia/Shanghai")
    ] = None,
    time_unit: Annotated[
        str | None,
        typer.Option(metavar="UNIT", help="csv: unit of numeric times: s, ms, us or ns; default: by magnitude"),
    ] = None,
    latency_unit: Annotated[
        str | None,
        typer.Option(metavar="UNIT", help="csv: unit of latencies: s, ms, us or ns; default: from the column name"),
    ] = None,
    decimal: Annotated[
        str | None,
        typer.Option(metavar="MARK", help="csv: decimal mark: point or comma; default: from the values"),
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="csv: encoding of the files: gbk, big5; default: UTF-8, UTF-16 with a mark"),
    ] = None,
    allow_rejects: Annotated[
        bool, typer.Option("--allow-rejects", help="write the trace even if more than 10 % of the rows are rejected")
    ] = False,
) -> None:
    """Convert a log of real clients to a trace for calibrate and replay. Invalid rows go to its table rejects."""
    from streaming.commands.kafka.kafka_options import KafkaOptions
    from streaming.commands.replays.import_choices import choices_of
    from streaming.commands.replays.import_command import import_command

    code = import_command(
        kind, files or (), out, hosts=hosts, changes=set_ or (), as_json=as_json, fresh=fresh, master=master,
        kafka=KafkaOptions(bootstrap, (topic,) if topic else (), kafka_config), console=Console(),
        choices=choices_of(map_ or (), timezone, time_unit, latency_unit, decimal, encoding),
        allow_rejects=allow_rejects,
    )  # fmt: skip
    raise typer.Exit(code)


@replays.command(
    epilog=examples(
        "sendlab calibrate conf/traces/live-4.9.8-s3 -o out/s3.yaml --report out/s3.html",
        "sendlab calibrate out/last-night -o last-night.yaml --set client.release=4.9.8",
    )
)
def calibrate(
    trace: Annotated[Path, typer.Argument(help="a trace that sendlab import wrote, or a recording")],
    out: Annotated[Path, typer.Option("--out", "-o", help="the scenario to write, a YAML file")],
    report: Annotated[Path | None, typer.Option(help="write the goodness of fit as an HTML page")] = None,
    runs: Annotated[int, typer.Option(min=1, max=1000, help="runs of the scenario to compare with the trace")] = 5,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="setting that the trace does not contain: client.release=4.9.8; repeatable",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of tables")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="overwrite existing files")] = False,
) -> None:
    """Fit a scenario to a trace: producers, rates, latencies, and the faults that the attempts show."""
    from streaming.commands.replays.calibrate_command import calibrate_command

    raise typer.Exit(
        calibrate_command(
            trace, out, changes=set_ or (), report=report, runs=runs, as_json=as_json, fresh=fresh, console=Console()
        )
    )


@replays.command(
    epilog=examples(
        "sendlab fork out/live --arm kill=broker-b --for 10m",
        'sendlab fork out/live --arm client.send_latency_fault_enable=false --arm "hang=broker-b for 30s"',
        "sendlab fork out/live/_checkpoint --batch 12 --arm client.release=5.3.3 --for 30m",
    )
)
def fork(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="output or checkpoint folder of a run; the run may continue")
    ],
    arms: Annotated[
        list[str],
        typer.Option(
            "--arm", metavar="KEY=VALUE", help="change from now on: a setting, or a fault kind that begins; repeatable"
        ),
    ],
    length: Annotated[str, typer.Option("--for", help="virtual time to look ahead, such as 30m")] = "10m",
    batch: Annotated[
        int | None, typer.Option(help="micro-batch to start after, one of the last 20; default the last")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="folder for the page and result.json, default out/fork-...")] = None,
    runs: Annotated[int, typer.Option(min=1, max=1000, help="runs of each arm, the first with the job's seed")] = 20,
    fresh: Annotated[bool, typer.Option("--fresh", help="overwrite an earlier fork in OUT")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of tables")] = False,
) -> None:
    """Fork a running job: every arm starts from its state; the job continues undisturbed."""
    from streaming.commands.replays.fork_command import fork_command

    code = fork_command(
        folder, arms, batch=batch, length=length, out=out, seeds=runs or 20, as_json=as_json, fresh=fresh,
        console=Console(),
    )  # fmt: skip
    raise typer.Exit(code)
