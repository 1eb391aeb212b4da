"""Transactional messages that became readable again, from rows of the table `transactions`.

A broker remembers nothing of what it has ended, and several may have a half message of the same message: a retry stored
it a second time, or a slave that acted for its master put it on another broker. Each of them that is committed makes
the message readable, and groups that do not deduplicate handle it each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

IDENTITY = ("sender", "send_seq", "arrival_us")
COLUMNS = (*IDENTITY, "broker", "stored_us", "settled_us", "delivered")

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class ReadableAgain:
    """Half messages that made their message readable again.

    sender: sender threads; at_us: when; times: how often; is_elsewhere: on another broker than the first time;
    message: a number of its message, so that those of one have the same.
    """

    sender: Numbers
    at_us: Numbers
    times: Numbers
    is_elsewhere: Flags
    message: Numbers

    def __len__(self) -> int:
        return len(self.sender)

    def of(self, chosen: Flags) -> ReadableAgain:
        """Some of them."""
        return ReadableAgain(*(getattr(self, field.name)[chosen] for field in fields(self)))


class ReadableHalves:
    """Reader of `transactions`: what became readable; `brokers`: their names."""

    columns = COLUMNS

    def __init__(self, brokers: Sequence[str]) -> None:
        self._brokers = pa.array(brokers, pa.string())
        self._parts = [np.zeros((len(IDENTITY) + 3, 0), np.int64)]

    def add(self, rows: pa.Table | pa.RecordBatch) -> None:
        """Take the next half messages."""
        rows = rows.filter(pc.greater(rows.column("delivered"), 0))
        if rows.num_rows:
            at_us = pc.coalesce(rows.column("settled_us"), rows.column("stored_us"))
            broker = pc.index_in(rows.column("broker").cast(pa.string()), self._brokers)
            values = (*map(rows.column, IDENTITY), at_us, broker, rows.column("delivered"))
            self._parts.append(np.stack([_ints(own) for own in values]))

    def again(self) -> ReadableAgain:
        """Those of messages that had been readable before, and those that made theirs so several times."""
        halves = np.concatenate(self._parts, axis=1)
        halves = halves[:, np.lexsort(halves[[4, 3, 2, 1, 0]])]
        sender, at_us, broker, delivered = halves[[0, 3, 4, 5]]
        begins = np.r_[True, (halves[:3, 1:] != halves[:3, :-1]).any(axis=0)][: len(sender)]
        first = np.maximum.accumulate(np.where(begins, np.arange(len(sender)), 0))
        times = delivered - begins
        chosen = times > 0
        return ReadableAgain(
            sender[chosen], at_us[chosen], times[chosen], (broker != broker[first])[chosen], first[chosen]
        )  # fmt: skip


def _ints(values: pa.Array | pa.ChunkedArray) -> Numbers:
    return np.asarray(pc.fill_null(values, -1).to_numpy(zero_copy_only=False)).astype(np.int64)
