"""A broker's send queue and the send threads that empty it, and when fast failure looks at it."""

from __future__ import annotations

from typing import Any

from simulator.compiled.jit import rule
from simulator.engine.layout import (
    BROKER_ROWS,
    BROKER_SIZE,
    QUEUE_CAPACITY,
    RING,
    RING_PLACE,
    RINGS,
    SCAN_PHASE_US,
    SERVER_COUNT,
    SERVER_FREE,
    SERVERS,
)
from simulator.engine.periods import start_after_standstill

SCAN_US = 10_000


@rule()
def scan_at(c: Any, m: Any, broker: Any, at_us: Any) -> Any:
    """First scan of fast failure at or after `at_us`; a process that stands still scans when it goes on."""
    phase = c[c[BROKER_ROWS] + broker * BROKER_SIZE + SCAN_PHASE_US]
    return start_after_standstill(c, m, broker, at_us + (phase - at_us) % SCAN_US)


@rule(inlined=True)
def first_free(c: Any, m: Any, fixed: Any, now_us: Any) -> Any:
    """Offset in m of a send thread that is free, else of the one that is free first."""
    first = c[SERVER_FREE] + c[fixed + SERVERS]
    free = first
    for server in range(first, first + c[fixed + SERVER_COUNT]):
        if m[server] < m[free]:
            free = server
        if m[server] <= now_us:
            break
    return free


@rule(inlined=True)
def leave_queue(c: Any, m: Any, fixed: Any, state: Any, at_us: Any) -> None:
    """Note in the broker's ring that the request that just came leaves the send queue at `at_us`."""
    m[c[RINGS] + c[fixed + RING] + m[state + RING_PLACE]] = at_us
    m[state + RING_PLACE] += 1
    if m[state + RING_PLACE] == c[fixed + QUEUE_CAPACITY]:
        m[state + RING_PLACE] = 0


@rule(inlined=True)
def is_full(c: Any, m: Any, fixed: Any, state: Any, now_us: Any) -> Any:
    """Whether the request that left the queue QUEUE_CAPACITY places ago is still in it."""
    return m[c[RINGS] + c[fixed + RING] + m[state + RING_PLACE]] > now_us
