"""When an endpoint is marked dead, and for how long: consecutive failures, or too low a success rate.

Source: finagle 24.2.0, FailureAccrualPolicy (5 in a row, or a rate under 0.8 over 30 s with 5 requests; dead for
5 s to 300 s, equal-jittered, then 300 s each). A success does not restart the backoff; only a revival does.
"""

from __future__ import annotations

import math

from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Record, Within
from simulator.policies.backoff import Backoff, is_exhausted, range_of_draw, restart, step
from simulator.policies.rolling_sum import RollingSum, add, start_sum, total

CONSECUTIVE_FAILURES, REQUESTS_RATE, DURATION_RATE = range(3)
FAILURES = 5
REQUIRED_SUCCESS_RATE = 0.8
WINDOW_MS = 30_000
MIN_REQUESTS = 5
REQUEST_SLICES = 5
BACKOFF_START_NS = 5_000_000_000
BACKOFF_MAX_NS = 300_000_000_000
AFTER_BACKOFF_NS = 300_000_000_000
ALIVE = -1  # the answer to a failure: not marked dead
NEVER = -1


class Accrual(Record):
    """One policy of one endpoint: what it asks, and what it has seen."""

    kind: int
    failures: int  # so many in a row
    window: int  # requests of REQUESTS_RATE, milliseconds of DURATION_RATE
    required_rate: float
    min_requests: int
    in_row: int
    rate: float
    requests: int  # since the start or a revival
    rated_at: int  # stamp of the last update of the rate, NEVER before the first
    started_at_ms: Ms
    backoff: Within[Backoff]
    recent: Within[RollingSum]


@rule()
def revive(state: Accrual, now_ms: Ms) -> None:
    """Forget everything: the endpoint is new, or a probe went well."""
    state.in_row, state.requests, state.rate, state.rated_at = 0, 0, 0.0, NEVER
    state.started_at_ms = now_ms
    restart(state.backoff)


@rule()
def start_accrual(state: Accrual, now_ms: Ms) -> None:
    """Set up an endpoint whose limits and backoff are filled in."""
    if state.kind == DURATION_RATE:
        start_sum(state.recent, state.window, REQUEST_SLICES, now_ms)
    revive(state, now_ms)


@rule()
def rate_with(state: Accrual, outcome: float, now_ms: Ms) -> float:
    """The moving average of the success rate with a request added; the first sets it."""
    state.requests += 1
    stamp = state.requests if state.kind == REQUESTS_RATE else now_ms - state.started_at_ms
    if state.rated_at == NEVER:
        state.rate = outcome
    else:
        weight = math.exp(-(stamp - state.rated_at) / state.window)
        state.rate = outcome * (1 - weight) + state.rate * weight
    state.rated_at = stamp
    return state.rate


@rule()
def note_success(state: Accrual, now_ms: Ms) -> None:
    """A request went well."""
    if state.kind == CONSECUTIVE_FAILURES:
        state.in_row = 0
        return
    if state.kind == DURATION_RATE:
        add(state.recent, 1, now_ms)
    rate_with(state, 1.0, now_ms)


@rule()
def is_enough(state: Accrual, now_ms: Ms) -> bool:
    """Count a failure; whether it is one too many."""
    if state.kind == CONSECUTIVE_FAILURES:
        state.in_row += 1
        return state.in_row >= state.failures
    if state.kind == DURATION_RATE:
        add(state.recent, 1, now_ms)
    is_low = rate_with(state, 0.0, now_ms) < state.required_rate
    if state.kind == REQUESTS_RATE:
        return is_low and state.requests >= state.window
    is_known = now_ms - state.started_at_ms >= state.window
    return is_low and is_known and total(state.recent, now_ms) >= state.min_requests


@rule()
def draw_range(state: Accrual) -> int:
    """Below what the random number of the next marking lies; 0: it needs none."""
    return 0 if is_exhausted(state.backoff) else range_of_draw(state.backoff)


@rule()
def mark_dead(state: Accrual, drawn: int) -> int:
    """Nanoseconds for which the endpoint is dead; the backoff moves on."""
    if is_exhausted(state.backoff):
        return AFTER_BACKOFF_NS
    dead_ns = state.backoff.now_ns
    step(state.backoff, drawn)
    return dead_ns
