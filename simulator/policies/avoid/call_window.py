"""The results of the last calls, or of the last seconds, and the rates that a circuit breaker judges.

Source: resilience4j 2.3.0, FixedSizeSlidingWindowMetrics, SlidingTimeWindowMetrics and CircuitBreakerMetrics. A window
of time rolls at whole seconds of the clock. Rates are 32-bit floats.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Record, Region, Within, tail

COUNT_BASED, TIME_BASED = range(2)
UNKNOWN_RATE = -1.0
FAILED, SLOW = 1, 2  # what a call was, added up; 0: neither


class CallCounts(Record):
    """Calls that were counted."""

    calls: int
    failed: int
    slow: int


class CallWindow(Record):
    """What is counted at present, and the buckets behind it: one for each call, or for each second."""

    kind: int
    size: int  # buckets in use; 0 of a window that nothing can be put into
    min_calls: int  # below so many the rates are unknown
    head: int
    second: int  # of the clock, of the bucket at `head`; TIME_BASED only
    not_permitted: int
    total: Within[CallCounts]
    bucket_count: int
    buckets: Annotated[Region[CallCounts], tail("bucket_count")]


@rule()
def clear(tally: CallCounts) -> None:
    """Count nothing."""
    tally.calls, tally.failed, tally.slow = 0, 0, 0


@rule()
def reset_window(window: CallWindow, kind: int, size: int, min_calls: int, now_ms: Ms) -> None:
    """Make it an empty window of that kind. A count-based one asks for no more calls than it holds."""
    window.kind, window.size = kind, size
    window.min_calls = min(min_calls, size) if kind == COUNT_BASED else min_calls
    window.head, window.second, window.not_permitted = 0, now_ms // 1_000, 0
    clear(window.total)
    for place in range(size):
        clear(window.buckets[place])


@rule()
def count_call(tally: CallCounts, flags: int) -> None:
    """Add a call that was FAILED, SLOW, both or neither."""
    tally.calls += 1
    tally.failed += flags & FAILED
    tally.slow += flags // SLOW


@rule()
def drop_oldest(window: CallWindow) -> None:
    """Step to the oldest bucket and take it out of the total."""
    window.head = (window.head + 1) % window.size
    bucket = window.buckets[window.head]
    window.total.calls -= bucket.calls
    window.total.failed -= bucket.failed
    window.total.slow -= bucket.slow
    clear(bucket)


@rule()
def roll_to(window: CallWindow, now_ms: Ms) -> None:
    """Drop what is older than the window of time; a window of calls stays."""
    if window.kind == TIME_BASED:
        second = now_ms // 1_000
        for _ in range(min(second - window.second, window.size)):
            drop_oldest(window)
        window.second = second


@rule()
def put_call(window: CallWindow, flags: int, now_ms: Ms) -> bool:
    """Count a call. False: the window has no room at all; the library throws, but its total has counted the call."""
    roll_to(window, now_ms)
    count_call(window.total, flags)
    if window.size == 0:
        return False
    if window.kind == COUNT_BASED:
        drop_oldest(window)
    count_call(window.buckets[window.head], flags)
    return True


@rule()
def rate_of(window: CallWindow, part: int) -> float:
    """That part of the window's calls in percent, UNKNOWN_RATE below the minimum of calls."""
    calls = window.total.calls
    if calls == 0 or calls < window.min_calls:
        return UNKNOWN_RATE
    return float(np.float32(part) * np.float32(100) / np.float32(calls))
