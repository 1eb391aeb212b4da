"""Samples of requests collected over a window before a limit sees their mean.

Source: Netflix concurrency-limits 0.5.3, WindowedLimit and ImmutableAverageSampleWindow (window 1 s, at least 10
samples, round trips of at least 100 us).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Record


class SampleWindow(Record):
    """The samples of the open window, and the mean of the last one that was handed on."""

    min_window_ns: int
    max_window_ns: int
    window_size: int
    min_rtt_ns: int
    next_update_ns: int
    count: int
    sum_ns: int
    least_ns: int
    most_inflight: int
    dropped: int
    mean_rtt_ns: int
    mean_inflight: int
    mean_dropped: int


@rule()
def add_sample(window: SampleWindow, start_ns: int, rtt_ns: int, inflight: int, dropped: int) -> bool:
    """Add a request that has ended; whether `mean_*` of the window are to be handed on. Too few are thrown away."""
    if rtt_ns < window.min_rtt_ns:
        return False
    window.least_ns = rtt_ns if window.count == 0 else min(window.least_ns, rtt_ns)
    window.count += 1
    window.sum_ns += rtt_ns
    window.most_inflight = max(window.most_inflight, inflight)
    window.dropped |= dropped
    end_ns = start_ns + rtt_ns
    if end_ns <= window.next_update_ns:
        return False
    window.next_update_ns = end_ns + min(max(window.least_ns * 2, window.min_window_ns), window.max_window_ns)
    count = window.count
    window.mean_rtt_ns = window.sum_ns // count
    window.mean_inflight, window.mean_dropped = window.most_inflight, window.dropped
    window.count, window.sum_ns, window.most_inflight, window.dropped = 0, 0, 0, 0
    return count >= window.window_size
