"""The rules around an attempt."""

import pytest

from simulator import codes
from simulator.client.sending import send_loop
from simulator.releases.producer_release import client_of

FAILURES = (codes.CONNECT_REFUSED, codes.RESPONSE_TIMEOUT, codes.SEND_FAILURE, codes.TOO_MUCH_REQUEST)


@pytest.mark.parametrize(("release", "over"), [("4.2.0", 0), ("4.3.0", 1), ("5.3.3", 1)])
def test_the_total_budget_exists_since_4_3_0(release, over):
    assert client_of(release).over_budget(3000, 3001) == over


def test_elapsed_equal_to_the_timeout_still_makes_an_attempt_with_timeout_zero():
    client = client_of("4.9.8")
    assert (client.over_budget(3000, 3000), client.attempt_timeout(3000, 3000, -1, 0)) == (0, 0)


@pytest.mark.parametrize(("release", "timeout"), [("4.2.0", 3000), ("5.3.2", 2000), ("5.3.3", 500)])
def test_timeout_of_a_second_attempt_after_a_second(release, timeout):
    assert client_of(release).attempt_timeout(3000, 1000, 500, 0) == timeout


def test_the_limit_a_request_spares_the_last_attempt_and_can_be_off():
    timeout = client_of("5.3.3").attempt_timeout
    assert (timeout(3000, 1000, 500, 1), timeout(3000, 1000, -1, 0), timeout(3000, 1000, 0, 0)) == (
        2000,
        2000,
        0,
    )


@pytest.mark.parametrize(("release", "waits"), [("4.2.0", (100, 100)), ("4.9.8", (0, -1)), ("5.1.4", (-1, -1))])
def test_what_connecting_leaves_of_a_timeout(release, waits):
    wait = client_of(release).response_wait
    assert (wait(100, 100), wait(100, 101)) == waits


@pytest.mark.parametrize("release", ["4.2.0", "5.1.3", "5.1.4", "5.3.3"])
def test_every_failure_of_the_transport_isolates(release):
    assert all(client_of(release).is_isolated(outcome) for outcome in (*FAILURES, codes.BROKER_ERROR))


@pytest.mark.parametrize(("release", "isolated"), [("5.1.3", 1), ("5.1.4", 0)])
def test_no_master_isolates_up_to_5_1_3(release, isolated):
    assert client_of(release).is_isolated(codes.NO_MASTER) == isolated


def test_a_status_other_than_ok_does_not_isolate():
    assert client_of("4.9.8").is_isolated(codes.SEND_STATUS) == 0


def test_a_broker_error_makes_unreachable_even_without_the_detector():
    reachable = client_of("5.1.4").is_reachable
    assert (reachable(codes.BROKER_ERROR, 0), reachable(codes.CONNECT_REFUSED, 0)) == (0, 1)
    assert [reachable(outcome, 1) for outcome in FAILURES] == [0] * 4


@pytest.mark.parametrize(("release", "retried"), [("5.2.0", False), ("5.3.0", True)])
def test_system_busy_is_retried_since_5_3_0(release, retried):
    assert (codes.RESPONSE_CODES["SYSTEM_BUSY"] in client_of(release).retry_codes) == retried


@pytest.mark.parametrize(
    ("outcome", "retryable", "not_store_ok", "after"),
    [
        (codes.SEND_OK, 0, 1, codes.RETURN),
        (codes.SEND_STATUS, 0, 0, codes.RETURN),
        (codes.SEND_STATUS, 0, 1, codes.RETRY),
        (codes.BROKER_ERROR, 1, 0, codes.RETRY),
        (codes.BROKER_ERROR, 0, 0, codes.THROW),
        (codes.NO_MASTER, 0, 0, codes.RETRY),
        (codes.RESPONSE_TIMEOUT, 0, 0, codes.RETRY),
    ],
)
def test_after_an_attempt(outcome, retryable, not_store_ok, after):
    assert client_of("4.9.8").after_attempt(outcome, 1, retryable, not_store_ok) == after


def test_a_remembered_send_result_wins_over_everything():
    assert send_loop.final_result(1, 1, 1) == send_loop.FINAL_SEND_RESULT
    assert send_loop.final_result(0, 1, 0) == send_loop.FINAL_BROKER_EXCEPTION
    assert send_loop.final_result(0, 0, 1) == send_loop.FINAL_TOO_MUCH_REQUEST
    assert send_loop.final_result(0, 0, 0) == send_loop.FINAL_CLIENT_EXCEPTION


def test_code_of_the_exception_is_that_of_the_last_error():
    outcomes = (
        codes.BROKER_ERROR,
        codes.CONNECT_REFUSED,
        codes.RESPONSE_TIMEOUT,
        codes.NO_MASTER,
        codes.SEND_FAILURE,
    )
    assert [send_loop.final_code(outcome, 16) for outcome in outcomes] == [16, 10001, 10002, 10003, -1]
