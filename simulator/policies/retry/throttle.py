"""Retries with a growing, jittered wait, throttled by a bucket that failures empty and successes fill.

Source: grpc-java 1.76.0, RetriableStream (gRFC A6; gRPC gives no defaults, these are A6's example). The jitter is
0.4 to 1.2 times the interval, as this version runs; A6 says 0.8 to 1.2. The first interval is not capped.
"""

from __future__ import annotations

from typing import NamedTuple

from simulator.compiled.jit import rule
from simulator.compiled.records import Record

MAX_ATTEMPTS = 3
INITIAL_BACKOFF_NS = 100_000_000
MAX_BACKOFF_NS = 1_000_000_000
BACKOFF_MULTIPLIER = 2.0
MAX_TOKENS = 10
TOKEN_RATIO = 0.1
TOKEN = 1_000  # the bucket counts thousandths
LEAST_JITTER, JITTER_RANGE = 0.4, 0.8

NO_PUSHBACK = -2
NEVER_AGAIN = -1  # a pushback that forbids a retry; as an answer: no retry
MS_NS = 1_000_000


class Throttle(Record):
    """The bucket that all calls of a client share, in thousandths of a token."""

    tokens: int
    max_tokens: int
    token_ratio: int
    threshold: int


class RetryPolicy(Record):
    """How often and after which waits to try again."""

    max_attempts: int
    initial_ns: int
    max_ns: int
    multiplier: float


class RetryInterval(Record):
    """What a call remembers between its attempts."""

    next_ns: int


class FailedAttempt(NamedTuple):
    """How an attempt failed: how many were made, whether the code is retried, what the server asked for."""

    attempts: int
    retryable: bool
    pushback_ms: int


@rule()
def count_success(throttle: Throttle) -> None:
    """Fill the bucket: the headers of a response came."""
    throttle.tokens = min(throttle.tokens + throttle.token_ratio, throttle.max_tokens)


@rule()
def count_failure(throttle: Throttle) -> bool:
    """Take a token; whether retries are still allowed."""
    if throttle.tokens == 0:
        return False
    left = throttle.tokens - TOKEN
    throttle.tokens = max(left, 0)
    return left > throttle.threshold


@rule()
def is_above_threshold(throttle: Throttle) -> bool:
    """Whether another hedge may be sent."""
    return throttle.tokens > throttle.threshold


@rule()
def jittered(interval_ns: int, unit: float) -> int:
    """The wait for an interval and a random number in [0, 1)."""
    return int(interval_ns * (JITTER_RANGE * unit + LEAST_JITTER))


@rule()
def retry_after(
    policy: RetryPolicy, throttle: Throttle, interval: RetryInterval, failure: FailedAttempt, unit: float
) -> int:
    """Nanoseconds until the next attempt after one failed, or NEVER_AGAIN; `unit`: a random number in [0, 1).

    A pushback of the server replaces the wait, even where the code would not be tried again.
    """
    allowed, pushback_ms = True, failure.pushback_ms
    if failure.retryable or pushback_ms == NEVER_AGAIN:
        allowed = count_failure(throttle)
    if not allowed or failure.attempts >= policy.max_attempts:
        return NEVER_AGAIN
    if pushback_ms >= 0:
        interval.next_ns = policy.initial_ns
        return pushback_ms * MS_NS
    if pushback_ms == NEVER_AGAIN or not failure.retryable:
        return NEVER_AGAIN
    wait_ns = jittered(interval.next_ns, unit)
    interval.next_ns = min(int(interval.next_ns * policy.multiplier), policy.max_ns)
    return wait_ns


@rule()
def may_hedge(throttle: Throttle, non_fatal: bool, pushback_ms: int) -> bool:
    """Whether more hedges may follow after one of them failed."""
    if non_fatal or pushback_ms == NEVER_AGAIN:
        return count_failure(throttle) and non_fatal
    return False
