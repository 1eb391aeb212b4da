"""AWS's adaptive retries: a client that was throttled sends no faster than its rate."""

import pytest

from simulator import codes
from simulator.policies.policy import NO_RETRY
from simulator.policies.retry.adaptive_retry import PART
from tests.simulator.policies.made import RulesOf, part_with
from tests.simulator.small import fault, ran

RULES = RulesOf(PART)

S = 1_000_000


@pytest.fixture
def throttled():
    """A client of ten requests a second whose last one was throttled."""
    state = part_with(PART)
    for number in range(1, 11):
        end(state, number * S // 10)
    end(state, S + S // 10, codes.TOO_MUCH_REQUEST)
    return state


def end(state, at_us, outcome=codes.SEND_OK, attempt=1):
    RULES.ended(state, 0, attempt, at_us, 1000, outcome)


def test_a_client_that_was_never_throttled_waits_for_nothing():
    assert RULES.wait(part_with(PART), 5 * S) == 0


def test_a_throttled_one_waits_for_its_token(throttled):
    assert RULES.wait(throttled, S + S // 10) > 0


def test_when_the_wait_is_over_the_token_is_there(throttled):
    after_us = RULES.wait(throttled, S + S // 10)
    assert RULES.wait(throttled, S + S // 10 + after_us) == 0


def test_there_are_no_more_tokens_than_seven_tenths_of_what_was_sent(throttled):
    assert sum(RULES.wait(throttled, 2 * S + S // 10) == 0 for _ in range(10)) <= 7


def test_throttling_waits_up_to_a_second(throttled):
    assert RULES.retry(throttled, 1, 0, codes.TOO_MUCH_REQUEST, S, 2**62 - 1) == pytest.approx(S, abs=2)


def test_the_quota_is_that_of_the_standard_retries():
    state = part_with(PART, tokens=5)
    assert RULES.retry(state, 1, 0, codes.RESPONSE_TIMEOUT, S, 0) == NO_RETRY


def test_messages_wait_while_brokers_are_busy():
    client = {"send_latency_fault_enable": False, "policy": {"retry": "aws_adaptive"}}
    busy = fault("code", "0s", "8s", broker="all", response_code="SYSTEM_BUSY")
    run = ran(client=client, duration="8s", faults=[busy], producers={"rate": "50/s", "threads": 8})
    begun_us = run.tables["attempts"].to_pandas().begin_us
    assert (begun_us.between(2 * S, 8 * S)).sum() < 0.5 * 6 * 50
