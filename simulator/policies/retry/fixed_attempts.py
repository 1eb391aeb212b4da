"""A few attempts with an interval between them: fixed, exponential, randomised or both.

Source: resilience4j 2.3.0, Retry and IntervalFunction (3 attempts, 500 ms fixed).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Record
from simulator.policies.avoid.circuit_breaker import exponential_ms

MAX_ATTEMPTS = 3
INTERVAL_MS = 500
NO_RETRY = -1


class Attempts(Record):
    """How many, and how long between them."""

    max_attempts: int
    interval_ms: int
    multiplier: float  # 1: every interval alike
    randomization: float  # 0: none
    longest_ms: int  # 0: no cap


@rule()
def randomized(interval_ms: float, factor: float, unit: float) -> float:
    """An interval from a random number in [0, 1): its bounds are so much of it below and above, and 1 ms."""
    least_ms, most_ms = interval_ms - factor * interval_ms, interval_ms + factor * interval_ms
    return max(1.0, least_ms + unit * (most_ms - least_ms + 1))


@rule()
def interval_after(state: Attempts, attempt: int, unit: float) -> Ms:
    """Milliseconds to wait after the failure of that attempt, from 1; the cap comes last."""
    found_ms = exponential_ms(state.interval_ms, state.multiplier, attempt, 0)
    if state.randomization > 0:
        found_ms = int(randomized(float(found_ms), state.randomization, unit))
    return min(found_ms, state.longest_ms) if state.longest_ms else found_ms


@rule()
def wait_after(state: Attempts, attempt: int, unit: float) -> Ms:
    """Milliseconds until the next attempt after that one failed, or NO_RETRY."""
    return interval_after(state, attempt, unit) if attempt < state.max_attempts else NO_RETRY
