"""`sendlab watch`: follow the decisions that a job writes to Kafka, a line a broker."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.table import Table

from streaming.commands.kafka.kafka_options import KafkaOptions
from streaming.job.live_line import virtual_time
from streaming.kafka.brokers.kafka_cluster import check_topics, reached
from streaming.kafka.output.broker_lines import Decisions
from streaming.kafka.output.decision_records import WRITTEN, RowsSeen, topic_of

if TYPE_CHECKING:
    from kafka import KafkaConsumer

POLL_MS = 200
SHOWN_EVERY_S = 0.5
QUIET_S = 2.0  # nothing comes any more: what is there has been read


def _table(found: Decisions) -> Table:
    again = f", {found.repeated:,} rows came again" if found.repeated else ""
    title = f"virtual time {virtual_time(found.clock_us)}: {found.sends:,} sends, {found.retries:,} retries{again}"
    table = Table("broker", title=title, title_justify="left", box=None)
    for name in ("attempts", "failures", "share now", "median ms", "avoided by"):
        table.add_column(name, justify="right")
    for line in found.lines():
        latency = "" if line.median_ms is None else f"{line.median_ms:g}"
        table.add_row(
            line.broker, f"{line.attempts:,}", f"{line.failures:,}", f"{line.share_now:.0%}", latency,
            f"{line.avoided_by} producers",
        )  # fmt: skip
    return table


def _follow(consumer: KafkaConsumer, tables: dict[str, str], once: bool) -> Iterator[Decisions]:
    """What is known so far, twice a second, for ever; or up to what is there now."""
    found, seen, last_s = Decisions(), RowsSeen(), time.monotonic()
    shown_s = last_s
    while not once or time.monotonic() - last_s < QUIET_S:
        for records in consumer.poll(timeout_ms=POLL_MS).values():
            last_s = time.monotonic()
            for record in records:
                if seen.is_new(record.headers):
                    found.take(tables[record.topic], json.loads(record.value))
                else:
                    found.repeated += 1
        if time.monotonic() - shown_s > SHOWN_EVERY_S:
            shown_s = time.monotonic()
            yield found
    yield found


def watch_command(prefix: str, kafka: KafkaOptions, *, once: bool, console: Console) -> int:
    """Show what a job has written, and go on with what it writes. Raises InputError, EnvironmentProblem."""
    tables = {topic_of(prefix, table): table for table in WRITTEN}
    check_topics(kafka.connection, list(tables))
    with reached(kafka.connection, auto_offset_reset="earliest", max_poll_records=5_000) as consumer:
        consumer.subscribe(list(tables))
        if once or not console.is_terminal:
            for found in _follow(consumer, tables, once):
                if not once:
                    console.print(_table(found))
            console.print(_table(found))
            return 0
        with Live(console=console, refresh_per_second=4) as live:
            for found in _follow(consumer, tables, once):
                live.update(_table(found))
    return 0
