"""The Kafka options of commands, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from simulator.plan.compile import slug
from simulator.units import parse_duration_us
from state.texts import at, sentence_of
from streaming.errors import InputError
from streaming.jobs.sinks import KafkaOutput
from streaming.kafka.brokers.kafka_login import Connection
from streaming.kafka.intake.kafka_source import KafkaInput
from streaming.kafka.intake.kafka_stepper import Intake
from streaming.options.changes import checked_choice
from streaming.texts.command_texts import CommandTexts

SOURCES = ("synthetic", "kafka")


@dataclass(frozen=True)
class KafkaOptions:
    """The options as they were given, None where they were not."""

    bootstrap: str | None = None
    topics: Sequence[str] = ()
    config: Path | None = None
    lateness: str | None = None
    idle: str | None = None
    prefix: str | None = None

    @property
    def connection(self) -> Connection:
        """How to reach the cluster. Raises InputError."""
        if self.bootstrap is None:
            raise InputError(CommandTexts.BOOTSTRAP_MISSING())
        connection = Connection(self.bootstrap, self.config)
        connection.settings()
        return connection

    def topics_for(self, name: str) -> tuple[str, ...]:
        """The topics that hold the events of a scenario in a file of that name."""
        return tuple(sorted(set(self.topics))) or (default_topic(name),)

    def input_for(self, name: str, *, endless: bool = False) -> KafkaInput:
        """What a job is to read. Raises InputError."""
        intake = Intake(self.topics_for(name), duration_asked(self.lateness or "5s", "--lateness"), endless)
        return KafkaInput(self.connection, intake, duration_asked(self.idle or "30s", "--idle"))

    def output_for(self, name: str) -> KafkaOutput:
        """Where a job is to write. Raises InputError."""
        return KafkaOutput(self.connection, self.prefix or default_topic(name))

    def check_unused(self) -> None:
        """Raise InputError for an option that goes with Kafka alone."""
        given = {
            "--bootstrap": self.bootstrap, "--topic": self.topics, "--kafka-config": self.config,
            "--lateness": self.lateness, "--idle": self.idle, "--topic-prefix": self.prefix,
        }  # fmt: skip
        for name, value in given.items():
            if value:
                raise InputError(CommandTexts.KAFKA_OPTION(option=name))


def default_topic(name: str) -> str:
    """The topic of the events of a scenario in a file of that name, if none is named."""
    return f"sendlab-{slug(name)}"


def duration_asked(text: str, where: str) -> int:
    """A duration in microseconds. Raises InputError."""
    try:
        return parse_duration_us(text)
    except ValueError as error:
        raise InputError(at(f"{where} {text}", sentence_of(error))) from error


def source_asked(name: str) -> str:
    """The name of a source. Raises InputError."""
    return checked_choice(name, SOURCES, f"--source {name}")
