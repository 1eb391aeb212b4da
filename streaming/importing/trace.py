"""A trace: the attempts of producers from any log, in one form, with what is known of their client.

A folder with `attempts/*.parquet` (COLUMNS), `rejects/*.parquet` (REJECT_COLUMNS) and `trace.json`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from simulator import codes
from simulator.calibrate.attempts import Ints, TraceAttempts
from simulator.calibrate.broker_metrics import Scrapes
from streaming.errors import InputError
from streaming.files.whole_file import write_text_whole
from streaming.texts.import_texts import ImportTexts
from streaming.texts.output_texts import OutputTexts

VERSION = 1
TRACE_FILE = "trace.json"
ATTEMPTS, REJECTS = "attempts", "rejects"

# What a log must say of an attempt, and what it may. Times are microseconds since 1970.
COLUMNS = pa.schema(
    [
        pa.field("begin_us", pa.int64(), False),  # when the attempt began
        pa.field("latency_us", pa.int64(), False),  # until its outcome was known
        pa.field("producer", pa.string(), False),
        pa.field("topic", pa.string(), False),
        pa.field("broker", pa.string()),  # null: not known
        pa.field("outcome", pa.string(), False),  # as in the table attempts: SEND_OK, a SendStatus or an exception
        pa.field("queue_id", pa.int32()),
        pa.field("thread", pa.int32()),
        pa.field("message", pa.string()),  # the same for all attempts of a message; null: an attempt is a message
        pa.field("attempt", pa.int32()),  # from 1
        pa.field("send_begin_us", pa.int64()),  # when the send of the message began
        pa.field("response_code", pa.int32()),
        pa.field("asked", pa.bool_()),  # false: no request left the client
        pa.field("body_bytes", pa.int32()),
        pa.field("part", pa.int32(), False),  # which part of the log, as trace.json lists them
        pa.field("line", pa.int64(), False),  # its line, row or record there, from 1 in its file
    ]
)
REJECT_COLUMNS = pa.schema([(name, pa.string()) for name in ("position", "reason", "record", "value")])
US_A_MS = 1_000
SPAN_MOST_US = 366 * 86_400_000_000  # what a trace may last, but that of a run
NOT_IN_NAMES = r"[^A-Za-z0-9_.|%-]"


@dataclass(frozen=True)
class About:
    """`trace.json`. zero_us: time 0 of the trace, since 1970. client: keys of a scenario's client that are known.

    answered_only: attempts without an answer are not in the log. failed_only: only attempts that failed are in it.
    files: of the log. repeated: rows that were there twice, and dropped. notes: what one should know of it. read: how
    it was read.
    """

    name: str
    formats: list[str]
    zero_us: int
    duration_us: int
    mode: str | None = None
    client: dict[str, Any] = field(default_factory=dict)
    answered_only: bool = False
    rows: int = 0
    rejects: int = 0
    files: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    failed_only: bool = False
    repeated: int = 0
    version: int = VERSION


@dataclass(frozen=True)
class Trace:
    """A trace in memory; `table`: COLUMNS, in the order of begin_us. scrapes: what its brokers said of themselves."""

    about: About
    table: pa.Table
    scrapes: Scrapes = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Trace {self.about.name}: {self.table.num_rows:,} attempts, {self.about.rejects:,} rejected>"

    def attempts(self) -> TraceAttempts:
        """Its attempts as arrays, times since the trace's zero."""
        table, zero = self.table, self.about.zero_us
        producer, producers = _numbered(table, "producer")
        topic, topics = _numbered(_with_names(table, "topic"), "topic")
        broker, brokers = _numbered(_with_names(table, "broker"), "broker")
        begin = _ints(table, "begin_us", 0) - zero
        message = table.column("message")
        if message.null_count:
            rows = pa.array(np.arange(len(table))).cast(pa.string())
            message = pc.if_else(pc.is_null(message), pc.binary_join_element_wise("row", rows, " "), message)
        numbers = pc.index_in(message, value_set=pc.unique(message))
        send_begin = pc.coalesce(table.column("send_begin_us"), table.column("begin_us"))
        return TraceAttempts(
            begin_us=begin,
            end_us=begin + _ints(table, "latency_us", 0),
            producer=producer,
            thread=_ints(table, "thread", -1),
            topic=topic,
            broker=broker,
            message=np.asarray(numbers.to_numpy(), np.int64),
            outcome=_outcomes(table),
            code=_codes(table),
            asked=np.asarray(pc.fill_null(table.column("asked"), True).to_numpy(), np.int64),
            send_begin_us=np.asarray(send_begin.to_numpy(), np.int64) - zero,
            queue=_ints(table, "queue_id", -1),
            body_bytes=_ints(table, "body_bytes", -1),
            producers=producers,
            topics=topics,
            brokers=brokers,
            duration_us=self.about.duration_us,
            answered_only=self.about.answered_only,
        )


