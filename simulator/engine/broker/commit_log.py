"""The commit log of a broker: one put at a time, its lock, stalls of the disk and the busy page cache."""

from __future__ import annotations

from typing import Any

from simulator.compiled.jit import rule
from simulator.engine.layout import (
    BROKER_ROWS,
    BROKER_SIZE,
    BROKER_STATE_SIZE,
    BROKER_STATES,
    BUSY_FROM_US,
    BUSY_UNTIL_US,
    LOCK_BUSY_MS,
    LOCK_FREE_US,
)
from simulator.engine.periods import end_of_work, end_with_disk, start_after_standstill


@rule()
def append(c: Any, m: Any, broker: Any, now_us: Any, start_us: Any, append_us: Any) -> Any:
    """When a put whose service starts at `start_us` is appended; it holds the lock from when that is free.

    A put that a stall of the disk catches keeps the lock. Held for more than osPageCacheBusyTimeOutMills, the page
    cache is busy until it is released (DefaultMessageStore.isOSPageCacheBusy, 4.2.0-5.3.3). Only stalls count: a
    process that stands still does not look at its clock, and an append takes microseconds.
    """
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    begin_us = max(start_us, m[state + LOCK_FREE_US])
    end_us = end_with_disk(c, m, broker, begin_us, append_us)
    m[state + LOCK_FREE_US] = end_us
    busy_us = (begin_us // 1000 + c[c[BROKER_ROWS] + broker * BROKER_SIZE + LOCK_BUSY_MS] + 1) * 1000
    unstalled_us = end_of_work(c, m, broker, start_after_standstill(c, m, broker, begin_us), append_us)
    if end_us > busy_us and end_us > unstalled_us:
        # Holders that follow each other without a pause make one busy time.
        if m[state + BUSY_UNTIL_US] <= now_us:
            m[state + BUSY_FROM_US] = busy_us
        m[state + BUSY_UNTIL_US] = end_us
    return end_us
