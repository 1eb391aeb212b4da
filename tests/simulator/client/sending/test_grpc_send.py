"""What a gRPC client does after an attempt, and what its caller gets."""

import pytest

from simulator import codes
from simulator.client.sending.grpc_send import delay_before_us, next_connect_backoff_us, result_of

BUSY = (codes.BROKER_ERROR, codes.SYSTEM_BUSY)


@pytest.mark.parametrize(("attempt", "delay_us"), [(2, 20_000), (3, 40_000), (7, 640_000), (8, 1_000_000)])
def test_a_throttled_attempt_is_made_again_after_a_backoff_of_a_second_at_most(attempt, delay_us):
    assert delay_before_us(attempt, *BUSY) == delay_us


@pytest.mark.parametrize("outcome", [codes.CONNECT_REFUSED, codes.UNAVAILABLE, codes.DEADLINE_EXCEEDED])
def test_any_other_attempt_is_made_again_at_once(outcome):
    assert delay_before_us(2, outcome, codes.NO_CODE) == 0


@pytest.mark.parametrize(
    ("outcome", "code", "result"),
    [
        (codes.SEND_OK, 0, "SEND_OK"),
        (codes.UNAVAILABLE, codes.NO_CODE, "UNAVAILABLE"),
        (codes.DEADLINE_EXCEEDED, codes.NO_CODE, "DEADLINE_EXCEEDED"),
        (codes.CONNECT_REFUSED, codes.NO_CODE, "InternalErrorException"),
        (codes.BROKER_ERROR, codes.SYSTEM_ERROR, "InternalErrorException"),
        (*BUSY, "TooManyRequestsException"),
        (codes.SEND_STATUS, codes.FLUSH_DISK_TIMEOUT, "ProxyTimeoutException"),
        (codes.SEND_STATUS, codes.SLAVE_NOT_AVAILABLE, "InternalErrorException"),
        (codes.RESPONSE_TIMEOUT, codes.NO_CODE, "ProxyTimeoutException"),
    ],
)
def test_the_caller_gets_an_exception_after_the_proxys_answer(outcome, code, result):
    assert codes.OUTCOME_NAMES[result_of(outcome, code)] == result


def test_a_channel_waits_longer_after_each_connect_that_fails_up_to_two_minutes():
    waits_us = [0]
    for _ in range(12):
        waits_us.append(next_connect_backoff_us(waits_us[-1]))
    assert waits_us[1:4] == [1_000_000, 1_600_000, 2_560_000]
    assert waits_us[-1] == 120_000_000
