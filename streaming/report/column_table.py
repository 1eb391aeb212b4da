"""A table of a report's page: what columns say of rows, as text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from streaming.outputs.tables.later_columns import Columns


@dataclass(frozen=True)
class ColumnTable:
    """head: name and unit of each column; total: the last row is that; empty: what is shown in place of no rows."""

    title: str
    head: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    total: bool = False
    compact: bool = False
    empty: str = ""


def column_table(
    title: str, columns: Columns, rows: Iterable[Any], *, total: bool = False, compact: bool = False, empty: str = ""
) -> ColumnTable:
    """The table; a column without a name of its own is under that of the one before it."""
    head: list[tuple[str, str]] = []
    for header, _ in columns:
        name, _, unit = header.partition("\n")
        head.append((name or head[-1][0], unit))
    texts = tuple(tuple(text(row) for _, text in columns) for row in rows)
    return ColumnTable(title, tuple(head), texts, total, compact, empty)
