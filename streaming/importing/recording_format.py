"""Recordings (conf/traces) as traces: the ends of attempts, in memory."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from simulator import codes
from streaming.importing.trace import COLUMNS, REJECT_COLUMNS, US_A_MS, About, Trace
from streaming.recording.recorded_settings import settings_of
from streaming.recording.recording import ASYNC_OUTCOMES, Recording, load_recording
from streaming.texts.import_note_texts import ImportNoteTexts

SEND = ["producer", "topic", "send_seq"]
OF_ATTEMPT = (
    *("run_us", "thread", "attempt", "broker", "queue_id", "start_us", "cost_us", "timeout_ms", "outcome"),
    *("response_code", "row"),
)
REASONS_SHOWN = 3
ALIGNED_US = 1_000_000  # clients that changed their routes within this time of each other poll at the same moments


def trace_of_recording(path: Path) -> Trace:
    """The attempts of a recording; of its description only settings are read, not what was injected.

    Raises InputError for a recording that cannot be read.
    """
    recording = load_recording(str(path.resolve()))
    rows = recording.rows.filter(pc.is_null(recording.rows.column("problem")))
    zero_us = int(recording.about["t0_epoch_ms"]) * US_A_MS
    table = _attempts(rows, zero_us, recording)
    end_us = (
        int(pc.max(pc.add(table.column("begin_us"), table.column("latency_us"))).as_py()) if len(table) else zero_us
    )
    planned_us = int(recording.about.get("duration_s", 0)) * 1_000_000
    about = About(
        name=recording.name,
        formats=["recording"],
        zero_us=zero_us,
        duration_us=max(planned_us, end_us - zero_us if not planned_us else 0),
        mode=recording.about["mode"],
        client=_client(recording, rows),
        rows=len(table),
        rejects=len(recording.rows) - len(rows),
        notes=_notes(recording),
    )
    return Trace(about, table)


def _unusable(recording: Recording) -> pa.Table:
    return recording.rows.filter(pc.is_valid(recording.rows.column("problem")))


def rejected_share(path: Path) -> float:
    """The part of a recording's rows that cannot be used. Raises InputError as `trace_of_recording`."""
    recording = load_recording(str(path.resolve()))
    return len(_unusable(recording)) / len(recording.rows)


def rejects_of_recording(path: Path) -> pa.Table:
    """Those rows, as a trace has them. Raises InputError as `trace_of_recording`."""
    recording = load_recording(str(path.resolve()))
    bad = _unusable(recording)
    positions = [f"{recording.path}, row {row}" for row in bad.column("row").to_pylist()]
    said = [positions, bad.column("problem").to_pylist(), bad.column("record").to_pylist(), [None] * len(bad)]
    return pa.table([pa.array(values, pa.string()) for values in said], schema=REJECT_COLUMNS)


def _notes(recording: Recording) -> list[str]:
    bad, rows = _unusable(recording), len(recording.rows)
    if not len(bad):
        return []
    text = ImportNoteTexts.ROWS_UNUSABLE(rejects=len(bad), rows=rows, percent=100 * len(bad) / rows)
    counted, first = Counter[str](), dict[str, int]()
    for problem, row in zip(bad.column("problem").to_pylist(), bad.column("row").to_pylist(), strict=True):
        counted[problem] += 1
        first.setdefault(problem, row)
    return [
        text.at("warning"),
        *(
            ImportNoteTexts.REJECTED(count=count, reason=problem, example=f"row {first[problem]}")
            for problem, count in counted.most_common(REASONS_SHOWN)
        ),
    ]


def _client(recording: Recording, rows: pa.Table) -> dict[str, Any]:
    settings = settings_of(recording)
    client = {key.removeprefix("client."): value for key, value in settings.items() if key.startswith("client.")}
    if "retryTimesWhenSendAsyncFailed" in recording.about and recording.about["mode"] == "async":
        client["retry_times_when_send_async_failed"] = recording.about["retryTimesWhenSendAsyncFailed"]
    if recording.about["mode"] == "async":
        selects = rows.filter(pc.equal(rows.column("event"), "select")).select(["producer", "thread", "attempt"])
        threads = selects.to_pandas().query("attempt == 1").groupby("producer")["thread"].nunique()
        client["async_sender_threads"] = int(threads.median())
    routes = rows.filter(pc.equal(rows.column("event"), "route")).select(["producer", "run_us"]).to_pandas()
    first = routes.groupby("producer")["run_us"].min()
    if len(first) > 1 and first.max() - first.min() <= ALIGNED_US:
        client["poll_phase"] = "aligned"
    return client


def _attempts(rows: pa.Table, zero_us: int, recording: Recording) -> pa.Table:
    body_bytes = recording.about.get("body_bytes")
    frame = rows.select([*SEND, "event", *OF_ATTEMPT]).to_pandas()
    sends = frame[frame["event"] == "send_end"].drop_duplicates(SEND).set_index(SEND)["start_us"]
    # Of asynchronous sends all rows are of the client's own threads: the recording does not say who sent.
    selects = frame[(frame["event"] == "select") & (frame["attempt"] == 1)].drop_duplicates(SEND).set_index(SEND)
    ends = frame[frame["event"] == "attempt_end"]
    key = pd.MultiIndex.from_frame(ends[SEND])
    threads = selects["thread"].reindex(key).to_numpy() if recording.about["mode"] == "sync" else [None] * len(ends)
    begin = ends["start_us"].fillna(ends["run_us"]).astype("int64") + zero_us
    same = {word: codes.OUTCOME_NAMES[number] for word, number in ASYNC_OUTCOMES.items()}
    said: dict[str, Any] = {
        "begin_us": begin,
        "latency_us": ends["cost_us"].fillna(0).astype("int64"),
        "producer": ends["producer"].astype("int64").map("{:04d}".format),
        "topic": ends["topic"],
        "broker": ends["broker"],
        "outcome": ends["outcome"].map(lambda outcome: same.get(outcome, outcome)),
        "queue_id": ends["queue_id"].astype("Int32"),
        "thread": pd.array(threads, "Int32"),
        "message": ends["producer"].astype("int64").astype(str) + " " + ends["topic"] + " "
        + ends["send_seq"].astype("int64").astype(str),
        "attempt": ends["attempt"].astype("Int32"),
        "send_begin_us": pd.array(sends.reindex(key).to_numpy(), "Int64") + zero_us,
        "response_code": ends["response_code"].astype("Int32"),
        "asked": ends["start_us"].notna() & ~(ends["timeout_ms"] <= 0),
        "body_bytes": pd.array([body_bytes] * len(ends), "Int32"),
        "part": pd.array([0] * len(ends), "Int32"),
        "line": ends["row"].astype("int64"),
    }  # fmt: skip
    table = pa.table({key: pa.array(said[key], COLUMNS.field(key).type, from_pandas=True) for key in COLUMNS.names})
    return table.cast(COLUMNS).take(pc.sort_indices(table, [("begin_us", "ascending")]))
