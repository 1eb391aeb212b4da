"""Fewer and larger files, and none that is too old, in the tables of a run: any reader sees each row once throughout.

The new files of a table are made beside it; then the two folders change places at once. A merged file has the name of
the first that it holds, so that files stay in the order of their micro-batches. Those of the last micro-batch are left
as they are: a job that goes on may write them again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from simulator.units import US_PER_S
from state.tables import TABLES
from streaming.errors import InputError
from streaming.files.exchange import exchange
from streaming.files.parquet_files import SPARE_PREFIX, STAGE, ParquetFiles
from streaming.outputs.dataset import BATCH
from streaming.texts.output_texts import OutputTexts

SMALL_BYTES = 64 << 20  # a file at least as large is left as it is
SPAN_US = 86_400 * US_PER_S  # of virtual time, at most, in a merged file: so that it grows too old as a whole
WINDOW_START = "window_start_us"
# The column with the time of a row. A table that is not here is kept whole: its rows hold until the next, or have none.
TIMES = {
    "attempts": "end_us", "sends": "end_us", "proxied_attempts": "end_us", "consumed": "end_us",
    "fault_items": "at_us", "rebalances": "at_us", "assignments": "until_us", "transactions": "stored_us",
    "windows": WINDOW_START, "stored": WINDOW_START, "consumer_windows": WINDOW_START, "delays": WINDOW_START,
    "retries": WINDOW_START, "transaction_windows": WINDOW_START, "check_backs": WINDOW_START, "pops": WINDOW_START,
}  # fmt: skip


@dataclass(frozen=True)
class Compacted:
    """What became of a table: how many files it had and has, and how many rows were older and are removed."""

    table: str
    before: int
    after: int
    dropped_rows: int


@dataclass(frozen=True)
class _File:
    path: Path
    size_bytes: int
    rows: int
    first_us: int
    last_us: int  # of the rows' time; 0 for a table without


def _file(path: Path, column: str | None) -> _File:
    try:
        meta = pq.read_metadata(path)
    except (pa.ArrowException, OSError) as error:
        raise InputError(OutputTexts.TABLE_DAMAGED(why=error).at(path)) from error
    place = meta.schema.names.index(column) if column else 0
    groups = [meta.row_group(number).column(place).statistics for number in range(meta.num_row_groups)]
    known = [each for each in groups if column and each is not None and each.has_min_max]
    first, last = min((each.min for each in known), default=0), max((each.max for each in known), default=0)
    return _File(path, path.stat().st_size, meta.num_rows, int(first), int(last))


def _groups(files: Sequence[_File]) -> Iterator[list[_File]]:
    """Files that follow each other and become one."""
    group: list[_File] = []
    for file in files:
        whole = [*group, file]
        span_us = max(each.last_us for each in whole) - min(each.first_us for each in whole)
        if group and (sum(each.size_bytes for each in whole) > SMALL_BYTES or span_us > SPAN_US):
            yield group
            group = [file]
        else:
            group = whole
    if group:
        yield group


def _batches(path: Path) -> Iterator[pa.RecordBatch]:
    try:
        yield from pq.ParquetFile(path).iter_batches()
    except (pa.ArrowException, OSError) as error:
        raise InputError(OutputTexts.TABLE_DAMAGED(why=error).at(path)) from error


def _merge(group: Sequence[_File], stage: Path, table: str, run: str) -> None:
    files = ParquetFiles(stage, group[0].path.stem)
    try:
        for file in group:
            for batch in _batches(file.path):
                rows = pa.Table.from_batches([batch])
                files.write(run, table, rows.cast(TABLES[table].schema))
        files.close()
    except BaseException:
        files.discard()
        raise


def _compact_table(folder: Path, stage: Path, last_batch: int, oldest_us: int) -> Compacted:
    """One TABLE/run=RUN folder; files of micro-batches from `last_batch` on are left as they are."""
    table, run = folder.parent.name, folder.name.removeprefix("run=")
    paths = sorted(path for path in folder.iterdir() if not path.name.startswith(SPARE_PREFIX))
    own = {path: match for path in paths if (match := BATCH.fullmatch(path.name))}
    column = TIMES.get(table)
    files = [_file(path, column) for path, match in own.items() if int(match[1]) < last_batch]
    old = [file for file in files if column and file.rows and file.last_us < oldest_us]
    groups = list(_groups([file for file in files if file not in old]))
    after = len(paths) - len(files) + len(groups)
    if len(paths) == after:
        return Compacted(table, len(paths), after, 0)
    staged = stage / table / folder.name
    staged.mkdir(parents=True)
    for path in set(paths) - {file.path for file in files}:
        os.link(path, staged / path.name)
    for group in groups:
        if len(group) == 1:
            os.link(group[0].path, staged / group[0].path.name)
        else:
            _merge(group, stage, table, run)
    exchange(staged, folder)
    return Compacted(table, len(paths), after, sum(file.rows for file in old))


def _folders(out: Path) -> list[Path]:
    return sorted(path for table in TABLES for path in (out / table).glob("run=*") if path.is_dir())


def _first_left_alone(folders: Sequence[Path], *, is_finished: bool) -> int:
    numbers = [int(match[1]) for each in folders for path in each.iterdir() if (match := BATCH.fullmatch(path.name))]
    return max(numbers, default=0) + int(is_finished)


def compact(out: Path, *, is_finished: bool, oldest_us: int = 0) -> list[Compacted]:
    """Compact every table of an output folder that nobody else writes into; rows before `oldest_us` may be left out.

    Only files all of whose rows are older are. Raises InputError for a damaged file, EnvironmentProblem; that table is
    then as it was.
    """
    return list(_compacted(out, is_finished=is_finished, oldest_us=oldest_us))


def _compacted(out: Path, *, is_finished: bool, oldest_us: int) -> Iterator[Compacted]:
    stage = out / STAGE
    shutil.rmtree(stage, ignore_errors=True)  # of one that was killed
    folders = _folders(out)
    last_batch = _first_left_alone(folders, is_finished=is_finished)
    try:
        for folder in folders:
            yield _compact_table(folder, stage, last_batch, oldest_us)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def compact_noted(
    out: Path, about: Mapping[str, Any], note: Callable[[dict[str, int]], None], *, is_finished: bool, oldest_us: int
) -> list[Compacted]:
    """The same of a run that run.json says `about`, and what it is to say then: first, so that a kill leaves it known.

    Files of micro-batches before `compacted_before` are merged, rows from before `removed_before_us` removed. Where no
    table was changed, or no row removed, it stays as it was, even after an error.
    """
    first = _first_left_alone(_folders(out), is_finished=is_finished)
    was = {name: int(about.get(name, 0)) for name in ("compacted_before", "removed_before_us")}
    merged = {"compacted_before": first}
    removed = {"removed_before_us": max(oldest_us, was["removed_before_us"])}
    note(merged | removed)
    tables: list[Compacted] = []

    def note_what_is_done() -> None:
        is_changed = any(table.before != table.after for table in tables)
        has_dropped = any(table.dropped_rows for table in tables)
        note(was | (merged if is_changed else {}) | (removed if has_dropped else {}))

    try:
        for table in _compacted(out, is_finished=is_finished, oldest_us=oldest_us):
            tables.append(table)
    except Exception:
        note_what_is_done()
        raise
    note_what_is_done()
    return tables
