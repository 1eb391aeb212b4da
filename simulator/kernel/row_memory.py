"""The memory of a machine's row tables, and taking out what lies in it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from simulator.compiled.records import Array, Record, Region, size_of
from simulator.kernel.row_table import NO_LIMIT, RowTable, RowTables


class RowMemory:
    """The rows of all tables of a machine.

    kinds: by table its region in `tables`, and what it holds. room: rows that a table has room for; most: those that
    one event may put out, 0 unless it is named. A table that is not `wanted` has no room.
    """

    def __init__(
        self,
        tables: RowTables,
        kinds: Mapping[str, tuple[str, type[Record]]],
        room: Mapping[str, int],
        most: Mapping[str, int],
        wanted: Collection[str],
    ) -> None:
        self._tables = tables
        self._cells: dict[str, Array] = {}
        self._full: list[tuple[str, RowTable]] = []  # how full each is
        for name, (region, record) in kinds.items():
            rows = max(room[name], 2 * most[name]) if name in wanted else 0
            cells = self._cells[name] = np.empty(rows * size_of(record), np.int64)
            table: RowTable = getattr(tables, name)
            self._full.append((name, table))
            table.rows, table.room, table.limit = 0, rows, rows - most[name] if rows else NO_LIMIT
            setattr(tables, region, Region.of(record, cells))

    def take(self) -> Iterator[tuple[str, Array, int]]:
        """The cells of every table with rows, and how many it has; they are used again once the next is asked for."""
        for name, table in self._full:
            if table.rows:
                yield name, self._cells[name], int(table.rows)
                table.rows = 0
        self._tables.full = 0

    def clear(self) -> None:
        """Forget all rows."""
        for _ in self.take():
            pass

    def has_room(self) -> bool:
        """Whether no table has more rows than its limit."""
        return all(table.rows <= table.limit for _, table in self._full)
