"""Fewer and larger files, and none that is too old, in the tables of a run: any reader sees each row once throughout.

The new files of a table are made beside it; then the two folders change places at once. A merged file has the name of
the first that it holds, so that files stay in the order of their micro-batches. Those of the last micro-batch are left
as they are: a job that goes on may write them again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

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


def _merge(group: Sequence[_File], stage: Path, table: str, run: str) -> None:
    files = ParquetFiles(stage, group[0].path.stem)
    try:
        for file in group:
            for batch in pq.ParquetFile(file.path).iter_batches():
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

    Only files all of whose rows are older are. Raises InputError for a damaged file, EnvironmentProblem; a table is
    then as it was.
    """
    stage = out / STAGE
    shutil.rmtree(stage, ignore_errors=True)  # of one that was killed
    folders = _folders(out)
    last_batch = _first_left_alone(folders, is_finished=is_finished)
    try:
        return [_compact_table(folder, stage, last_batch, oldest_us) for folder in folders]
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def compact_noted(
    out: Path, note: Callable[[dict[str, int]], None], *, is_finished: bool, oldest_us: int, removed_before_us: int
) -> list[Compacted]:
    """The same, and what run.json is to say of it: first, so that a compaction that is killed is known, too.

    Files of micro-batches before `compacted_before` are merged, rows from before `removed_before_us` removed: given as
    it was until now, it stays so where no row is removed.
    """
    first = _first_left_alone(_folders(out), is_finished=is_finished)
    note({"compacted_before": first, "removed_before_us": max(oldest_us, removed_before_us, 0)})
    tables = compact(out, is_finished=is_finished, oldest_us=oldest_us)
    if not any(table.dropped_rows for table in tables):
        note({"compacted_before": first, "removed_before_us": removed_before_us})
    return tables
