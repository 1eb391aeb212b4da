"""A plain CSV of attempts, one a line, that any log can be turned into.

Header: time, producer, topic, broker, latency_ms, outcome; and if they are known queue_id, thread, message, attempt,
send_time, response_code, body_bytes. `time` is when the attempt began: ISO 8601 with a zone, or a number of seconds or
milliseconds since 1970.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from simulator import codes
from simulator.scenario.reading.scenario_error import did_you_mean
from streaming.errors import InputError
from streaming.importing.csv_columns import plain_lines, table_of
from streaming.importing.hosts import broker_of
from streaming.importing.log_part import LogPart, text_blocks
from streaming.importing.log_rows import LogRows
from streaming.importing.trace import OUTCOME_NUMBERS

LINE = b"\n"
NEEDED = ("time", "producer", "topic", "broker", "latency_ms", "outcome")
WHOLE = ("queue_id", "thread", "attempt", "response_code", "body_bytes")
OPTIONAL = (*WHOLE, "message", "send_time")
NAMES = (
    *("begin_us", "latency_us", "producer", "topic", "broker", "outcome", "message", "send_begin_us"),
    *WHOLE,
)
SECONDS_BELOW = 1e11  # as milliseconds since 1970 that would be March 1973
ALIKE = {"OK": "SEND_OK", "TIMEOUT": "RemotingTimeoutException"}
LATENCY_MAX_MS = 3_600_000
TIMES = "ISO 8601, or seconds or milliseconds since 1970"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SHOWN = 40  # characters of a value
TIME_MAX_US = 1 << 53  # the year 2255: every number below is a moment without a fraction lost


def header_of(file: str, text: str) -> list[str]:
    """The columns of a file. Raises InputError for one that is missing or not known."""
    names = [name.strip() for name in next(csv.reader([text]), [])]
    for name in NEEDED:
        if name not in names:
            raise InputError(f"{file}, line 1: lacks the column {name}; expected {', '.join(NEEDED)}")
    for name in names:
        if name not in (*NEEDED, *OPTIONAL):
            near = did_you_mean(name, (*NEEDED, *OPTIONAL))
            raise InputError(f"{file}, line 1: unknown column {name}{near}; known: {', '.join((*NEEDED, *OPTIONAL))}")
    return names


def read_csv(part: LogPart, hosts: Mapping[str, str], header: list[str]) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Sound rows and rejects of a part, block by block; the header is line 1."""
    rows = LogRows(part, NAMES, "line")
    for block, first in text_blocks(part, LINE):
        if first == 1:
            block, first = block.partition(LINE)[2], 2
        at_once = _at_once(block, header, hosts) if block else None
        if at_once is None:
            for number, line in enumerate(block.decode(errors="replace").split("\n"), start=first):
                _take(rows, number, line.rstrip("\r"), header, hosts)
            yield rows.take()
            continue
        found, sound = at_once
        table = table_of(found, sound, part.number, first)
        if len(table) < len(sound):
            lines = block.decode(errors="replace").split("\n")
            for place in pc.indices_nonzero(pc.invert(sound)).to_pylist():
                _take(rows, first + place, lines[place].rstrip("\r"), header, hosts)
        others, rejected = rows.take()
        if len(others):
            table = pa.concat_tables([table, others]).sort_by("line")
        yield table, rejected


def _at_once(block: bytes, header: list[str], hosts: Mapping[str, str]) -> tuple[pa.Table, pa.Array] | None:
    try:
        return plain_lines(
            block, header, hosts, alike=ALIKE, wholes=WHOLE, seconds_below=SECONDS_BELOW, latency_max_ms=LATENCY_MAX_MS
        )
    except pa.ArrowException:
        return None


def _take(rows: LogRows, number: int, line: str, header: list[str], hosts: Mapping[str, str]) -> None:
    if not line.strip():
        return
    try:
        values = next(csv.reader([line], strict=True), [])  # alone: a quote that nothing closes takes no other line
        if len(values) != len(header):
            raise ValueError("has another number of fields than the header")
        rows.add(number, _row(dict(zip(header, values, strict=True)), hosts))
    except csv.Error as error:
        rows.reject(number, f"not CSV: {error}", line)
    except ValueError as error:
        rows.reject(number, str(error), line)


def _row(said: dict[str, str], hosts: Mapping[str, str]) -> tuple[Any, ...]:
    for name in ("producer", "topic"):
        if not said[name]:
            raise ValueError(f"{name} is empty")
    begin_us = time_us(said["time"])
    outcome = ALIKE.get(said["outcome"].upper(), said["outcome"])
    if outcome not in OUTCOME_NUMBERS:
        near = did_you_mean(outcome[:SHOWN], OUTCOME_NUMBERS)
        raise ValueError(f"unknown outcome {outcome[:SHOWN]!r}{near}")
    broker = broker_of(said["broker"], hosts) if said["broker"] else None
    if broker is None and OUTCOME_NUMBERS[outcome] in (codes.SEND_OK, codes.BROKER_ERROR):
        raise ValueError("broker is empty, and the attempt was answered")
    send_us = time_us(said["send_time"]) if said.get("send_time") else None
    wholes = (_whole(name, said.get(name)) for name in WHOLE)
    return (
        begin_us, _latency_us(said["latency_ms"]), said["producer"], said["topic"], broker, outcome,
        said.get("message") or None, send_us, *wholes,
    )  # fmt: skip


def _latency_us(text: str) -> int:
    try:
        latency_ms = float(text)
    except ValueError:
        latency_ms = -1.0
    if not 0 <= latency_ms <= LATENCY_MAX_MS:
        raise ValueError(f"latency_ms is {text[:SHOWN]!r}, expected a number from 0 to {LATENCY_MAX_MS}")
    return round(latency_ms * 1000)


def _whole(name: str, text: str | None) -> int | None:
    if not text:
        return None
    try:
        number = int(text)
    except ValueError:
        number = 2**31
    if not -1 <= number < 2**31:
        raise ValueError(f"{name} is {text[:SHOWN]!r}, expected a whole number")
    return number


def time_us(text: str) -> int:
    """Microseconds since 1970. Raises ValueError."""
    try:
        number = float(text)
        time = number * (1e6 if number < SECONDS_BELOW else 1e3)
    except ValueError:
        time = _moment_us(text)
    if not 0 < time < TIME_MAX_US:
        raise ValueError(f"time is {text[:SHOWN]!r}, expected {TIMES}")
    return round(time)


def _moment_us(text: str) -> float:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"time is {text[:SHOWN]!r}, expected {TIMES}") from None
    if moment.tzinfo is None:
        raise ValueError(f"time is {text!r} and has no zone, expected such as 2026-11-21T20:15:00.123Z")
    return (moment - EPOCH) / timedelta(microseconds=1)
