"""A recording of real producers on disk: its description, its rows as typed columns, and what is wrong with a row.

A recording is NAME.csv.gz or NAME.parquet with NAME.json beside it. Both have the same columns.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pcsv
import pyarrow.parquet as pq

from simulator import codes
from simulator.releases.ledger import unknown
from simulator.releases.producer_release import CLIENTS
from simulator.run.reject_texts import RejectTexts
from streaming.errors import InputError
from streaming.texts.output_texts import OutputTexts
from streaming.texts.recording_texts import RecordingTexts

CSV, PARQUET = ".csv.gz", ".parquet"
TEXTS = ("event", "topic", "last_broker", "broker", "outcome", "after", "detail")
COLUMNS = (
    *("event", "run_us", "producer", "thread", "topic", "send_seq", "attempt", "last_broker", "broker", "queue_id"),
    *("ms_pre", "ms_post", "seed", "steps", "reset_to", "latency_ms", "isolation", "reachable", "item_start_ms"),
    *("start_us", "cost_us", "timeout_ms", "outcome", "response_code", "after", "route", "detail"),
)
NUMBERS = tuple(name for name in COLUMNS if name not in TEXTS)
# Columns without which a row of that event cannot be used.
NEEDED = {
    "route": ("run_us", "producer", "thread", "topic", "route", "detail"),
    "select": ("run_us", "producer", "thread", "topic", "send_seq", "attempt", "ms_pre", "steps", "route"),
    "attempt_end": ("run_us", "producer", "thread", "topic", "send_seq", "attempt", "outcome", "after"),
    "fault_update": ("run_us", "producer", "thread", "topic", "send_seq", "attempt", "broker", "ms_pre", "latency_ms"),
    "send_end": ("run_us", "producer", "thread", "topic", "send_seq", "start_us", "cost_us", "outcome"),
}
NOT_RECORDED = (codes.SEND_STATUS, codes.SENT_ONEWAY, codes.HAND_OFF_QUEUE_FULL)
OUTCOMES = {name: number for number, name in enumerate(codes.OUTCOME_NAMES) if number not in NOT_RECORDED}
OUTCOMES |= dict.fromkeys(codes.SEND_STATUS_CODES, codes.SEND_STATUS)
# What an asynchronous recording calls the end of an attempt besides.
ASYNC_OUTCOMES = {
    "response_timeout": codes.RESPONSE_TIMEOUT,
    "send_request_failed": codes.SEND_FAILURE,
    "RemotingException": codes.SEND_FAILURE,  # "unknown reason": neither sent nor timed out
}
HAND_OVER = "handover"
LONGEST_READING_MS = 60_000  # a clock reading that is open for longer says nothing
RECORD_MAX = 1_000
ABOUT = {
    "release": str,
    "mode": str,
    "sendLatencyFaultEnable": bool,
    "sendMsgTimeout": int,
    "retryTimesWhenSendFailed": int,
    "retryAnotherBrokerWhenNotStoreOK": bool,
    "startDetectorEnable": bool,
    "latencyMax": list,
    "notAvailableDuration": list,
    "t0_epoch_ms": int,
}


@dataclass(frozen=True)
class Recording:
    """`rows`: COLUMNS, then row (from 1), problem (null where a row is sound) and record (the text of a bad row)."""

    name: str
    path: Path
    about: dict[str, Any]
    digest: str
    rows: pa.Table


def _bare(path: Path) -> Path:
    for ending in (CSV, PARQUET, ".json"):
        if path.name.endswith(ending):
            return path.with_name(path.name.removesuffix(ending))
    return path


def find_recording(trace: Path) -> tuple[Path, Path]:
    """The file with the rows and the description beside it. Raises InputError where there is none."""
    bare = _bare(trace)
    named = [trace] if trace.name.endswith((CSV, PARQUET)) else [bare.with_name(bare.name + e) for e in (PARQUET, CSV)]
    rows = next((path for path in named if path.is_file()), None)
    if rows is None and trace.is_file() and bare == trace:
        raise InputError(RecordingTexts.A_LOG(file=trace.name).at(trace))
    if rows is None:
        raise InputError(RecordingTexts.NO_RECORDING(names=" or ".join(path.name for path in named)).at(trace))
    about = bare.with_name(bare.name + ".json")
    if not about.is_file():
        raise InputError(RecordingTexts.DESCRIPTION_MISSING(name=about.name).at(rows))
    return rows, about


def _about(path: Path) -> dict[str, Any]:
    try:
        about = json.loads(path.read_text())
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(OutputTexts.UNREADABLE(why=error).at(path)) from error
    except json.JSONDecodeError as error:
        raise InputError(RecordingTexts.NOT_JSON(why=error.msg).at(f"{path}, line {error.lineno}")) from error
    if not isinstance(about, dict):
        raise InputError(RecordingTexts.OBJECT_EXPECTED().at(path))
    for key, kind in ABOUT.items():
        if key not in about:
            raise InputError(RecordingTexts.KEY_MISSING(key=key).at(path))
        if type(about[key]) is not kind:
            wanted = "a list" if kind is list else kind.__name__
            raise InputError(RecordingTexts.KEY_OF_ANOTHER_TYPE(key=key, got=about[key], kind=wanted).at(path))
    penalties = [about["latencyMax"], about["notAvailableDuration"]]
    if len(penalties[0]) != len(penalties[1]) or not all(type(ms) is int for table in penalties for ms in table):
        raise InputError(RecordingTexts.TABLES_EXPECTED().at(path))
    if about["mode"] == "async" and type(about.get("retryTimesWhenSendAsyncFailed")) is not int:
        raise InputError(RecordingTexts.ASYNC_RETRIES_MISSING().at(path))
    if about["release"] not in CLIENTS:
        raise InputError(unknown(about["release"]).at(path))
    if about["mode"] not in ("sync", "async"):
        raise InputError(RecordingTexts.MODE_EXPECTED(mode=about["mode"]).at(path))
    return about


def _unzipped(path: Path) -> bytes:
    try:
        return gzip.decompress(path.read_bytes())
    except EOFError as error:
        raise InputError(RecordingTexts.CUT_SHORT().at(path)) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise InputError(RecordingTexts.NOT_GZIP(why=error).at(path)) from error
    except OSError as error:
        raise InputError(OutputTexts.UNREADABLE(why=error.strerror or error).at(path)) from error


def _check_columns(path: Path, names: list[str], where: str) -> None:
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise InputError(
            RecordingTexts.COLUMN_MISSING(column=missing[0], columns=", ".join(COLUMNS)).at(f"{path}{where}")
        )


def _csv_rows(path: Path) -> pa.Table:
    """All text, plus row, problem and record; a line with too few or too many fields becomes a bad row."""
    text = _unzipped(path)
    header = text.split(b"\n", 1)[0].decode(errors="replace").strip().split(",")
    _check_columns(path, header, ", line 1")
    odd: list[tuple[int, str]] = []

    def set_aside(row: Any) -> str:
        odd.append((row.number - 1, row.text))
        return "skip"

    try:
        table = pcsv.read_csv(
            io.BytesIO(text),
            pcsv.ReadOptions(use_threads=False),
            pcsv.ParseOptions(quote_char=False, invalid_row_handler=set_aside, ignore_empty_lines=False),
            pcsv.ConvertOptions(column_types=dict.fromkeys(header, pa.string()), strings_can_be_null=False),
        ).select(COLUMNS)
    except pa.ArrowException as error:
        raise InputError(RecordingTexts.NOT_CSV(why=error).at(path)) from error
    rows = np.setdiff1d(np.arange(1, table.num_rows + len(odd) + 1), [number for number, _ in odd])
    nothing = pa.nulls(table.num_rows, pa.string())
    for name, column in (("row", pa.array(rows)), ("problem", nothing), ("record", nothing)):
        table = table.append_column(name, column)
    if odd:
        bad: dict[str, Any] = {name: pa.array([""] * len(odd)) for name in COLUMNS}
        bad["row"] = pa.array([number for number, _ in odd], pa.int64())
        bad["problem"] = pa.array([f"expected {len(header)} fields, got {line.count(',') + 1}" for _, line in odd])
        bad["record"] = pa.array([line[:RECORD_MAX] for _, line in odd])
        table = pa.concat_tables([table, pa.table(bad, schema=table.schema)]).sort_by("row")
    return _typed(table)


def _typed(table: pa.Table) -> pa.Table:
    """Text to whole numbers and names; what is no number becomes the row's problem."""
    problem = table.column("problem").combine_chunks()
    columns: dict[str, Any] = {}
    for name in COLUMNS:
        text = table.column(name).combine_chunks()
        is_empty = pc.equal(text, "")
        if name in NUMBERS:
            is_number = pc.match_substring_regex(text, r"^-?[0-9]{1,18}$")
            wrong = pc.and_(pc.invert(pc.or_(is_number, is_empty)), pc.is_null(problem))
            if pc.any(wrong).as_py():
                said = pc.binary_join_element_wise(RejectTexts.WHOLE_NUMBER_EXPECTED(column=name, got=""), text, "")
                problem = pc.if_else(wrong, said, problem)
            columns[name] = pc.if_else(is_number, text, pa.scalar(None, pa.string())).cast(pa.int64())
        else:
            columns[name] = pc.if_else(is_empty, pa.scalar(None, pa.string()), text)
    bad = pc.and_(pc.is_valid(problem), pc.is_null(table.column("record").combine_chunks()))
    record = table.column("record").combine_chunks()
    if pc.any(bad).as_py():
        lines = pc.binary_join_element_wise(*(table.column(name).combine_chunks() for name in COLUMNS), ",")
        record = pc.if_else(bad, pc.utf8_slice_codeunits(lines, 0, RECORD_MAX), record)
    return pa.table({**columns, "row": table.column("row"), "problem": problem, "record": record})