def _ints(table: pa.Table, name: str, missing: int) -> Ints:
    return np.asarray(pc.fill_null(table.column(name), missing).to_numpy(), np.int64)


def _with_names(table: pa.Table, name: str) -> pa.Table:
    """The same with names as a scenario has them: an address has a colon, which they have not."""
    column = pc.replace_substring_regex(table.column(name), NOT_IN_NAMES, "-")
    return table.set_column(table.column_names.index(name), name, column)


def _numbered(table: pa.Table, name: str) -> tuple[Ints, tuple[str, ...]]:
    """Places in the sorted names, -1 for null."""
    column = table.column(name)
    names = pa.array(sorted(value for value in pc.unique(column).to_pylist() if value is not None), pa.string())
    places = pc.fill_null(pc.index_in(column, value_set=names), -1)
    return np.asarray(places.to_numpy(), np.int64), tuple(names.to_pylist())


OUTCOME_NUMBERS = {name: number for number, name in enumerate(codes.OUTCOME_NAMES) if number != codes.SEND_STATUS}
OUTCOME_NUMBERS |= dict.fromkeys(codes.SEND_STATUS_CODES, codes.SEND_STATUS)


def _outcomes(table: pa.Table) -> Ints:
    column = table.column("outcome")
    names = pa.array(list(OUTCOME_NUMBERS), pa.string())
    numbers = np.array(list(OUTCOME_NUMBERS.values()), np.int64)
    return numbers[np.asarray(pc.index_in(column, value_set=names).to_numpy(), np.int64)]


def _codes(table: pa.Table) -> Ints:
    """The response code, or that of a SendStatus; -1 if there is none."""
    status = pa.array(list(codes.SEND_STATUS_CODES), pa.string())
    place = pc.index_in(table.column("outcome"), value_set=status)
    own = pc.take(pa.array(list(codes.SEND_STATUS_CODES.values()), pa.int32()), place.combine_chunks())
    return np.asarray(
        pc.fill_null(pc.coalesce(own, table.column("response_code").combine_chunks()), -1).to_numpy(), np.int64
    )


def is_trace(path: Path) -> bool:
    """Whether the path is the folder of a trace."""
    return (path / TRACE_FILE).is_file()


def write_about(folder: Path, about: About) -> None:
    """Write `trace.json`, last of all: a folder without it is not a trace."""
    write_text_whole(folder / TRACE_FILE, json.dumps(vars(about), indent=1, sort_keys=True) + "\n")


def read_about(folder: Path) -> About:
    """What `trace.json` says. Raises InputError."""
    path = folder / TRACE_FILE
    try:
        said = json.loads(path.read_text())
        if said.get("version") != VERSION:
            raise InputError(ImportTexts.TRACE_OF_ANOTHER_VERSION(got=said.get("version"), version=VERSION).at(path))
        about = About(**{"notes" if key == "told" else key: value for key, value in said.items()})
        if about.duration_us > SPAN_MOST_US and about.formats != ["tables"]:
            raise InputError(ImportTexts.SPAN_TOO_LONG().at(path))
        return about
    except TypeError:
        raise InputError(ImportTexts.TRACE_INCOMPLETE().at(path)) from None
    except (OSError, ValueError, AttributeError) as error:
        raise InputError(ImportTexts.NOT_A_TRACE(why=error).at(folder)) from None


def read_trace(folder: Path) -> Trace:
    """A trace from its folder. Raises InputError for what is not a whole trace."""
    about = read_about(folder)
    try:
        table = ds.dataset(sorted((folder / ATTEMPTS).glob("*.parquet")), schema=COLUMNS, format="parquet").to_table()
    except (OSError, pa.ArrowException) as error:
        raise InputError(OutputTexts.NOT_PARQUET(why=error).at(folder / ATTEMPTS)) from error
    if table.num_rows != about.rows:
        raise InputError(ImportTexts.ATTEMPTS_MISSING(got=table.num_rows, expected=about.rows).at(folder))
    order = [("begin_us", "ascending"), ("part", "ascending"), ("line", "ascending")]
    return Trace(about, table.sort_by(order))
