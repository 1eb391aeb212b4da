"""The commands that are about Kafka alone, and what those that can use it share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streaming.terminal.output_console import OutputConsole as Console
from streaming.verbs.examples import examples

Bootstrap = Annotated[str | None, typer.Option(metavar="HOST:PORT", help="Kafka brokers, several with commas")]
Topics = Annotated[list[str] | None, typer.Option("--topic", help="Kafka topic, default sendlab-NAME; repeatable")]
KafkaConfig = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Kafka client settings: lines such as sasl.username=...")
]
Lateness = Annotated[str | None, typer.Option(help="kafka: maximum disorder of records in virtual time, default 5s")]
Idle = Annotated[str | None, typer.Option(help="kafka: idle time-out of an empty partition, default 30s")]

Prefix = Annotated[str | None, typer.Option(help="kafka: write to PREFIX-attempts and so on, default sendlab-NAME")]


def add_kafka(app: typer.Typer) -> None:
    """Let the command line have them."""
    app.command(
        epilog=examples(
            "sendlab publish conf/scenarios/quickstart.yaml --bootstrap localhost:9092",
            "sendlab publish conf/scenarios/quickstart.yaml --bootstrap localhost:9092 --pace 1x --shuffle 5s",
            "sendlab publish conf/traces/live-4.9.8-s3 --like out/s3.yaml --bootstrap localhost:9092",
        )
    )(publish)
    app.command(
        epilog=examples(
            "sendlab watch sendlab-quickstart --bootstrap localhost:9092",
            "sendlab watch sendlab-quickstart --bootstrap localhost:9092 --once",
        )
    )(watch)


def publish(
    events: Annotated[Path, typer.Argument(metavar="SCENARIO|RECORDING", help="a YAML file, or a recording's name")],
    like: Annotated[
        Path | None, typer.Option(metavar="SCENARIO", help="for a recording: the scenario that receives its load")
    ] = None,
    bootstrap: Bootstrap = None,
    topic: Topics = None,
    kafka_config: KafkaConfig = None,
    pace: Annotated[str, typer.Option(help="virtual time per wall time: max, 1x, 10x")] = "max",
    partitions: Annotated[int, typer.Option(min=1, max=1000, help="partitions of the topic, if it is created")] = 6,
    shuffle: Annotated[str, typer.Option(help="put records out of order by at most this virtual time")] = "0s",
    duplicates: Annotated[str, typer.Option(help="share of duplicate records, such as 1%")] = "0%",
    duration: Annotated[str | None, typer.Option("--for", help="virtual time to publish, such as 10m")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="change one key; repeatable")
    ] = None,
) -> None:
    """Publish the events of a scenario, or the load of a recording, to a Kafka topic for `sendlab run`."""
    from streaming.commands.kafka.kafka_options import KafkaOptions
    from streaming.commands.kafka.publish_command import PublishOptions, publish_command
    from streaming.commands.run_command import speed_of
    from streaming.options.changes import for_length

    changes = [*(set_ or ()), *for_length(duration)]
    kafka = KafkaOptions(bootstrap, topic or (), kafka_config)
    options = PublishOptions(speed_of(pace), partitions, shuffle, duplicates)
    raise typer.Exit(publish_command(events, kafka, options, like=like, changes=changes, console=Console()))


def watch(
    prefix: Annotated[str, typer.Argument(help="prefix of the job's topics: sendlab-NAME")],
    bootstrap: Bootstrap = None,
    kafka_config: KafkaConfig = None,
    once: Annotated[bool, typer.Option("--once", help="read what is there now, print it once and exit")] = False,
) -> None:
    """Follow the decisions of a job with --sink kafka, one line per broker; stop with Ctrl-C."""
    from streaming.commands.kafka.kafka_options import KafkaOptions
    from streaming.commands.kafka.watch_command import watch_command

    raise typer.Exit(watch_command(prefix, KafkaOptions(bootstrap, (), kafka_config), once=once, console=Console()))
