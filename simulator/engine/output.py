"""Where finished rows are put: a table has room for some rows, column after column."""

from __future__ import annotations

from simulator.compiled.records import Cells, Directory, Within
from simulator.engine.tally import Tally

# Columns of the rows put out: sizes only; the order is that of the code that writes them (rows.py).
ATTEMPT_COLUMNS = 12
SEND_COLUMNS = 16
FAULT_ITEM_COLUMNS = 8
WINDOW_COLUMNS = 12


class RowTable(Directory):
    """Column k of row r is at k * room + r of its cells."""

    rows: int
    room: int  # 0: the table is not wanted
    limit: int  # rows beyond which an event might find no room, FAR if the table is not wanted
    cells: Cells


class Output(Directory):
    """All tables, and the tally."""

    attempts: Within[RowTable]
    sends: Within[RowTable]
    fault_items: Within[RowTable]
    windows: Within[RowTable]
    tally: Within[Tally]
