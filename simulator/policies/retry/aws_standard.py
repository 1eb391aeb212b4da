"""The standard retries of an AWS client: a quota of tokens and exponential waits with full jitter.

Source: botocore 1.40.0 and 1.44.5, retries/standard.py and retries/quota.py (3 attempts, 500 tokens, 20 s at most).
The later version asks 14 tokens for a retry, 5 for one after throttling, starts at 50 ms and hears what the server
asks for. The earlier one asks 5, 10 after a connect or read time-out, and starts at 1 s.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Record

MAX_ATTEMPTS = 3
CAPACITY = 500
MAX_BACKOFF_S = 20.0
RETRY_COST, THROTTLING_COST, UNTRIED_REFUND = 14, 5, 1
SCALE_S, THROTTLING_SCALE_S = 0.05, 1.0
SERVER_EXTRA_S = 5.0  # a server may ask for so much more than the drawn wait

NOT_RETRYABLE, TRANSIENT, THROTTLING, TIMED_OUT = range(4)  # what kind of failure an attempt ended with
NO_RETRY_S = -1.0
NOT_ASKED_S = -1.0  # the server said nothing about when to try again


class StandardRetry(Record):
    """The quota that all calls of a client share, and what its retries cost and wait."""

    tokens: int
    capacity: int
    max_attempts: int
    retry_cost: int
    throttling_cost: int
    timeout_cost: int
    untried_refund: int
    scale_s: float
    throttling_scale_s: float
    max_backoff_s: float


@rule()
def cost_of(state: StandardRetry, kind: int) -> int:
    """Tokens that a retry after such a failure takes."""
    if kind == THROTTLING:
        return state.throttling_cost
    return state.timeout_cost if kind == TIMED_OUT else state.retry_cost


@rule()
def retry_wait(state: StandardRetry, attempt: int, kind: int, unit: float, asked_s: float) -> float:
    """Seconds until the next attempt after `attempt` of them, its tokens taken; or NO_RETRY_S."""
    if kind == NOT_RETRYABLE or attempt >= state.max_attempts:
        return NO_RETRY_S
    cost = cost_of(state, kind)
    if cost > state.tokens:
        return NO_RETRY_S
    state.tokens -= cost
    scale_s = state.throttling_scale_s if kind == THROTTLING else state.scale_s
    wait_s = unit * min(scale_s * 2.0 ** (attempt - 1), state.max_backoff_s)
    if asked_s == NOT_ASKED_S:
        return wait_s
    return max(wait_s, min(asked_s, wait_s + SERVER_EXTRA_S))


@rule()
def give_back(state: StandardRetry, last_cost: int) -> None:
    """A call ended well: give back what its last retry took, or a little where it never retried (0)."""
    refund = last_cost if last_cost else state.untried_refund
    state.tokens = min(state.tokens + refund, state.capacity)
