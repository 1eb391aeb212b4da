"""Arrow columns from numpy arrays: without a copy where nothing is missing, and without pandas.

`pyarrow.array` imports pandas wherever it is installed, a quarter of a second that a short simulation does not need.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Flags = npt.NDArray[np.bool_]


def _bits(flags: Flags) -> pa.Buffer:
    return pa.py_buffer(np.packbits(flags, bitorder="little"))


def _valid(missing: Flags | None) -> pa.Buffer | None:
    return None if missing is None or not missing.any() else _bits(~missing)


def numbers(values: npt.NDArray[Any], kind: Any = None, missing: Flags | None = None) -> pa.Array:
    """Column of numbers [n] as numpy's `kind`, else as their own; null where `missing`."""
    cells = np.ascontiguousarray(values, kind)
    buffers = [_valid(missing), pa.py_buffer(cells)]
    return pa.Array.from_buffers(pa.from_numpy_dtype(cells.dtype), len(cells), buffers)


def flags(values: npt.NDArray[Any], missing: Flags | None = None) -> pa.Array:
    """Column of booleans [n], null where `missing`."""
    return pa.Array.from_buffers(pa.bool_(), len(values), [_valid(missing), _bits(values)])


def texts(values: Sequence[str]) -> pa.Array:
    """Column of texts, none of them null."""
    encoded = [value.encode() for value in values]
    ends = np.array([0, *accumulate(map(len, encoded))], np.int32)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(encoded), buffers)


def named(index: npt.NDArray[Any], names: Sequence[str]) -> pa.Array:
    """Dictionary column of the names at the indices [n], null where an index is none of theirs."""
    missing = (index < 0) | (index >= len(names))
    return pa.DictionaryArray.from_arrays(numbers(index, np.int32, missing), texts(names))


def places(column: pa.Array | pa.ChunkedArray, names: Sequence[str]) -> npt.NDArray[np.int64]:
    """What `named` was given: the places in `names` of a dictionary column's values [n]. Raises ValueError."""
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    known = np.array([list(names).index(name) for name in whole.dictionary.to_pylist()], np.int64)
    found: npt.NDArray[np.int64] = known[whole.indices.to_numpy()]
    return found
