"""Hashes of the rows of Parquet files, kept in a file: which rows may be alike, in memory that does not grow with them.

Rows that are equal have the same hash of 64 bits; others hardly ever do, so that what is found must be compared.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

BATCH_ROWS = 1 << 17
HASHES_AT_ONCE = 4_000_000
MIX, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)
NULL = np.uint64(0xA0761D6478BD642F)
Hashes = np.ndarray


class RowHashes:
    """Hashes of the `columns` of all rows of `files`, in order; only rows without a value of `absent`, if it is named.

    The file with 8 bytes a row lies in `folder` without a name until this is closed. count: how many there are.
    """

    def __init__(self, files: Sequence[Path], columns: Sequence[str], folder: Path, *, absent: str | None = None):
        self.count = 0
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        for batch in batches_of(files, [*columns, *([absent] if absent and absent not in columns else [])]):
            rows = batch if absent is None else batch.filter(pc.is_null(batch.column(absent)))
            hashes = _hashed(rows, columns)
            self._file.write(hashes.tobytes())
            self.count += len(hashes)

    def __enter__(self) -> RowHashes:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None):
        self._file.close()

    def chunks(self) -> Iterator[Hashes]:
        """All of them in the order of the rows, some at a time."""
        self._file.seek(0)
        while block := self._file.read(BATCH_ROWS * 8):
            yield np.frombuffer(block, np.uint64)

    def groups(self) -> Iterator[tuple[Hashes, Hashes]]:
        """Every hash once with how many rows have it, all in all; some at a time, in no order."""
        passes = np.uint64(self.count // HASHES_AT_ONCE + 1)
        for number in range(int(passes)):
            own = [chunk[chunk % passes == number] for chunk in self.chunks()]
            sorted_ = np.sort(np.concatenate(own)) if own else np.zeros(0, np.uint64)
            del own
            first = np.flatnonzero(np.r_[True, sorted_[1:] != sorted_[:-1]]) if len(sorted_) else np.zeros(0, int)
            yield sorted_[first], np.diff(np.r_[first, len(sorted_)])


def batches_of(files: Sequence[Path], columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """The rows of Parquet files in order, a batch of at most BATCH_ROWS at a time."""
    for file in files:
        with pq.ParquetFile(file) as opened:
            yield from opened.iter_batches(BATCH_ROWS, columns=list(columns))


def _hashed(rows: pa.RecordBatch, columns: Sequence[str]) -> Hashes:
    found = np.zeros(len(rows), np.uint64)
    for name in columns:
        found = (found ^ _of_column(rows.column(name))) * MIX
        found ^= found >> SHIFT
    return found


def _of_column(column: pa.Array) -> Hashes:
    if pa.types.is_string(column.type):
        named = column.dictionary_encode()
        values = pd.util.hash_array(np.asarray(named.dictionary.to_pylist(), object))
        own = np.append(values, NULL)[pc.fill_null(named.indices, len(values)).to_numpy(zero_copy_only=False)]
    else:
        numbers = pc.fill_null(pc.cast(column, pa.int64()), 0).to_numpy(zero_copy_only=False)
        own = np.where(pc.is_null(column).to_numpy(zero_copy_only=False), NULL, numbers.view(np.uint64) * MIX)
    return own ^ (own >> SHIFT)
