"""How far a cell is: the document that the operator puts out after each micro-batch."""

from __future__ import annotations

import json
from typing import NamedTuple

from state.row import StateRow


class CellProgress(NamedTuple):
    """How far one cell of one run is, counted since the run began; the words of state/row.py."""

    clock_us: int
    next_window: int
    events_in: int
    events_handled: int
    events_rejected: int
    events_skipped: int
    sends: int
    failures: int
    retries: int


def document_of(row: StateRow, run: str, cell: int) -> bytes:
    """Where the cell stands now, counted since the run began."""
    return json.dumps({"run": run, "cell": cell} | {name: getattr(row, name) for name in CellProgress._fields}).encode()
