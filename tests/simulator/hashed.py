"""The rows of a run as one hash a table, whatever order and form they come in."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import pandas as pd
import pyarrow as pa

from state.tables import TABLES


def hash_of(name: str, frame: pd.DataFrame) -> str:
    """Hash of a table's rows sorted by their key; raises AssertionError if a key is there twice."""
    table = TABLES[name]
    plain = {}
    for column in table.columns:
        values = frame[column.name]
        if pa.types.is_dictionary(column.type) or pa.types.is_string(column.type):
            plain[column.name] = values.astype(object).where(values.notna(), "").astype(str)
        else:
            plain[column.name] = values.astype("float64")
    rows = pd.DataFrame(plain)
    key = list(table.key)
    assert not rows.duplicated(key).any(), f"{name}: {rows[rows.duplicated(key, keep=False)].head()}"
    rows = rows.sort_values(key, ignore_index=True)
    hashes = pd.util.hash_pandas_object(rows, index=False).to_numpy()
    return f"{len(rows)} rows {hashlib.blake2b(hashes.tobytes(), digest_size=8).hexdigest()}"


def hashes_of(tables: Mapping[str, pa.Table]) -> dict[str, str]:
    """`hash_of` of every table that has rows."""
    return {name: hash_of(name, table.to_pandas()) for name, table in sorted(tables.items()) if table.num_rows}
