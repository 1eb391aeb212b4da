"""A state row: what one (run, cell) remembers between micro-batches, and the one decoder that turns it into tables."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from state.layout_texts import LayoutTexts
from state.packing import LAYOUT_VERSION, LayoutError
from state.table import Table
from state.tables import COUNTERS, FAULT_TABLE

# (name, Spark SQL type, meaning); scalars and binaries only, lower case (Spark refuses the rest in state columns).
COLUMNS = (
    ("version", "int", "layout of this row and of its binary parts"),
    ("digest", "string", "digest of the scenario, its seed and release"),
    ("clock_us", "bigint", "virtual time reached"),
    ("next_window", "bigint", "first window of virtual time that has not been stepped"),
    ("events_in", "bigint", "events that reached the cell"),
    ("events_handled", "bigint", "events that were used"),
    ("events_rejected", "bigint", "events that went to the rejects table"),
    ("events_skipped", "bigint", "events used that met a blocked thread and sent nothing"),
    ("sends", "bigint", "sends that have ended, a batch as one"),
    ("failures", "bigint", "of those, with any result but SEND_OK (one-way: SENT_ONEWAY)"),
    ("retries", "bigint", "attempts of those beyond the first"),
    ("counters", "binary", "table counters, Arrow IPC stream"),
    ("fault_items", "binary", "table fault_items, Arrow IPC stream"),
    ("engine", "binary", "the rest, see state/packing.py"),
    ("intake", "binary", "events ahead of complete time, and how far their source is; packed alike, or empty"),
)
SPARK_SCHEMA = ", ".join(f"{name} {kind}" for name, kind, _ in COLUMNS)


@dataclass(frozen=True)
class StateRow:
    """Fields of one state row, in the order of COLUMNS."""

    version: int
    digest: str
    clock_us: int
    next_window: int
    events_in: int
    events_handled: int
    events_rejected: int
    events_skipped: int
    sends: int
    failures: int
    retries: int
    counters: bytes
    fault_items: bytes
    engine: bytes
    intake: bytes = b""

    def as_tuple(self) -> tuple[object, ...]:
        """Values in the order of COLUMNS."""
        return tuple(getattr(self, name) for name, _, _ in COLUMNS)


def encode_table(table: pa.Table) -> bytes:
    """Arrow IPC stream of a table."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def _decode_table(kind: Table, data: bytes) -> pa.Table:
    try:
        table = pa.ipc.open_stream(data).read_all()
    except (pa.ArrowException, OSError) as error:
        raise LayoutError(LayoutTexts.TABLE_DAMAGED(table=kind.name, why=error)) from error
    if table.schema != kind.schema:
        raise LayoutError(LayoutTexts.OTHER_COLUMNS(table=kind.name))
    return table


def decode_tables(row: StateRow) -> dict[str, pa.Table]:
    """The typed tables of a state row by name: counters and fault_items. Raises LayoutError if they are damaged."""
    if row.version != LAYOUT_VERSION:
        raise LayoutError(LayoutTexts.OTHER_LAYOUT(stored=row.version, layout=LAYOUT_VERSION))
    return {
        COUNTERS.name: _decode_table(COUNTERS, row.counters),
        FAULT_TABLE.name: _decode_table(FAULT_TABLE, row.fault_items),
    }
