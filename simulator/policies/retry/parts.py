"""The retry disciplines as parts of a policy: whether and when the next attempt of a send is made.

Rules and sources: `fixed_attempts` (resilience4j), `budget` (Finagle), `throttle` (gRPC), `aws_standard`.
"""

from __future__ import annotations

from simulator import codes
from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Record, Us, Within
from simulator.policies.policy import NO_RETRY, PolicyPart, has_failed
from simulator.policies.retry import aws_standard, budget, fixed_attempts, throttle
from simulator.policies.retry.aws_standard import StandardRetry, cost_of, give_back, retry_wait
from simulator.policies.retry.budget import Budget, deposit, start_budget, withdraw
from simulator.policies.retry.fixed_attempts import Attempts, wait_after
from simulator.policies.retry.throttle import (
    FailedAttempt,
    RetryInterval,
    RetryPolicy,
    Throttle,
    count_success,
    retry_after,
)

US_PER_MS = US_NS = 1_000
US_PER_S = 1_000_000
HALF_OF_WORDS = 2**62


class AttemptsOnly(Record):
    """How often to try, at once."""

    attempts: int


class BudgetedRetry(Record):
    """How often to try, and the budget that all sends of a producer share."""

    attempts: int
    own: Within[Budget]


class ThrottledRetry(Record):
    """The throttle that all sends of a producer share, and the waits."""

    own: Within[Throttle]
    policy: Within[RetryPolicy]
    interval: Within[RetryInterval]


@rule()
def unit_of(word: int) -> float:
    """A number in [0, 1) from a random word."""
    return (word & (HALF_OF_WORDS - 1)) / float(HALF_OF_WORDS)


@entry
def retry_at_once(state: AttemptsOnly, attempt: int, broker: int, outcome: int, now_us: Us, word: int) -> int:
    """Until the attempts are used up."""
    return 0 if attempt < state.attempts else NO_RETRY


@entry
def retry_with_interval(state: Attempts, attempt: int, broker: int, outcome: int, now_us: Us, word: int) -> int:
    """After the interval of resilience4j."""
    wait_ms = wait_after(state, attempt, unit_of(word))
    return NO_RETRY if wait_ms == fixed_attempts.NO_RETRY else wait_ms * US_PER_MS


