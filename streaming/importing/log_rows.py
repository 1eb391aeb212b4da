"""LogRows of a log on their way to a trace: the columns of sound ones, and the rejects."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from streaming.importing.log_part import LogPart
from streaming.importing.trace import COLUMNS, REJECT_COLUMNS

RECORD_MAX = 1_000


@dataclass
class LogNotes:
    """What else was met in a log.

    forms: of its times, by how many rows have them. passed: what is no row, or is odd, by its number.
    """

    forms: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)


class LogRows:
    """Collects the rows of one part; a row is a tuple in the order of `names`, all other columns are null."""

    def __init__(self, part: LogPart, names: tuple[str, ...], noun: str) -> None:
        self.part, self.names, self.noun = part, names, noun
        self.rows: list[tuple[Any, ...]] = []
        self.lines: list[int] = []
        self.rejects: list[tuple[str, str, str, str]] = []

    def add(self, line: int, row: tuple[Any, ...]) -> None:
        """Take a sound row."""
        self.lines.append(line)
        self.rows.append(row)

    def reject(self, line: int, reason: str, record: str, value: str = "") -> None:
        """Set a row aside; `reason` has no value in it, so that rejects can be grouped: that is `value`."""
        self.rejects.append((f"{self.part.file}, {self.noun} {line}", reason, record[:RECORD_MAX], value))

    def take(self) -> tuple[pa.Table, pa.Table]:
        """What has come since the last call: sound rows (COLUMNS) and rejects."""
        columns: dict[str, Any] = dict(zip(self.names, zip(*self.rows, strict=True), strict=True)) if self.rows else {}
        count = len(self.rows)
        columns |= {"part": [self.part.number] * count, "line": self.lines}
        arrays = [
            pa.array(columns[field.name], field.type) if field.name in columns else pa.nulls(count, field.type)
            for field in COLUMNS
        ]
        rejected = pa.Table.from_pylist(
            [dict(zip(REJECT_COLUMNS.names, row, strict=True)) for row in self.rejects], REJECT_COLUMNS
        )
        self.rows, self.lines, self.rejects = [], [], []
        return pa.Table.from_arrays(arrays, schema=COLUMNS), rejected