def _parquet_rows(path: Path) -> pa.Table:
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise InputError(OutputTexts.NOT_PARQUET(why=error).at(path)) from error
    _check_columns(path, table.column_names, "")
    kinds = {name: pa.int64() if name in NUMBERS else pa.string() for name in COLUMNS}
    try:
        columns = {name: table.column(name).cast(kind).combine_chunks() for name, kind in kinds.items()}
    except pa.ArrowException as error:
        raise InputError(RecordingTexts.COLUMN_OF_ANOTHER_TYPE(why=error).at(path)) from error
    nothing = pa.nulls(table.num_rows, pa.string())
    rows = pa.array(np.arange(1, table.num_rows + 1))
    return pa.table({**columns, "row": rows, "problem": nothing, "record": nothing})


def spelled(rows: pa.Table, place: int) -> str:
    """A row as the recorder writes it, cut to RECORD_MAX characters."""
    values = (rows.column(name)[place].as_py() for name in COLUMNS)
    return ",".join("" if value is None else str(value) for value in values)[:RECORD_MAX]


def _checked(table: pa.Table, outcomes: Collection[str]) -> pa.Table:
    """The same with the problems that only several columns or rows together show."""
    frame = table.select(["event", "producer", "run_us", "ms_pre", "ms_post", "outcome"]).to_pandas()
    sound = table.column("problem").is_null().to_numpy()
    problem = np.array(table.column("problem").to_pylist(), object)

    def note(bad: Any, reason: str) -> None:
        bad = np.asarray(bad, bool) & sound
        problem[bad] = reason
        sound[bad] = False

    note(~frame["event"].isin(NEEDED), RejectTexts.UNKNOWN_EVENT())
    for event, names in NEEDED.items():
        of = (frame["event"] == event).to_numpy()
        for name in names:
            note(
                of & table.column(name).is_null().to_numpy(),
                RejectTexts.FIELD_OF_EVENT_MISSING(event=event, field=name),
            )
    attempts = frame["event"].eq("attempt_end")
    note(attempts & ~frame["outcome"].isin(list(outcomes)), RejectTexts.NO_OUTCOME())
    spent = frame["ms_post"] - frame["ms_pre"]
    note(spent.lt(0) | spent.gt(LONGEST_READING_MS), RejectTexts.MS_OUT_OF_ORDER())
    # Rows that are set aside already do not move the clock.
    known = frame["run_us"].where(sound)
    latest = known.groupby(frame["producer"]).cummax().groupby(frame["producer"]).ffill()
    before = latest.groupby(frame["producer"]).shift()
    note(known < before, RejectTexts.CLOCK_GOES_BACK())
    record = np.array(table.column("record").to_pylist(), object)
    for number in np.flatnonzero(~sound):
        record[number] = record[number] or spelled(table, int(number))
    table = table.set_column(table.column_names.index("problem"), "problem", pa.array(problem.tolist(), pa.string()))
    return table.set_column(table.column_names.index("record"), "record", pa.array(record.tolist(), pa.string()))


@lru_cache(maxsize=2)
def load_recording(trace: str) -> Recording:
    """Read a recording, once a process. Raises InputError, naming the file, for what cannot be read as a whole."""
    path, beside = find_recording(Path(trace))
    about = _about(beside)
    table = _csv_rows(path) if path.name.endswith(CSV) else _parquet_rows(path)
    if not table.num_rows:
        raise InputError(RecordingTexts.EMPTY().at(path))
    digest = hashlib.blake2b(path.read_bytes() + b"\0" + beside.read_bytes(), digest_size=8).hexdigest()
    outcomes = (*OUTCOMES, *(ASYNC_OUTCOMES if about["mode"] == "async" else ()))
    return Recording(_bare(path).name, path, about, digest, _checked(table, outcomes))