@entry
def retry_in_budget(state: BudgetedRetry, attempt: int, broker: int, outcome: int, now_us: Us, word: int) -> int:
    """At once, if the budget has what it costs."""
    if attempt >= state.attempts or not withdraw(state.own, now_us // US_PER_MS):
        return NO_RETRY
    return 0


@entry
def pay_in(state: BudgetedRetry, broker: int, attempt: int, now_us: Us) -> int:
    """The first request of a send pays in."""
    if attempt == 1:
        deposit(state.own, now_us // US_PER_MS)
    return 0


@entry
def retry_throttled(state: ThrottledRetry, attempt: int, broker: int, outcome: int, now_us: Us, word: int) -> int:
    """After gRPC's jittered wait, if the throttle has enough tokens."""
    policy, interval = state.policy, state.interval
    interval.next_ns = policy.initial_ns
    for _ in range(attempt - 1):
        interval.next_ns = min(int(interval.next_ns * policy.multiplier), policy.max_ns)
    failure = FailedAttempt(attempt, True, throttle.NO_PUSHBACK)
    wait_ns = retry_after(policy, state.own, interval, failure, unit_of(word))
    return NO_RETRY if wait_ns == throttle.NEVER_AGAIN else wait_ns // US_NS


@entry
def fill_throttle(state: ThrottledRetry, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """A success gives a part of a token back."""
    if not has_failed(outcome):
        count_success(state.own)
    return 0


@rule()
def kind_of_failure(outcome: int) -> int:
    """What an attempt's end is in the words of AWS."""
    if outcome == codes.TOO_MUCH_REQUEST:
        return aws_standard.THROTTLING
    return aws_standard.TIMED_OUT if outcome == codes.RESPONSE_TIMEOUT else aws_standard.TRANSIENT


@rule()
def quota_retry(state: StandardRetry, attempt: int, outcome: int, word: int) -> Us:
    """Microseconds to wait before AWS tries again, NO_RETRY if the quota has not the tokens."""
    wait_s = retry_wait(state, attempt, kind_of_failure(outcome), unit_of(word), aws_standard.NOT_ASKED_S)
    return NO_RETRY if wait_s == aws_standard.NO_RETRY_S else int(wait_s * US_PER_S)


@rule()
def refund_quota(state: StandardRetry, attempt: int, outcome: int) -> None:
    """A send that ends well gives back what its last retry took."""
    if not has_failed(outcome):
        give_back(state, cost_of(state, aws_standard.TRANSIENT) if attempt > 1 else 0)


@entry
def retry_by_quota(state: StandardRetry, attempt: int, broker: int, outcome: int, now_us: Us, word: int) -> int:
    """After the jittered wait of AWS, if the quota has the tokens."""
    return quota_retry(state, attempt, outcome, word)


@entry
def refund(state: StandardRetry, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """What is given back."""
    refund_quota(state, attempt, outcome)
    return 0


def start_attempts(state: AttemptsOnly, brokers: int, attempts: int) -> None:
    """So many attempts."""
    state.attempts = attempts


def start_interval(
    state: Attempts, brokers: int, attempts: int, interval_us: int, multiplier: float, randomization: float
) -> None:
    """So many attempts, with that interval between them."""
    state.max_attempts, state.interval_ms = attempts, interval_us // US_PER_MS
    state.multiplier, state.randomization = multiplier, randomization


def start_budgeted(
    state: BudgetedRetry, brokers: int, attempts: int, ttl_us: int, per_second: int, part: float
) -> None:
    """An empty budget."""
    state.attempts = attempts
    start_budget(state.own, ttl_us // US_PER_MS, per_second, part, 0)


def start_throttled(
    state: ThrottledRetry, brokers: int, attempts: int, initial_us: int, most_us: int, tokens: int, ratio: float
) -> None:
    """A full bucket."""
    own, policy = state.own, state.policy
    own.max_tokens = own.tokens = tokens * throttle.TOKEN
    own.token_ratio, own.threshold = int(ratio * throttle.TOKEN), tokens * throttle.TOKEN // 2
    policy.max_attempts, policy.multiplier = attempts, throttle.BACKOFF_MULTIPLIER
    policy.initial_ns, policy.max_ns = initial_us * US_NS, most_us * US_NS


def start_quota(state: StandardRetry, brokers: int, attempts: int, tokens: int, scale_us: int, most_us: int) -> None:
    """A full quota."""
    state.max_attempts, state.capacity, state.tokens = attempts, tokens, tokens
    state.retry_cost = state.timeout_cost = aws_standard.RETRY_COST
    state.throttling_cost, state.untried_refund = aws_standard.THROTTLING_COST, aws_standard.UNTRIED_REFUND
    state.scale_s, state.throttling_scale_s = scale_us / US_PER_S, aws_standard.THROTTLING_SCALE_S
    state.max_backoff_s = most_us / US_PER_S


ATTEMPTS = PolicyPart(AttemptsOnly, start_attempts, {"retry": retry_at_once}, {"attempts": 3})
NEVER = PolicyPart(AttemptsOnly, lambda state, brokers: start_attempts(state, brokers, 1), {"retry": retry_at_once})
INTERVAL = PolicyPart(
    Attempts,
    start_interval,
    {"retry": retry_with_interval},
    {
        "attempts": fixed_attempts.MAX_ATTEMPTS,
        "interval_us": fixed_attempts.INTERVAL_MS * US_PER_MS,
        "multiplier": 1.0,
        "randomization": 0.0,
    },
)
BUDGET = PolicyPart(
    BudgetedRetry,
    start_budgeted,
    {"retry": retry_in_budget, "sent": pay_in},
    {
        "attempts": 3,
        "ttl_us": budget.TTL_MS * US_PER_MS,
        "per_second": budget.MIN_RETRIES_PER_S,
        "part": budget.PERCENT_CAN_RETRY,
    },
)
THROTTLE = PolicyPart(
    ThrottledRetry,
    start_throttled,
    {"retry": retry_throttled, "ended": fill_throttle},
    {
        "attempts": throttle.MAX_ATTEMPTS,
        "initial_us": throttle.INITIAL_BACKOFF_NS // US_NS,
        "most_us": throttle.MAX_BACKOFF_NS // US_NS,
        "tokens": throttle.MAX_TOKENS,
        "ratio": throttle.TOKEN_RATIO,
    },
)
AWS_STANDARD = PolicyPart(
    StandardRetry,
    start_quota,
    {"retry": retry_by_quota, "ended": refund},
    {
        "attempts": aws_standard.MAX_ATTEMPTS,
        "tokens": aws_standard.CAPACITY,
        "scale_us": int(aws_standard.SCALE_S * US_PER_S),
        "most_us": int(aws_standard.MAX_BACKOFF_S * US_PER_S),
    },
)
