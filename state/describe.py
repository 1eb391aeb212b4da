"""The tables in words: `python -m state.describe` prints docs/tables.md."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from state.row import COLUMNS
from state.table import Table
from state.tables import STATE_TABLES, TABLES

HEAD = """# Tables

Written by `python -m state.describe > docs/tables.md`; the columns are defined in `state/tables.py` and `state/row.py`.
Times are virtual. `us` and `ms` are whole microseconds and milliseconds unless the type is a float.

An output folder holds `TABLE/run=RUN/*.parquet`: pandas, DuckDB and Spark read `run` from the folder's name as a
column. It belongs to every key. RUN is the scenario's name and the first eight digits of its digest, which covers every
setting and the seed (`quickstart-3f2a9c1d`): tables of two runs can be read together. Every file says what it is in its
metadata: `sendlab.table`, `sendlab.key`, `sendlab.run` and `sendlab.version`; and each column its `unit` and `meaning`.
"""
STATE_HEAD = """## What a checkpoint remembers

`sendlab state CHECKPOINT` prints two tables, with `run` and `cell` in front.
"""
ROW_HEAD = """### State row

One row for each run and cell in Spark's state store, as `value.groupState` of its `statestore` reader.

| column | type | meaning |
|---|---|---|
"""


def type_name(kind: pa.DataType) -> str:
    """Name of an Arrow type as readers see it: a dictionary is a text."""
    return "string" if pa.types.is_dictionary(kind) else str(kind)


def described(table: Table, heading: str) -> str:
    """Markdown of one table."""
    rows = "\n".join(
        f"| {column.name} | {type_name(column.type)} | {column.unit} | {column.meaning} |" for column in table.columns
    )
    key = ", ".join(table.key)
    return (
        f"{heading} {table.name}\n\nA row: {table.row}. Key: {key}.\n\n"
        f"| column | type | unit | meaning |\n|---|---|---|---|\n{rows}\n"
    )


def markdown() -> str:
    """The whole of docs/tables.md."""
    outer = _joined(described(table, "##") for table in TABLES.values())
    inner = _joined(described(table, "###") for table in STATE_TABLES.values())
    rows = "".join(f"| {name} | {kind} | {meaning} |\n" for name, kind, meaning in COLUMNS)
    return _joined([HEAD, outer, STATE_HEAD, inner, ROW_HEAD + rows])


def _joined(parts: Iterable[str]) -> str:
    return "\n".join(parts)


if __name__ == "__main__":
    print(markdown(), end="")
