"""Tables of finished rows: how full each is, and whether any may have no room for what an event puts out."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Directory

NO_LIMIT = 1 << 62


class RowTable(Directory):
    """How full a table is."""

    rows: int
    room: int  # 0: the table is not wanted
    limit: int  # rows beyond which an event might find no room, NO_LIMIT if the table is not wanted


class RowTables(Directory):
    """All tables of a machine."""

    full: int  # 1: some table has more rows than its limit


@rule(inlined=True)
def next_row(tables: RowTables, table: RowTable) -> int:
    """The number of a further row."""
    row = table.rows
    table.rows = row + 1
    if row >= table.limit:
        tables.full = 1
    return row
