"""Rows that a log has twice, within a file or in several: the first one stays.

A row with a message id that is the same in everything is the same attempt. Without message ids two threads may well
send alike: such rows are taken as repeated only if there are far more of them than by chance, as the rows of the same
producer and moment that differ show.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from streaming.importing.trace import COLUMNS

PLACE = ("part", "line")
SAME = tuple(name for name in COLUMNS.names if name not in PLACE)
ROWS_AT_ONCE = 4_000_000
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
        rows = "1 row is" if self.count == 1 else f"{self.count:,} rows are"
        return [f"{rows} in the log twice and dropped; the first: {files[part]}, line {line:,} repeats {own}"]


def drop_repeated(attempts: Path, *, has_producers: bool = True) -> RepeatedRows:
    """Drop rows that repeat an earlier one from the Parquet files of a trace, in place.

    has_producers: whether the log names its producers; those that are named after a file are no difference.
    """
    files = sorted(attempts.glob("*.parquet"))
    rows = sum(pq.read_metadata(file).num_rows for file in files)
    passes = rows // ROWS_AT_ONCE + 1
    names = [name for name in SAME if has_producers or name != "producer"]
    found = RepeatedRows()
    dropped: list[pd.DataFrame] = []
    for number in range(passes):
        frame = _frame(files, names, passes, number)
        again = _repeated(frame, names, has_producers=has_producers)
        if again.any() and not dropped:
            _place_first(found, frame, names, again)
        if again.any():
            dropped.append(frame.loc[again, list(PLACE)])
    if dropped:
        _rewrite(files, pd.concat(dropped), found)
    return found


def _frame(files: list[Path], names: list[str], passes: int, number: int) -> pd.DataFrame:
    """Rows of the moments that are this pass's, in the order of the log."""
    frames = []
    for file in files:
        table = pq.read_table(file, columns=[*names, *PLACE])
        if passes > 1:
            places = pc.divide(table.column("begin_us"), 1_000).to_numpy() % passes
            table = table.filter(pa.array(places == number))
        frames.append(table.to_pandas(integer_object_nulls=False))
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=[*names, *PLACE])


def _repeated(frame: pd.DataFrame, names: list[str], *, has_producers: bool) -> Numbers:
    again = frame.duplicated(names).to_numpy()
    if not again.any():
        return again
    known = frame["message"].notna().to_numpy()
    unknown = frame.loc[~known]
    if again[~known].any() and not _more_than_chance(unknown, again[~known], names, has_producers=has_producers):
        again = again & known
    return again


def _more_than_chance(frame: pd.DataFrame, again: Numbers, names: list[str], *, has_producers: bool) -> bool:
    """Whether rows without message ids repeat each other far more often than rows of a moment are alike."""
    moment = ["producer", "begin_us"] if has_producers else ["begin_us"]
    sizes = frame.groupby(moment, sort=False).size().to_numpy()
    same = frame.groupby(names, sort=False, dropna=False).size().to_numpy()
    different = float((sizes * (sizes - 1) // 2).sum() - (same * (same - 1) // 2).sum())
    values = [name for name in names if name not in moment]
    shares = frame.groupby(values, sort=False, dropna=False).size().to_numpy() / len(frame)
    alike = min(float((shares**2).sum()), 0.999)
    return float(again.sum()) > BY_CHANCE_TIMES * different * alike / (1 - alike)


def _place_first(found: RepeatedRows, frame: pd.DataFrame, names: list[str], again: Numbers) -> None:
    row = frame.loc[again].iloc[0]
    same = np.ones(len(frame), bool)
    for name in names:
        value = row[name]
        same &= frame[name].isna().to_numpy() if pd.isna(value) else (frame[name] == value).to_numpy()
    own = frame.loc[same].iloc[0]
    found.first, found.repeats = (int(row["part"]), int(row["line"])), (int(own["part"]), int(own["line"]))


def _rewrite(files: list[Path], dropped: pd.DataFrame, found: RepeatedRows) -> None:
    lines = {int(part): rows["line"].to_numpy() for part, rows in dropped.groupby("part")}
    for file in files:
        table = pq.read_table(file)
        part = table.column("part")[0].as_py()
        if part not in lines:
            continue
        rest = table.filter(pc.invert(pc.is_in(table.column("line"), pa.array(lines[part], pa.int64()))))
        found.by_part[part] = len(table) - len(rest)
        written = file.with_name(f".{file.name}.{os.getpid()}")
        pq.write_table(rest, written, compression="zstd")
        os.replace(written, file)
        if not len(rest):
            file.unlink()
