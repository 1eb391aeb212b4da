"""Sender threads and pool threads: the producer that one is of, and the rows of views that a producer has."""

from __future__ import annotations

from typing import Any

from simulator.compiled.jit import rule
from simulator.engine.layout import (
    FIRST_THREAD,
    POLLER_SIZE,
    POLLERS,
    POOL_COUNT,
    POOL_FIRST,
    PRODUCER,
    PRODUCER_ROWS,
    PRODUCER_SIZE,
    THREAD,
    THREAD_COUNT,
    THREAD_SIZE,
    THREADS,
)


@rule(inlined=True)
def producer_of(c: Any, thread: Any) -> Any:
    """Number of a sender thread's producer in the cell."""
    return c[c[THREADS] + thread * THREAD_SIZE + PRODUCER]


@rule(inlined=True)
def producer_of_record(c: Any, m: Any, s: Any) -> Any:
    """The same of the thread whose message the record at `s` is."""
    return producer_of(c, m[s + THREAD])


@rule(inlined=True)
def row_count(c: Any, producer: Any) -> Any:
    """How many rows of views a producer has: one for each of its sender threads, then one for each of its pools'."""
    return (
        c[c[POLLERS] + producer * POLLER_SIZE + THREAD_COUNT]
        + c[c[PRODUCER_ROWS] + producer * PRODUCER_SIZE + POOL_COUNT]
    )


@rule(inlined=True)
def row_at(c: Any, producer: Any, place: Any) -> Any:
    """The row at a place of them; the first is that of the producer's first sender thread."""
    poller = c[POLLERS] + producer * POLLER_SIZE
    own = place - c[poller + THREAD_COUNT]
    return (
        c[poller + FIRST_THREAD] + place
        if own < 0
        else c[c[PRODUCER_ROWS] + producer * PRODUCER_SIZE + POOL_FIRST] + own
    )
