"""A limit of concurrent requests from the delay that queueing adds to the least round trip seen.

Source: Netflix concurrency-limits 0.5.3, VegasLimit (initial 20, maximum 1000, smoothing 1, probe multiplier 30).
"""

from __future__ import annotations

import math

from simulator.compiled.jit import rule
from simulator.compiled.records import Record

INITIAL = 20
MAXIMUM = 1_000
SMOOTHING = 1.0
PROBE_MULTIPLIER = 30
BETA, ALPHA = 6, 3  # queue lengths, in units of the limit's logarithm


class Vegas(Record):
    """The estimate, what it was made from and the next probe."""

    estimate: float
    maximum: int
    smoothing: float
    probe_multiplier: int
    base_rtt_ns: int  # 0: none yet
    samples: int  # since the last probe
    jitter: float  # of the next probe, in [0.5, 1)


@rule()
def whole_log10(limit: int) -> int:
    """The decimal logarithm of a limit rounded down, at least 1."""
    digits, power = 0, 10
    while power <= limit:
        digits += 1
        power *= 10
    return max(1, digits)


@rule()
def moved_estimate(state: Vegas, rtt_ns: int, inflight: int, dropped: int) -> float:
    """Where a sample would put the estimate, before bounds and smoothing; the estimate itself: nowhere."""
    estimate = state.estimate
    step = whole_log10(int(estimate))
    if dropped:
        return estimate - step
    if inflight * 2 < estimate:
        return estimate
    queue = math.ceil(estimate * (1 - state.base_rtt_ns / rtt_ns))
    if queue <= step:
        return estimate + BETA * step
    if queue < ALPHA * step:
        return estimate + step
    if queue > BETA * step:
        return estimate - step
    return estimate


@rule()
def update_vegas(state: Vegas, rtt_ns: int, inflight: int, dropped: int, next_jitter: float) -> int:
    """The limit after a request has ended. A probe or a new least round trip swallows the sample, even a drop."""
    state.samples += 1
    if state.jitter * state.probe_multiplier * state.estimate <= state.samples:
        state.samples = 0
        state.jitter = next_jitter
        state.base_rtt_ns = rtt_ns
    elif state.base_rtt_ns == 0 or rtt_ns < state.base_rtt_ns:
        state.base_rtt_ns = rtt_ns
    else:
        moved = moved_estimate(state, rtt_ns, inflight, dropped)
        if moved != state.estimate:
            bounded = max(1.0, min(float(state.maximum), moved))
            state.estimate = (1 - state.smoothing) * state.estimate + state.smoothing * bounded
    return int(state.estimate)
