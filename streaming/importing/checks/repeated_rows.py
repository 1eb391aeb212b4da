"""Rows that a log has twice, within a file or in several: the first one stays.

A row with a message id that is the same in everything is the same attempt. Without message ids two threads may well
send alike: such rows are taken as repeated only if there are far more of them than by chance, as the rows of the same
producer and moment that differ show.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from streaming.importing.checks.row_hashes import RowHashes, batches_of
from streaming.importing.trace import COLUMNS
from streaming.texts.import_note_texts import ImportNoteTexts

PLACE = ("part", "line")
SAME = tuple(name for name in COLUMNS.names if name not in PLACE)
ROWS_AT_ONCE = 1_000_000
BY_CHANCE_TIMES = 5
Numbers = np.ndarray


@dataclass
class RepeatedRows:
    """How many rows were dropped, by part. first, repeats: part and line of the first of them, and of its like."""

    by_part: dict[int, int] = field(default_factory=dict)
    first: tuple[int, int] = (0, 0)
    repeats: tuple[int, int] = (0, 0)

    @property
    def count(self) -> int:
        """All of them."""
        return sum(self.by_part.values())

    def notes(self, files: Mapping[int, str]) -> list[str]:
        """A sentence, none without such rows; `files`: by part."""
        if not self.count:
            return []
        (part, line), (own_part, own_line) = self.first, self.repeats
        own = f"line {own_line:,}" if files[part] == files[own_part] else f"{files[own_part]}, line {own_line:,}"
        first = f"{files[part]}, line {line:,}"
        return [ImportNoteTexts.DUPLICATES_DROPPED(count=self.count, first=first, repeats=own)]


def drop_repeated(attempts: Path, *, has_producers: bool = True) -> RepeatedRows:
    """Drop rows that repeat an earlier one from the Parquet files of a trace, in place.

    has_producers: whether the log names its producers; those that are named after a file are no difference.
    """
    files = sorted(attempts.glob("*.parquet"))
    names = [name for name in SAME if has_producers or name != "producer"]
    known, unknown = _Dropped(), _Dropped()
    with RowHashes(files, names, attempts.parent) as hashes:
        for suspects in _suspects(hashes):
            frame = _frame(files, names, hashes, suspects)
            is_known = frame["message"].notna()
            known.add(frame[is_known], names)
            unknown.add(frame[~is_known], names)
    if unknown.count and not _more_than_chance(files, names, unknown, has_producers=has_producers):
        unknown = _Dropped()
    found = RepeatedRows()
    if known.count or unknown.count:
        _, found.first, found.repeats = min(known.earliest + unknown.earliest)
        _rewrite(files, pd.concat(known.places + unknown.places), found)
    return found


@dataclass
class _Dropped:
    """Rows that repeat one before. places: their part and line. pairs: of rows that are alike.

    earliest: row in the log, place and place of its like of the first one of each frame.
    """

    places: list[pd.DataFrame] = field(default_factory=list)
    earliest: list[tuple[int, tuple[int, int], tuple[int, int]]] = field(default_factory=list)
    pairs: int = 0

    @property
    def count(self) -> int:
        return sum(map(len, self.places))

    def add(self, frame: pd.DataFrame, names: list[str]) -> None:
        """Take the rows of a frame, which has all rows that are like any of its own, in the order of the log."""
        again = frame.duplicated(names).to_numpy()
        if not again.any():
            return
        sizes = frame.groupby(names, sort=False, dropna=False).size().to_numpy()
        self.pairs += int((sizes * (sizes - 1) // 2).sum())
        self.places.append(frame.loc[again, list(PLACE)])
        row = frame.loc[again].iloc[0]
        same = np.ones(len(frame), bool)
        for name in names:
            value = row[name]
            same &= frame[name].isna().to_numpy() if pd.isna(value) else (frame[name] == value).to_numpy()
        own = frame.loc[same].iloc[0]
        self.earliest.append(
            (int(row["row"]), (int(row["part"]), int(row["line"])), (int(own["part"]), int(own["line"])))
        )


def _suspects(hashes: RowHashes) -> Iterator[Numbers]:
    """Hashes that several rows have, in order; as many at a time as ROWS_AT_ONCE rows have, if one has not more."""
    for values, counts in hashes.groups():
        several = counts > 1
        values, rows = values[several], np.cumsum(counts[several])
        begin = 0
        while begin < len(values):
            before = rows[begin - 1] if begin else 0
            end = max(int(np.searchsorted(rows, before + ROWS_AT_ONCE, side="right")), begin + 1)
            yield values[begin:end]
            begin = end


def _frame(files: Sequence[Path], names: list[str], hashes: RowHashes, suspects: Numbers) -> pd.DataFrame:
    """The rows that have one of these hashes, in the order of the log; `row`: which of the log's each is, from 0."""
    rows, first = [], 0
    for chunk in hashes.chunks():
        at = np.minimum(np.searchsorted(suspects, chunk), len(suspects) - 1)
        rows.append(np.flatnonzero(suspects[at] == chunk) + first)
        first += len(chunk)
    wanted = np.concatenate(rows)
    tables, first = [], 0
    for batch in batches_of(files, [*names, *PLACE]):
        own = wanted[np.searchsorted(wanted, first) : np.searchsorted(wanted, first + len(batch))]
        if len(own):
            tables.append(pa.Table.from_batches([batch.take(pa.array(own - first))]))
        first += len(batch)
    frame = pa.concat_tables(tables).to_pandas(integer_object_nulls=False)
    frame["row"] = wanted
    return frame


def _more_than_chance(files: Sequence[Path], names: list[str], alike: _Dropped, *, has_producers: bool) -> bool:
    """Whether rows without message ids repeat each other far more often than rows of a moment are alike."""
    moment = ["producer", "begin_us"] if has_producers else ["begin_us"]
    values = [name for name in names if name not in moment]
    folder = files[0].parent.parent
    with RowHashes(files, moment, folder, absent="message") as moments:
        pairs = sum(int((sizes * (sizes - 1) // 2).sum()) for _, sizes in moments.groups())
        rows = moments.count
    with RowHashes(files, values, folder, absent="message") as shares:
        by_chance = min(sum(float(((sizes / rows) ** 2).sum()) for _, sizes in shares.groups()), 0.999)
    return float(alike.count) > BY_CHANCE_TIMES * float(pairs - alike.pairs) * by_chance / (1 - by_chance)


def _rewrite(files: Sequence[Path], dropped: pd.DataFrame, found: RepeatedRows) -> None:
    lines = {int(part): pa.array(rows["line"].to_numpy(), pa.int64()) for part, rows in dropped.groupby("part")}
    for file in files:
        with pq.ParquetFile(file) as opened:
            part = next(opened.iter_batches(1, columns=["part"])).column(0)[0].as_py()
        if part not in lines:
            continue
        kept = count = 0
        written = file.with_name(f".{file.name}.{os.getpid()}")
        with pq.ParquetWriter(written, COLUMNS, compression="zstd") as out:
            for batch in batches_of([file], COLUMNS.names):
                rest = batch.filter(pc.invert(pc.is_in(batch.column("line"), lines[part])))
                out.write_batch(rest.cast(COLUMNS))
                kept, count = kept + len(rest), count + len(batch)
        found.by_part[part] = count - kept
        os.replace(written, file)
        if not kept:
            file.unlink()
