"""Half messages whose broker ends them long after their local transactions, from rows of the table `transactions`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

LATE_US = 1_000_000  # an end request that arrives takes milliseconds
COLUMNS = ("sender", "local_end_us", "settled_us", "fate", "by_check")
COMMITTED, OPEN = "committed", "open"

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class LateHalves:
    """Half messages that became readable later than LATE_US after their local transactions ended, or are open so long.

    sender: sender threads; since_us: when the local transactions ended; late_us: for how long they were not readable
    after that; by_check: the answer of a check ended them; is_open: nothing has ended them yet.
    """

    sender: Numbers
    since_us: Numbers
    late_us: Numbers
    by_check: Flags
    is_open: Flags

    def __len__(self) -> int:
        return len(self.sender)

    def of(self, chosen: Flags) -> LateHalves:
        """Some of them."""
        return LateHalves(*(getattr(self, field.name)[chosen] for field in fields(self)))


def late_halves(rows: pa.Table | pa.RecordBatch, until_us: int) -> LateHalves:
    """The late ones of some rows of `transactions`, as known at `until_us`.

    Copies that no local transaction followed are none: to their sender they failed. Nor are those that were
    rolled back, as nobody waits for them, or given up.
    """
    fate = rows.column("fate").cast(pa.string())
    is_open = _flags(pc.equal(fate, OPEN))
    ended = _flags(pc.equal(fate, COMMITTED))
    since_us = _ints(rows.column("local_end_us"), -1)
    until = np.where(is_open, until_us, _ints(rows.column("settled_us"), 0))
    late = (since_us >= 0) & (ended | is_open) & (until - since_us > LATE_US)
    by_check = _flags(rows.column("by_check"))
    return LateHalves(_ints(rows.column("sender"), 0), since_us, until - since_us, by_check, is_open).of(late)


def all_of(parts: Iterable[LateHalves]) -> LateHalves:
    """Parts as one."""
    kept = list(parts)
    none = LateHalves(*(np.zeros(0, np.int64),) * 3, *(np.zeros(0, np.bool_),) * 2)
    return LateHalves(*(np.concatenate([getattr(one, own.name) for one in (none, *kept)]) for own in fields(none)))


def _ints(values: pa.Array | pa.ChunkedArray, missing: int) -> Numbers:
    return np.asarray(pc.fill_null(values, missing).to_numpy(zero_copy_only=False)).astype(np.int64)


def _flags(values: pa.Array | pa.ChunkedArray) -> Flags:
    return np.asarray(pc.fill_null(values, False).to_numpy(zero_copy_only=False)).astype(np.bool_)
