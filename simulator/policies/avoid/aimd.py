"""A limit of concurrent requests that grows by one and shrinks by a part: additive increase, multiplicative decrease.

Source: Netflix concurrency-limits 0.5.3, AIMDLimit (initial 20, minimum 20, maximum 200, ratio 0.9, time-out 5 s).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Record

INITIAL = 20
MINIMUM = 20
MAXIMUM = 200
BACKOFF_RATIO = 0.9
TIMEOUT_NS = 5_000_000_000


class Aimd(Record):
    """The limit and its bounds."""

    limit: int
    minimum: int
    maximum: int
    backoff_ratio: float
    timeout_ns: int


@rule()
def update_aimd(state: Aimd, rtt_ns: int, inflight: int, dropped: int) -> int:
    """The limit after a request has ended."""
    limit = state.limit
    if dropped or rtt_ns > state.timeout_ns:
        limit = int(limit * state.backoff_ratio)
    elif inflight * 2 >= limit:
        limit += 1
    state.limit = min(state.maximum, max(state.minimum, limit))
    return state.limit
