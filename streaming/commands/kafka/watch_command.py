"""`sendlab watch`: follow the decisions that a job writes to Kafka, a line a broker."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.live import Live
from rich.table import Table

from simulator.scenario.reading.scenario_error import nearest
from streaming.clock import virtual_time
from streaming.commands.kafka.kafka_options import KafkaOptions
from streaming.kafka.brokers.kafka_cluster import all_in, check_topics, reached
from streaming.kafka.output.broker_lines import Decisions
from streaming.kafka.output.decision_records import WRITTEN, RowsSeen, topic_of
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.kafka_texts import KafkaTexts

if TYPE_CHECKING:
    from kafka import KafkaConsumer

POLL_MS = 200
SHOWN_EVERY_S = 0.5


def _table(found: Decisions) -> Table:
    again = CommandResultTexts.CAME_AGAIN(count=found.repeated) if found.repeated else ""
    title = CommandResultTexts.WATCHED(
        at=virtual_time(found.clock_us), messages=found.sends, retries=found.retries, again=again
    )
    table = Table("broker", title=title, title_justify="left", box=None)
    for name in ("attempts", "failures", "share now", "median ms", "isolated by"):
        table.add_column(name, justify="right")
    for line in found.lines():
        latency = "" if line.median_ms is None else f"{line.median_ms:g}"
        table.add_row(
            line.broker, f"{line.attempts:,}", f"{line.failures:,}", f"{line.share_now:.0%}", latency,
            CommandResultTexts.PRODUCERS_COUNTED(count=line.avoided_by),
        )  # fmt: skip
    return table


class _Reading:
    """What is known so far; a row that came before is not counted."""

    def __init__(self, tables: dict[str, str]) -> None:
        self.tables, self.found, self._seen = tables, Decisions(), RowsSeen()

    def take(self, record: Any) -> None:
        """Count a record."""
        if self._seen.is_new(record.headers):
            self.found.take(self.tables[record.topic], json.loads(record.value))
        else:
            self.found.repeated += 1


def _follow(consumer: KafkaConsumer, reading: _Reading) -> Iterator[Decisions]:
    """What is known so far, twice a second until stopped."""
    consumer.subscribe(list(reading.tables))
    shown_s = time.monotonic()
    while True:
        for records in consumer.poll(timeout_ms=POLL_MS).values():
            for record in records:
                reading.take(record)
        if time.monotonic() - shown_s > SHOWN_EVERY_S:
            shown_s = time.monotonic()
            yield reading.found


def _no_decisions(prefix: str, topic: str, there: Sequence[str]) -> str:
    """Whose decisions there are instead, or what writes those of `prefix`."""
    table = topic.removeprefix(prefix)
    near = nearest(prefix, [name.removesuffix(table) for name in there if name.endswith(table)])
    return KafkaTexts.OTHER_PREFIX(near=near) if near else KafkaTexts.WRITTEN_BY_JOB(prefix=prefix)


def watch_command(prefix: str, kafka: KafkaOptions, *, once: bool, console: Console) -> int:
    """Show what a job has written, and go on with what it writes. Raises InputError, EnvironmentProblem."""
    reading = _Reading({topic_of(prefix, table): table for table in WRITTEN})
    check_topics(kafka.connection, list(reading.tables), partial(_no_decisions, prefix))
    with reached(kafka.connection, auto_offset_reset="earliest", max_poll_records=5_000) as consumer:
        if once:
            for record in all_in(consumer, list(reading.tables)):
                reading.take(record)
            console.print(_table(reading.found))
        elif console.is_terminal:
            with Live(console=console, refresh_per_second=4) as live:
                for found in _follow(consumer, reading):
                    live.update(_table(found))
        else:
            for found in _follow(consumer, reading):
                console.print(_table(found))
    return 0
