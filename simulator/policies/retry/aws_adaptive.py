"""The adaptive retries of an AWS client: a token bucket for sending whose rate follows a cubic curve.

Source: botocore 1.40.0 and 1.44.5, retries/adaptive.py, bucket.py and throttling.py. The bucket starts empty; the
first bucket of the rate clock starts at the whole second below the start, so that the first rate is too low.
"""

from __future__ import annotations

import math

from simulator.compiled.jit import rule
from simulator.compiled.records import Record

SCALE, BETA = 0.4, 0.7
SMOOTHING = 0.8
BUCKETS_PER_S = 2.0
FIRST_RATE_PER_S, MIN_RATE_PER_S = 1.0, 0.5
MAX_OVER_MEASURED = 2.0


class AdaptiveRate(Record):
    """The rate clock, the cubic curve and the token bucket; times are seconds of the client's clock."""

    enabled: int  # 1 from the first throttling on
    measured_per_s: float
    count: int
    last_bucket_s: float
    most_per_s: float  # the curve's plateau: the rate at the last throttling
    zero_point_s: float  # how long after it the curve reaches the plateau again
    throttled_at_s: float
    fill_per_s: float
    bucket_size: float
    tokens: float
    filled_at_s: float


@rule()
def start_adaptive(state: AdaptiveRate, now_s: float) -> None:
    """Set up a client that is made now."""
    state.last_bucket_s = math.floor(now_s)
    state.throttled_at_s = now_s
    state.filled_at_s = now_s
    state.fill_per_s = FIRST_RATE_PER_S
    state.bucket_size = FIRST_RATE_PER_S


@rule()
def refill(state: AdaptiveRate, now_s: float) -> None:
    """Fill the bucket at its present rate."""
    grown = state.tokens + state.fill_per_s * (now_s - state.filled_at_s)
    state.tokens = min(state.bucket_size, grown)
    state.filled_at_s = now_s


@rule()
def measure(state: AdaptiveRate, now_s: float) -> float:
    """Count a response; the smoothed rate, which moves when a later bucket is entered."""
    bucket_s = math.floor(now_s * BUCKETS_PER_S) / BUCKETS_PER_S
    state.count += 1
    if bucket_s > state.last_bucket_s:
        rate_per_s = state.count / (bucket_s - state.last_bucket_s)
        state.measured_per_s = rate_per_s * SMOOTHING + state.measured_per_s * (1 - SMOOTHING)
        state.count = 0
        state.last_bucket_s = bucket_s
    return state.measured_per_s


@rule()
def note_response(state: AdaptiveRate, throttled: int, now_s: float) -> None:
    """Move the rate clock, the curve and the bucket's rate: a response came."""
    measured = measure(state, now_s)
    if throttled:
        most = min(measured, state.fill_per_s) if state.enabled else measured
        state.most_per_s = most
        state.zero_point_s = math.pow(most * (1 - BETA) / SCALE, 1 / 3.0)
        state.throttled_at_s = now_s
        state.enabled = 1
        rate_per_s = most * BETA
    else:
        since_s = now_s - state.throttled_at_s - state.zero_point_s
        rate_per_s = SCALE * math.pow(since_s, 3.0) + state.most_per_s
    limit = min(rate_per_s, MAX_OVER_MEASURED * measured)
    refill(state, now_s)
    state.fill_per_s = max(limit, MIN_RATE_PER_S)
    state.bucket_size = limit if limit >= 1 else 1.0
    state.tokens = min(state.tokens, state.bucket_size)


@rule()
def wait_to_send(state: AdaptiveRate, now_s: float) -> float:
    """Take a token and answer 0, or answer the seconds until there should be one: then ask again."""
    if not state.enabled:
        return 0.0
    refill(state, now_s)
    wait_s = (1 - state.tokens) / state.fill_per_s
    if wait_s > 0:
        return wait_s
    state.tokens -= 1
    return 0.0
