"""`sendlab watch`: follow the decisions that a job writes to Kafka, a line a broker."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
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


def _table(found: Decisions, run: str) -> Table:
    again = CommandResultTexts.CAME_AGAIN(count=found.repeated) if found.repeated else ""
    title = CommandResultTexts.WATCHED(
        at=virtual_time(found.clock_us), messages=found.sends, retries=found.retries, again=again
    ).at(f"run {escape(run)}")
    table = Table("broker", title=title, title_justify="left", box=None)
    for name in ("attempts", "failures", "share now", "median ms", "isolated by"):
        table.add_column(name, justify="right")
    for line in found.lines():
        latency = "" if line.median_ms is None else f"{line.median_ms:g}"
        table.add_row(
            escape(line.broker), f"{line.attempts:,}", f"{line.failures:,}", f"{line.share_now:.0%}", latency,
            CommandResultTexts.PRODUCERS_COUNTED(count=line.avoided_by),
        )  # fmt: skip
    return table


class Reading:
    """What is known so far of each run; a row that came before is not counted. unreadable: records that are no row."""

    def __init__(self, tables: dict[str, str]) -> None:
        self.tables, self.found, self._seen = tables, dict[str, Decisions](), RowsSeen()
        self.unreadable = 0

    def take(self, record: Any) -> None:
        """Count a record."""
        try:
            row = json.loads(record.value)
            run = str(row["run"])
            decisions = self.found.get(run, Decisions())
            if self._seen.is_new(record.headers):
                decisions.take(self.tables[record.topic], row)
            else:
                decisions.repeated += 1
        except (ValueError, TypeError, LookupError):  # somebody else's, or a tombstone
            self.unreadable += 1
        else:
            self.found[run] = decisions

    @property
    def shown(self) -> list[Table | str]:
        """A table a run, and how many records are no row."""
        tables = [_table(own, run) for run, own in self.found.items()]
        rest = [CommandResultTexts.NO_DECISIONS(count=self.unreadable)] if self.unreadable else []
        return [*tables, *rest] or [CommandResultTexts.NO_DECISION_THERE()]


def _follow(consumer: KafkaConsumer, reading: Reading) -> Iterator[list[Table | str]]:
    """What is known so far, twice a second until stopped."""
    consumer.subscribe(list(reading.tables))
    shown_s = time.monotonic()
    while True:
        for records in consumer.poll(timeout_ms=POLL_MS).values():
            for record in records:
                reading.take(record)
        if time.monotonic() - shown_s > SHOWN_EVERY_S:
            shown_s = time.monotonic()
            yield reading.shown


def _no_decisions(prefix: str, topic: str, there: Sequence[str]) -> str:
    """Whose decisions there are instead, or what writes those of `prefix`."""
    table = topic.removeprefix(prefix)
    near = nearest(prefix, [name.removesuffix(table) for name in there if name.endswith(table)])
    return KafkaTexts.OTHER_PREFIX(near=near) if near else KafkaTexts.WRITTEN_BY_JOB(prefix=prefix)


def watch_command(prefix: str, kafka: KafkaOptions, *, once: bool, console: Console) -> int:
    """Show what a job has written, and go on with what it writes. Raises InputError, EnvironmentProblem."""
    reading = Reading({topic_of(prefix, table): table for table in WRITTEN})
    check_topics(kafka.connection, list(reading.tables), partial(_no_decisions, prefix))
    with reached(kafka.connection, auto_offset_reset="earliest", max_poll_records=5_000) as consumer:
        if once:
            for record in all_in(consumer, list(reading.tables)):
                reading.take(record)
            console.print(*reading.shown, sep="\n")
        elif console.is_terminal:
            with Live(console=console, refresh_per_second=4) as live:
                for shown in _follow(consumer, reading):
                    live.update(Group(*shown))
        else:
            for shown in _follow(consumer, reading):
                console.print(*shown, sep="\n")
    return 0
