"""What changed in the state between two micro-batches: the rows that are new, other than they were, or gone."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from state.tables import STATE_TABLES

NEW, CHANGED, GONE = "new", "changed", "gone"


def _by_key(table: pa.Table, name: str) -> dict[tuple[object, ...], dict[str, object]]:
    key = ("run", "cell", *STATE_TABLES[name].key)
    return {tuple(row[column] for column in key): row for row in table.to_pylist()}


def changes_between(before: Mapping[str, pa.Table], now: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    """State tables, `run` and `cell` in front, with a column `change` at the end; of what is gone the row it was."""
    found = {}
    for name, table in now.items():
        there, here = _by_key(before[name], name), _by_key(table, name)
        rows = [
            row | {"change": CHANGED if key in there else NEW} for key, row in here.items() if there.get(key) != row
        ]
        rows += [row | {"change": GONE} for key, row in there.items() if key not in here]
        schema = pa.schema([*table.schema, pa.field("change", pa.string())])
        found[name] = pa.Table.from_pylist(rows, schema)
    return found
