"""Until when a change of a fault item keeps its broker out: the one meaning of "isolates" and "avoids" in what is read.

`simulator.engine.memory.tally` counts the same while it simulates.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from streaming.results.dataset import numbers

FOREVER = np.iinfo(np.int64).max
COLUMNS = ("start_timestamp_ms", "reachable", "available", "removed")


def kept_out_until_us(batch: pa.RecordBatch, *, unreachable_is_out: bool) -> np.ndarray:
    """For each change until when, -1: it keeps nobody out; the next change of its item ends it in any case.

    unreachable_is_out: a broker that is not reachable is kept out until then (5.1.4).
    """
    until_us = numbers(batch.column("start_timestamp_ms")) * 1000
    if unreachable_is_out:
        until_us = np.where(numbers(batch.column("reachable")), until_us, FOREVER)
    free = numbers(batch.column("available")) | numbers(batch.column("removed"))
    return np.where(free, -1, until_us)
