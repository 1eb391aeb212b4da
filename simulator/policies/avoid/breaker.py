"""resilience4j's circuit breaker for each broker, as a part of a policy. Rules and source: `circuit_breaker`."""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Ms, Us, size_of
from simulator.policies.avoid import circuit_breaker as breakers
from simulator.policies.avoid.call_window import COUNT_BASED, CallCounts
from simulator.policies.avoid.circuit_breaker import (
    Breaker,
    fire_timer,
    note_result,
    permit,
    timer_due_ms,
    would_permit,
)
from simulator.policies.parameter_texts import ParameterTexts
from simulator.policies.policy import PolicyPart, has_failed

WINDOW_MAX = 100  # calls of a window; as many as the source's default
US_PER_MS = 1_000


@rule()
def at_ms(breaker: Breaker, now_us: Us) -> Ms:
    """The time as the breaker sees it, what was due until then done."""
    now_ms = now_us // US_PER_MS
    while timer_due_ms(breaker) <= now_ms:
        fire_timer(breaker, timer_due_ms(breaker))
    return now_ms


@entry
def is_permitted(state: Breaker, broker: int, now_us: Us) -> int:
    """1 if the breaker would let a call through."""
    return 1 if would_permit(state, at_ms(state, now_us)) else 0


@entry
def take_permission(state: Breaker, broker: int, attempt: int, now_us: Us) -> int:
    """The call is made, as a probe if the breaker is half open."""
    permit(state, at_ms(state, now_us))
    return 0


@entry
def take_result(state: Breaker, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """The call gave a result."""
    note_result(state, latency_us // US_PER_MS, 1 if has_failed(outcome) else 0, at_ms(state, now_us))
    return 0


def start(
    state: Breaker, brokers: int, calls: int, failed_percent: float, slow_us: int, wait_us: int, probes: int
) -> None:
    """A closed breaker that asks for a full window. Raises ValueError for more calls than a window holds."""
    if not 1 <= calls <= WINDOW_MAX or not 1 <= probes <= WINDOW_MAX:
        raise ValueError(ParameterTexts.OUTSIDE_WINDOW(most=WINDOW_MAX))
    state.window_kind, state.window_size, state.min_calls, state.probes = COUNT_BASED, calls, calls, probes
    state.failure_percent, state.slow_percent = failed_percent, breakers.SLOW_PERCENT
    state.slow_ms, state.wait_ms, state.wait_multiplier = slow_us // US_PER_MS, wait_us // US_PER_MS, 1.0
    state.window.bucket_count = WINDOW_MAX
    breakers.turn(state, breakers.CLOSED, 0)


PART = PolicyPart(
    Breaker,
    start,
    {"allowed": is_permitted, "sent": take_permission, "ended": take_result},
    {
        "calls": breakers.WINDOW,
        "failed_percent": breakers.FAILURE_PERCENT,
        "slow_us": breakers.SLOW_MS * US_PER_MS,
        "wait_us": breakers.WAIT_MS * US_PER_MS,
        "probes": breakers.PROBES,
    },
    behind=lambda brokers: WINDOW_MAX * size_of(CallCounts),
    per_broker=True,
)
