"""`sendlab publish`: the events of a scenario to a Kafka topic."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from simulator.plan.compile import compile_scenario
from simulator.scenario import load_scenario
from streaming.clock import virtual_time
from streaming.commands.kafka.kafka_options import KafkaOptions, duration_asked
from streaming.errors import InputError
from streaming.kafka.publishing.delivery import Delivered, deliver, make_topic
from streaming.kafka.publishing.recorded_load import load_of
from streaming.kafka.publishing.run_records import PARTS, Disorder, disordered, records_of
from streaming.options.changes import overrides_of
from streaming.recording.recording import load_recording
from streaming.runner.line_clock import LineClock
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts

SCENARIOS = (".yaml", ".yml")


@dataclass(frozen=True)
class PublishOptions:
    """How the records are to come. `speed`: virtual seconds a real second, 0 = as fast as it goes."""

    speed: float = 0.0
    partitions: int = 6
    shuffle: str = "0s"
    duplicates: str = "0%"

    @property
    def disorder(self) -> Disorder:
        """In the units of the publisher. Raises InputError."""
        return Disorder(duration_asked(self.shuffle, "--shuffle"), _part(self.duplicates))


def _part(text: str) -> int:
    try:
        part = Fraction(text.removesuffix("%")) / 100
    except (ValueError, ZeroDivisionError):
        part = Fraction(-1)
    if not text.endswith("%") or not 0 <= part <= 1:
        raise InputError(CommandTexts.DUPLICATES_EXPECTED().at(f"--duplicates {text}"))
    return int(part * PARTS)


def publish_command(
    events: Path,
    kafka: KafkaOptions,
    options: PublishOptions,
    *,
    like: Path | None,
    changes: list[str],
    console: Console,
) -> int:
    """Give every event of a scenario, or a recording's load on the scenario `like`, to its topic.

    Raises ScenarioError, InputError, EnvironmentProblem.
    """
    if events.is_dir():
        raise InputError(CommandTexts.EVENTS_EXPECTED().at(events))
    if like is None and events.suffix not in SCENARIOS:
        raise InputError(CommandTexts.LIKE_MISSING().at(events))
    scenario_file = events if like is None else like
    scenario = load_scenario(scenario_file, overrides_of(changes))
    topics, connection = kafka.topics_for(scenario_file.stem), kafka.connection
    if len(topics) > 1:
        raise InputError(CommandTexts.ONE_TOPIC())
    disorder = options.disorder
    made = make_topic(connection, topics[0], options.partitions)
    text = CommandResultTexts.PUBLISHED_TO(
        scenario=f"[bold]{scenario.name}[/bold]", topic=topics[0], bootstrap=connection.bootstrap
    )
    if made:
        text = text.followed_by(CommandResultTexts.TOPIC_MADE(partitions=options.partitions))
    console.print(text, highlight=False)
    plan = compile_scenario(scenario)
    load = None if like is None else load_of(load_recording(str(events)), plan)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("publishing", total=plan.duration_us)
        lines = LineClock(None)

        def tell(found: Delivered) -> None:
            said = CommandResultTexts.CONFIRMED(records=found.records).at(virtual_time(found.at_us))
            bar.update(task, completed=found.at_us, description=said)
            if not console.is_terminal and lines.is_due(found.at_us):
                console.print(said, highlight=False)

        found = deliver(
            disordered(records_of(plan, load), disorder), connection, topics[0], speed=options.speed, tell=tell
        )
    counts = ", ".join(f"{partition}: {count:,}" for partition, count in sorted(found.by_partition.items()))
    text = CommandResultTexts.CONFIRMED_BY_PARTITION(records=found.records, counts=counts)
    console.print(text, highlight=False)
    return 0
