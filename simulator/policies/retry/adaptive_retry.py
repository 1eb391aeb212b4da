"""AWS's adaptive retries as a part of a policy: the standard ones, and a rate that throttling holds back.

Rules and sources: `aws_standard`, `aws_adaptive`. A broker that is busy throttles. The first attempts wait for their
token, too: in the time-out of the message.
"""

from __future__ import annotations

from simulator import codes
from simulator.compiled.jit import entry
from simulator.compiled.records import Record, Us, Within
from simulator.policies.policy import PolicyPart
from simulator.policies.retry.aws_adaptive import AdaptiveRate, note_response, start_adaptive, wait_to_send
from simulator.policies.retry.aws_standard import StandardRetry
from simulator.policies.retry.parts import AWS_STANDARD, US_PER_S, quota_retry, refund_quota, start_quota


class AdaptiveRetry(Record):
    """The quota and the rate that all sends of a producer share."""

    standard: Within[StandardRetry]
    rate: Within[AdaptiveRate]


@entry
def retry_adaptively(state: AdaptiveRetry, attempt: int, broker: int, outcome: int, now_us: Us, word: int) -> int:
    """As the standard retries."""
    return quota_retry(state.standard, attempt, outcome, word)


@entry
def adapt(state: AdaptiveRetry, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """Every response moves the rate."""
    refund_quota(state.standard, attempt, outcome)
    note_response(state.rate, 1 if outcome == codes.TOO_MUCH_REQUEST else 0, now_us / US_PER_S)
    return 0


@entry
def wait_for_token(state: AdaptiveRetry, now_us: Us) -> int:
    """Take a token, or say when there should be one."""
    wait_s = wait_to_send(state.rate, now_us / US_PER_S)
    return int(wait_s * US_PER_S) + 1 if wait_s > 0.0 else 0


def start(state: AdaptiveRetry, brokers: int, attempts: int, tokens: int, scale_us: int, most_us: int) -> None:
    """A full quota, and a rate that nothing has switched on."""
    start_quota(state.standard, brokers, attempts, tokens, scale_us, most_us)
    start_adaptive(state.rate, 0.0)


PART = PolicyPart(
    AdaptiveRetry,
    start,
    {"retry": retry_adaptively, "ended": adapt, "wait": wait_for_token},
    AWS_STANDARD.parameters,
)
