"""Until when a change of a fault item keeps its broker out: the one meaning of "isolates" and "avoids" in what is read.

`simulator.engine.memory.tally` counts the same while it simulates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from simulator.releases.producer_release import CLIENTS
from streaming.outputs.dataset import numbers

FOREVER = np.iinfo(np.int64).max
COLUMNS = ("start_timestamp_ms", "reachable", "available", "removed")


def kept_out_until_us(batch: pa.RecordBatch, *, unreachable_is_out: np.ndarray) -> np.ndarray:
    """For each change until when, -1: it keeps nobody out; the next change of its item ends it in any case.

    unreachable_is_out: bool[producers], a broker that is not reachable is kept out until then (5.1.4).
    """
    until_us = numbers(batch.column("start_timestamp_ms")) * 1000
    stays_out = unreachable_is_out[numbers(batch.column("producer"))] & ~numbers(batch.column("reachable"))
    until_us = np.where(stays_out, FOREVER, until_us)
    free = numbers(batch.column("available")) | numbers(batch.column("removed"))
    return np.where(free, -1, until_us)


def unreachable_is_out(about: Mapping[str, Any]) -> np.ndarray:
    """Whether each producer keeps a broker out that is not reachable until its fault item changes; bool[producers]."""
    groups = about["producer_groups"]
    found = np.zeros(max((group["first"] + group["count"] for group in groups), default=0), np.bool_)
    for group in groups:
        client = CLIENTS.get(str(group.get("release", about["release"])))
        is_out = client is not None and client.unreachable_is_unavailable
        found[group["first"] : group["first"] + group["count"]] = is_out
    return found
