"""A circuit breaker: too many failed or slow calls open it, some time later a few probes decide.

Source: resilience4j 2.3.0, CircuitBreakerStateMachine (50 % failed, 100 % slower than 60 s, last 100 calls, 60 s open,
10 probes). Rates are judged only when a result arrives; a late result counts in whatever state there is then, as a
probe too. Where the minimum of calls is below the number of probes, HALF_OPEN is decided before all are done.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Record, Within
from simulator.policies.avoid.call_window import (
    COUNT_BASED,
    FAILED,
    SLOW,
    UNKNOWN_RATE,
    CallWindow,
    put_call,
    rate_of,
    reset_window,
    roll_to,
)

FAILURE_PERCENT = 50.0
SLOW_PERCENT = 100.0
SLOW_MS = 60_000
WINDOW = 100
PROBES = 10
WAIT_MS = 60_000

CLOSED, OPEN, HALF_OPEN, DISABLED, FORCED_OPEN, METRICS_ONLY = range(6)
NEVER_MS = 2**62


class Breaker(Record):
    """The limits and the state; the window's buckets lie behind it."""

    window_kind: int
    window_size: int
    min_calls: int
    probes: int
    failure_percent: float
    slow_percent: float
    slow_ms: int
    wait_ms: int
    wait_multiplier: float
    max_wait_ms: int  # 0: none
    half_open_wait_ms: int  # 0: no limit
    opens_itself: int  # 1: HALF_OPEN comes by itself when the wait is over
    state: int
    attempts: int  # openings in a row
    permissions: int  # left in HALF_OPEN
    turns_at_ms: Ms  # when the state may, or with a timer will, change
    window: Within[CallWindow]


@rule()
def exponential_ms(initial_ms: int, multiplier: float, attempt: int, longest_ms: int) -> int:
    """An interval that grows with each attempt, in whole milliseconds at every step, at last capped (0: not)."""
    found_ms = initial_ms
    for _ in range(attempt - 1):
        found_ms = int(found_ms * multiplier)
    return min(found_ms, longest_ms) if longest_ms else found_ms


@rule()
def may_turn(breaker: Breaker, state: int) -> bool:
    """Whether the state may be changed by hand: a closed breaker cannot be half opened, nor one that only measures."""
    if breaker.state == METRICS_ONLY:
        return state not in (OPEN, HALF_OPEN)
    return not (breaker.state == CLOSED and state == HALF_OPEN)


@rule()
def turn(breaker: Breaker, state: int, now_ms: Ms) -> None:
    """Change the state. OPEN keeps the window of the state before it; every other begins a new one."""
    breaker.turns_at_ms = NEVER_MS
    if state == OPEN:
        breaker.attempts += 1
        wait_ms = exponential_ms(breaker.wait_ms, breaker.wait_multiplier, breaker.attempts, breaker.max_wait_ms)
        breaker.turns_at_ms = now_ms + wait_ms
    elif state == HALF_OPEN:
        breaker.permissions = breaker.probes
        reset_window(breaker.window, COUNT_BASED, breaker.probes, breaker.min_calls, now_ms)
        if breaker.half_open_wait_ms:
            breaker.turns_at_ms = now_ms + breaker.half_open_wait_ms
    elif state in (DISABLED, FORCED_OPEN):
        breaker.attempts = 0 if state == DISABLED else breaker.attempts + 1
        reset_window(breaker.window, COUNT_BASED, 0, breaker.min_calls, now_ms)
    else:
        breaker.attempts = 0
        reset_window(breaker.window, breaker.window_kind, breaker.window_size, breaker.min_calls, now_ms)
    breaker.state = state


@rule()
def timer_due_ms(breaker: Breaker) -> Ms:
    """When the state changes by itself."""
    has_timer = breaker.state == HALF_OPEN or (breaker.state == OPEN and breaker.opens_itself)
    return breaker.turns_at_ms if has_timer else NEVER_MS


@rule()
def fire_timer(breaker: Breaker, now_ms: Ms) -> None:
    """The time is over: from OPEN to HALF_OPEN, or from HALF_OPEN back."""
    turn(breaker, HALF_OPEN if breaker.state == OPEN else OPEN, now_ms)


@rule()
def would_permit(breaker: Breaker, now_ms: Ms) -> bool:
    """Whether a call would be permitted; changes nothing."""
    if breaker.state == OPEN:
        return now_ms > breaker.turns_at_ms
    if breaker.state == HALF_OPEN:
        return breaker.permissions > 0
    return breaker.state != FORCED_OPEN


@rule()
def permit(breaker: Breaker, now_ms: Ms) -> bool:
    """Ask for a call. In OPEN the first one strictly after the wait moves to HALF_OPEN and is its first probe."""
    if breaker.state == OPEN and now_ms > breaker.turns_at_ms:
        turn(breaker, HALF_OPEN, now_ms)
    is_permitted = would_permit(breaker, now_ms)
    if not is_permitted:
        breaker.window.not_permitted += 1
    elif breaker.state == HALF_OPEN:
        breaker.permissions -= 1
    return is_permitted


@rule()
def release(breaker: Breaker) -> None:
    """A permitted call gives no result: a probe may take its place."""
    if breaker.state == HALF_OPEN:
        breaker.permissions += 1


@rule()
def judge(breaker: Breaker, now_ms: Ms) -> None:
    """Open or close by the rates of the window."""
    window = breaker.window
    failed, slow = rate_of(window, window.total.failed), rate_of(window, window.total.slow)
    if failed == UNKNOWN_RATE:
        return
    if failed >= breaker.failure_percent or slow >= breaker.slow_percent:
        turn(breaker, OPEN, now_ms)
    elif breaker.state == HALF_OPEN:
        turn(breaker, CLOSED, now_ms)


@rule()
def note_result(breaker: Breaker, duration_ms: Ms, failed: int, now_ms: Ms) -> bool:
    """A call gave a result. False: where the library throws, see put_call."""
    if breaker.state in (DISABLED, FORCED_OPEN):
        return True
    flags = FAILED * failed + SLOW * (duration_ms > breaker.slow_ms)
    is_counted = put_call(breaker.window, flags, now_ms)
    if is_counted and breaker.state in (CLOSED, HALF_OPEN):
        judge(breaker, now_ms)
    return is_counted


@rule()
def look(breaker: Breaker, now_ms: Ms) -> None:
    """Have the window show what it holds now."""
    roll_to(breaker.window, now_ms)
