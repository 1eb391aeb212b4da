"""Standard retries of AWS: what a retry costs, and how long it waits."""

import pytest

from simulator.policies.retry import aws_standard as aws
from tests.simulator.policies.made import made


@pytest.fixture
def quota():
    return made(
        aws.StandardRetry,
        tokens=20,
        capacity=20,
        max_attempts=3,
        retry_cost=14,
        throttling_cost=5,
        timeout_cost=14,
        untried_refund=1,
        scale_s=0.05,
        throttling_scale_s=1,
        max_backoff_s=20,
    )


def wait(quota, attempt=1, kind=aws.TRANSIENT, unit=1.0, asked_s=aws.NOT_ASKED_S):
    return aws.retry_wait(quota, attempt, kind, unit, asked_s)


def test_the_first_retry_waits_up_to_50_ms_and_the_second_up_to_100(quota):
    quota.tokens = 500
    assert (wait(quota), wait(quota, attempt=2)) == (0.05, 0.1)


def test_throttling_waits_longer_and_costs_less(quota):
    assert (wait(quota, kind=aws.THROTTLING), quota.tokens) == (1.0, 15)


def test_without_enough_tokens_there_is_no_retry(quota):
    assert (wait(quota), wait(quota), quota.tokens) == (0.05, aws.NO_RETRY_S, 6)


def test_the_last_attempt_costs_nothing(quota):
    assert (wait(quota, attempt=3), quota.tokens) == (aws.NO_RETRY_S, 20)


def test_a_server_may_ask_for_five_seconds_more(quota):
    assert wait(quota, asked_s=25.0) == 5.05


def test_a_call_that_ends_well_gives_its_last_cost_back(quota):
    wait(quota)
    aws.give_back(quota, 14)
    assert quota.tokens == 20


def test_a_call_that_never_retried_gives_one_token(quota):
    quota.tokens = 3
    aws.give_back(quota, 0)
    assert quota.tokens == 4
