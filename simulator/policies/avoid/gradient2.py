"""A limit of concurrent requests from how a round trip compares with their long average. Drops are ignored.

Source: Netflix concurrency-limits 0.5.3, Gradient2Limit and ExpAvgMeasurement (initial 20, minimum 20, maximum 200,
smoothing 0.2, long window 600, tolerance 1.5, queue 4).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Record

INITIAL = 20
MINIMUM = 20
MAXIMUM = 200
SMOOTHING = 0.2
LONG_WINDOW = 600
TOLERANCE = 1.5
QUEUE = 4
WARM_UP = 10  # samples of a plain mean before the long average forgets
DRIFT, RECOVERY = 2.0, 0.95  # a long average so many times too long is shortened by this factor


class Gradient2(Record):
    """The estimate and the long average of round trips."""

    estimate: float
    minimum: int
    maximum: int
    queue: int
    smoothing: float
    tolerance: float
    long_window: int
    long_rtt_ns: float
    warm_up_count: int
    warm_up_sum_ns: float


@rule()
def long_average(state: Gradient2, rtt_ns: int) -> float:
    """The long average with a sample added."""
    if state.warm_up_count < WARM_UP:
        state.warm_up_count += 1
        state.warm_up_sum_ns += rtt_ns
        state.long_rtt_ns = state.warm_up_sum_ns / state.warm_up_count
    else:
        factor = 2.0 / (state.long_window + 1)
        state.long_rtt_ns = state.long_rtt_ns * (1 - factor) + rtt_ns * factor
    return state.long_rtt_ns


@rule()
def update_gradient2(state: Gradient2, rtt_ns: int, inflight: int) -> int:
    """The limit after a request has ended; this sample still uses the average that it shortens."""
    long_ns = long_average(state, rtt_ns)
    if long_ns / rtt_ns > DRIFT:
        state.long_rtt_ns = long_ns * RECOVERY
    estimate = state.estimate
    if inflight >= estimate / 2:
        gradient = max(0.5, min(1.0, state.tolerance * long_ns / rtt_ns))
        limit = estimate * gradient + state.queue
        limit = estimate * (1 - state.smoothing) + limit * state.smoothing
        state.estimate = max(float(state.minimum), min(float(state.maximum), limit))
    return int(state.estimate)
