"""Columns of a table as numbers, and rows that belong together."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

NONE = -(1 << 62)  # in the place of a null


def whole(table: pa.Table, name: str) -> Whole:
    """A column of whole numbers or flags; NONE for null."""
    column = pc.fill_null(table.column(name).cast(pa.int64()), NONE)
    return np.asarray(column.to_numpy(zero_copy_only=False), np.int64)


def real(table: pa.Table, name: str) -> npt.NDArray[np.float64]:
    """A column of numbers; 0 for null."""
    return np.asarray(pc.fill_null(table.column(name), 0.0).to_numpy(zero_copy_only=False), np.float64)


def is_any(table: pa.Table, name: str, wanted: set[str]) -> Flags:
    """Whether a row has one of some names."""
    among = pc.is_in(table.column(name).cast(pa.string()), pa.array(sorted(wanted), pa.string()))
    return np.asarray(among.to_numpy(zero_copy_only=False), np.bool_)


def alike(table: pa.Table, *columns: str) -> Whole:
    """A number for each row, from 0, the same for rows that have the same in these columns."""
    found = np.zeros(table.num_rows, np.int64)
    for name in columns:
        _, found = np.unique(found * (table.num_rows + 1) + _codes(table.column(name)), return_inverse=True)
    return found.astype(np.int64)


def alike_in_both(one: pa.Table, other: pa.Table, *columns: str) -> tuple[Whole, Whole]:
    """The same for the rows of two tables."""
    parts = [
        table.select(columns).cast(pa.schema([(name, _plain(one, name)) for name in columns])) for table in (one, other)
    ]
    key = alike(pa.concat_tables(parts), *columns)
    return key[: one.num_rows], key[one.num_rows :]


def _plain(table: pa.Table, name: str) -> pa.DataType:
    kind = table.schema.field(name).type
    return pa.string() if pa.types.is_dictionary(kind) else pa.int64()


def _codes(column: pa.ChunkedArray) -> Whole:
    plain = column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
    encoded = plain.combine_chunks().dictionary_encode(null_encoding="encode")
    return np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64)


def followers(key: Whole, *order: Whole) -> tuple[Whole, Whole]:
    """Rows, and the row after each among those of its key; by the columns of `order`, the first counts most."""
    at = np.lexsort((*reversed(order), key))
    same = key[at[1:]] == key[at[:-1]]
    return at[:-1][same], at[1:][same]


def last_rows(table: pa.Table, *columns: str) -> pa.Table:
    """Of each group of rows that have the same in these columns the row of the last window."""
    is_last = np.ones(table.num_rows, np.bool_)
    is_last[followers(alike(table, *columns), whole(table, "window_start_us"))[0]] = False
    return table.filter(pa.array(is_last))


def so_far(key: Whole, order: Whole, values: Whole) -> Whole:
    """For each row the sum of the values of the rows of its key up to it."""
    at = np.lexsort((order, key))
    running = np.cumsum(values[at])
    begins = np.flatnonzero(np.r_[True, key[at][1:] != key[at][:-1]]) if len(at) else np.zeros(0, np.int64)
    before = np.repeat(running[begins] - values[at][begins], np.diff(np.r_[begins, len(at)]))
    found = np.empty_like(running)
    found[at] = running - before
    return found


def fall(*figures: npt.NDArray[np.float64]) -> Flags:
    """Whether figures of a row that should rise fall; a histogram's percentile may be 1 % above the maximum."""
    return np.any([right * 1.01 + 0.01 < left for left, right in pairwise(figures)], axis=0)
