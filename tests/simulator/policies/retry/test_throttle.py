"""Retries of gRPC: the throttle's bucket, the jittered wait and the server's pushback."""

import pytest

from simulator.policies.retry import throttle as grpc
from tests.simulator.policies.made import made


@pytest.fixture
def bucket():
    return made(grpc.Throttle, tokens=10_000, max_tokens=10_000, token_ratio=100, threshold=5_000)


@pytest.fixture
def policy():
    return made(grpc.RetryPolicy, max_attempts=4, initial_ns=100, max_ns=1_000, multiplier=2)


@pytest.fixture
def after(policy, bucket):
    """Ask what follows a failure: of a retryable code and without pushback unless given."""
    interval = made(grpc.RetryInterval, next_ns=100)

    def ask(attempts=1, retryable=True, pushback_ms=grpc.NO_PUSHBACK, unit=0.5):
        return grpc.retry_after(policy, bucket, interval, grpc.FailedAttempt(attempts, retryable, pushback_ms), unit)

    return ask


def test_with_ten_tokens_four_failures_are_tried_again_and_the_fifth_is_not(after):
    assert [after() != grpc.NEVER_AGAIN for _ in range(5)] == [True, True, True, True, False]


def test_the_wait_is_four_to_twelve_tenths_of_the_interval(after):
    assert (after(unit=0.0), after(unit=0.5)) == (40, 160)


def test_a_success_gives_a_tenth_of_a_token_back(bucket):
    bucket.tokens = 3_000
    grpc.count_success(bucket)
    assert bucket.tokens == 3_100


def test_the_last_attempt_is_not_tried_again(after):
    assert after(attempts=4) == grpc.NEVER_AGAIN


def test_a_pushback_replaces_the_wait_even_of_another_code(after):
    assert after(retryable=False, pushback_ms=3) == 3 * grpc.MS_NS


def test_a_negative_pushback_forbids_it_and_takes_a_token(after, bucket):
    assert (after(retryable=False, pushback_ms=grpc.NEVER_AGAIN), bucket.tokens) == (grpc.NEVER_AGAIN, 9_000)


def test_a_hedge_may_follow_only_a_failure_that_is_not_fatal(bucket):
    assert (grpc.may_hedge(bucket, True, grpc.NO_PUSHBACK), grpc.may_hedge(bucket, False, grpc.NO_PUSHBACK)) == (1, 0)
