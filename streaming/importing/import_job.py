"""The import: every part of a log is read, written as Parquet and summed up on its own, in a process of this machine or
in a task of Spark.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from simulator import codes
from streaming.errors import EnvironmentProblem
from streaming.importing.clock_jumps import ClockWatch
from streaming.importing.log import Log
from streaming.importing.log_part import LogPart
from streaming.importing.log_rows import LogNotes
from streaming.importing.reject_groups import RejectGroups
from streaming.importing.texts.log_bytes import UNREADABLE
from streaming.importing.trace import ATTEMPTS, COLUMNS, REJECT_COLUMNS, REJECTS
from streaming.problems import room_needed
from streaming.runner.worker_pool import worker_pool
from streaming.spark.java import require_java
from streaming.spark.session import session_at_hand, some_session
from streaming.texts.import_note_texts import ImportNoteTexts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAMES_SHOWN = 1_000
SUMMARY = "part int, summary string"
REPORT_EVERY_S = 0.5


@dataclass(frozen=True)
class PartSummary:
    """What one part held. begin_us, end_us: of its attempts, 0 without any. brokers: names, as they were found.

    trouble: why it could not be read to its end, empty if it could. groups: of its rejects. forms, passed: as LogNotes
    has them. whole_seconds: whether all times are.
    longest_timeout_us: of the attempts that ended with a time-out. longest_us, longest_line: of all, and its line.
    """

    part: int
    rows: int
    rejects: int
    begin_us: int
    end_us: int
    brokers: list[str]
    not_ok: int
    clocks: dict[str, Any]
    trouble: str = ""
    groups: dict[str, Any] = field(default_factory=dict)
    forms: dict[str, int] = field(default_factory=dict)
    passed: dict[str, int] = field(default_factory=dict)
    whole_seconds: bool = False
    longest_timeout_us: int = 0
    longest_us: int = 0
    longest_line: int = 0


def import_part(log: Log, part: LogPart, out: Path) -> PartSummary:
    """Read a part and write its Parquet files under names of its own, so that a task may be tried again."""
    rows = rejects = end_us = not_ok = 0
    begin_us, brokers, clocks, trouble = 2**63 - 1, set[str](), ClockWatch(), ""
    groups, notes, whole_seconds, timeout_us, longest = RejectGroups(), LogNotes(), True, 0, (0, 0)
    paths = [out / table / f"part-{part.number:05d}.parquet" for table in (ATTEMPTS, REJECTS)]
    files = [path.with_name(f".{path.name}.{os.getpid()}") for path in paths]
    with (
        _taken_away_unless_whole(files),
        pq.ParquetWriter(files[0], COLUMNS, compression="zstd") as sound,
        pq.ParquetWriter(files[1], REJECT_COLUMNS, compression="zstd") as bad,
    ):
        try:
            for table, rejected in _reading_apart(log.tables_of(part, notes)):
                if len(table):
                    sound.write_table(table)
                    rows += len(table)
                    begin_us = min(begin_us, pc.min(table.column("begin_us")).as_py())
                    end_us = max(end_us, pc.max(pc.add(table.column("begin_us"), table.column("latency_us"))).as_py())
                    brokers.update(pc.unique(table.column("broker")).to_pylist())
                    not_ok += pc.sum(pc.not_equal(table.column("outcome"), "SEND_OK")).as_py()
                    clocks.add(table, part.file)
                    timeout_us, longest = max(timeout_us, _longest_timeout_us(table)), max(longest, _longest(table))
                    whole_seconds = whole_seconds and _in_whole_seconds(table)
                if len(rejected):
                    bad.write_table(rejected)
                    rejects += len(rejected)
                    groups.add(rejected)
        except _NotReadError as error:
            trouble = ImportNoteTexts.UNREADABLE_BEYOND(file=part.file, rows=rows + rejects, why=error)
    for file, path, count in zip(files, paths, (rows, rejects), strict=True):
        os.replace(file, path) if count else file.unlink()
    found = sorted(name for name in brokers if name is not None)[:NAMES_SHOWN]
    begin_us = begin_us if rows else 0
    return PartSummary(
        part.number, rows, rejects, begin_us, end_us, found, not_ok, asdict(clocks), trouble, asdict(groups),
        dict(notes.forms), dict(notes.passed), whole_seconds, timeout_us, *longest,
    )  # fmt: skip


class _NotReadError(Exception):
    """The log cannot be read on; what cannot be written is another error."""


def _reading_apart(tables: Iterator[tuple[pa.Table, pa.Table]]) -> Iterator[tuple[pa.Table, pa.Table]]:
    try:
        yield from tables
    except UNREADABLE as error:
        raise _NotReadError(str(error)) from error


@contextmanager
def _taken_away_unless_whole(files: Sequence[Path]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        for file in files:
            file.unlink(missing_ok=True)
        raise


def _longest_timeout_us(table: pa.Table) -> int:
    timeouts = table.filter(pc.equal(table.column("outcome"), codes.OUTCOME_NAMES[codes.RESPONSE_TIMEOUT]))
    return pc.max(timeouts.column("latency_us")).as_py() or 0


def _longest(table: pa.Table) -> tuple[int, int]:
    """The longest latency, and its line."""
    place = pc.index(table.column("latency_us"), pc.max(table.column("latency_us"))).as_py()
    return table.column("latency_us")[place].as_py(), table.column("line")[place].as_py()


def _in_whole_seconds(table: pa.Table) -> bool:
    begins = table.column("begin_us")
    return pc.all(pc.equal(begins, pc.multiply(pc.divide(begins, 1_000_000), 1_000_000))).as_py()


def import_log(
    log: Log, out: Path, *, master: str | None = None, tell: Callable[[int], None] = lambda done: None
) -> list[PartSummary]:
    """Import every part into the folder `out`; what each held, in order.

    A single part is read here, several in a process for each core, or by Spark where there is a `master` or an open
    session. `tell` gets how many are done. Raises EnvironmentProblem where Spark does not start, a process is killed or
    the disk is full, OSError where a file cannot be written here.
    """
    for table in (ATTEMPTS, REJECTS):
        (out / table).mkdir(parents=True, exist_ok=True)
    if master is not None or (len(log.parts) > 1 and session_at_hand() is not None):
        return _in_tasks(log, out, master, tell)
    if len(log.parts) == 1:
        return [import_part(log, log.parts[0], out)]
    return _in_processes(log, out, tell)


def _in_processes(log: Log, out: Path, tell: Callable[[int], None]) -> list[PartSummary]:
    found: list[PartSummary] = []
    try:
        with worker_pool(min(os.cpu_count() or 1, len(log.parts))) as pool:
            parts = [pool.submit(import_part, _log_of(log, part), part, out) for part in log.parts]
            for done in as_completed(parts):
                found.append(done.result())
                tell(len(found))
    except BaseException as error:
        for spare in out.glob("*/.part-*"):  # of processes that were ended
            spare.unlink(missing_ok=True)
        if isinstance(error, BrokenProcessPool):
            raise EnvironmentProblem(ImportNoteTexts.PROCESS_ENDED()) from error
        raise
    return sorted(found, key=lambda part: part.part)


def _log_of(log: Log, part: LogPart) -> Log:
    """As much of a log as one of its parts needs: it is sent to a process."""
    return replace(log, parts=(part,), shapes={file: log.shapes[file] for file in log.shapes if file == part.file})


def _in_tasks(log: Log, out: Path, master: str | None, tell: Callable[[int], None]) -> list[PartSummary]:
    require_java()
    numbers, folder = [part.number for part in log.parts], str(out)

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                summary = import_part(log, log.parts[number], Path(folder))
                line = [pa.array([number], pa.int32()), pa.array([json.dumps(asdict(summary))])]
                yield pa.RecordBatch.from_arrays(line, names=["part", "summary"])

    with some_session(master) as spark:
        lines = spark.sparkContext.parallelize([(number,) for number in numbers], len(numbers))
        frame = spark.createDataFrame(lines, "part int").mapInArrow(work, SUMMARY)
        with _followed(spark, tell), room_needed(out):
            found = {row.part: json.loads(row.summary) for row in frame.collect()}
    return [PartSummary(**found[number]) for number in sorted(found)]


@contextmanager
def _followed(spark: SparkSession, tell: Callable[[int], None]) -> Iterator[None]:
    """Tell how many tasks are done, until the block ends."""
    over, tracker = threading.Event(), spark.sparkContext.statusTracker()

    def follow() -> None:
        while not over.wait(REPORT_EVERY_S):
            stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
            if stages and stages[0] is not None:
                tell(stages[0].numCompletedTasks)

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
