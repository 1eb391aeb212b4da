"""The rules around an attempt of an asynchronous send."""

import pytest

from simulator import codes
from simulator.client.sending import async_admission, async_send
from simulator.releases.ledger import RELEASES
from simulator.releases.producer_release import client_of

TRANSPORT = (codes.CONNECT_REFUSED, codes.RESPONSE_TIMEOUT, codes.SEND_FAILURE, codes.TOO_MUCH_REQUEST)
ALL_RELEASES = ("4.2.0", "4.6.1", "4.7.0", "4.9.2", "4.9.3", "5.1.4", "5.2.0", "5.3.1", "5.3.2", "5.3.3")


def after(release, outcome, attempt=1, rest_ms=2000, attempts_total=3):
    client = client_of(release)
    return client.after_async(outcome, client.is_thrown(outcome), attempt, attempts_total, rest_ms)


@pytest.mark.parametrize("release", ALL_RELEASES)
def test_no_code_of_a_broker_and_no_status_is_retried(release):
    assert after(release, codes.BROKER_ERROR) == codes.THROW
    assert after(release, codes.SEND_STATUS) == codes.RETURN


@pytest.mark.parametrize("release", ALL_RELEASES)
def test_a_timeout_and_a_send_failure_are_retried_while_attempts_are_left(release):
    assert [after(release, codes.RESPONSE_TIMEOUT, attempt) for attempt in (1, 2, 3)] == [0, 0, codes.THROW]
    assert after(release, codes.SEND_FAILURE, 2) == codes.RETRY


@pytest.mark.parametrize("release", ALL_RELEASES)
def test_a_missing_master_is_never_retried(release):
    assert after(release, codes.NO_MASTER) == codes.THROW


@pytest.mark.parametrize(("release", "then"), [("4.2.0", codes.THROW), ("4.9.2", codes.THROW), ("4.9.3", codes.RETRY)])
def test_a_refused_connect_of_the_first_attempt_is_retried_since_4_9_3(release, then):
    assert after(release, codes.CONNECT_REFUSED, 1) == then


@pytest.mark.parametrize("release", ["4.2.0", "4.9.2", "4.9.3"])
def test_a_refused_connect_of_a_retry_is_retried_in_all_releases(release):
    assert after(release, codes.CONNECT_REFUSED, 2) == codes.RETRY


@pytest.mark.parametrize(("release", "timeout_ms"), [("4.6.1", 0), ("4.7.0", -1000), ("5.3.3", -1000)])
def test_timeout_of_a_retry_after_a_second_more_than_the_budget(release, timeout_ms):
    assert client_of(release).retry_timeout(3000, 4000, 0) == timeout_ms


@pytest.mark.parametrize(("release", "timeout_ms"), [("4.6.1", 0), ("4.9.2", 3000), ("4.9.3", 2900)])
def test_up_to_4_9_2_what_a_retry_threw_costs_the_next_one_nothing(release, timeout_ms):
    assert client_of(release).retry_timeout(3000, 100, 1) == timeout_ms


@pytest.mark.parametrize(
    ("release", "then"),
    [("4.9.3", codes.RETRY), ("5.3.1", codes.RETRY), ("5.3.2", codes.THROW)],
)
def test_retries_with_a_negative_timeout_are_made_up_to_5_3_1(release, then):
    assert after(release, codes.RESPONSE_TIMEOUT, 1, rest_ms=-1000) == then


def test_5_3_2_retries_while_a_millisecond_is_left():
    assert after("5.3.2", codes.RESPONSE_TIMEOUT, 1, rest_ms=1) == codes.RETRY
    assert after("5.3.2", codes.RESPONSE_TIMEOUT, 1, rest_ms=0) == codes.THROW


@pytest.mark.parametrize(
    ("release", "then"),
    [("4.9.2", codes.THROW), ("4.9.3", codes.RETRY), ("5.2.0", codes.RETRY), ("5.3.0", codes.THROW)],
)
def test_a_retry_that_is_refused_burns_the_others_from_4_9_3_to_5_2_0(release, then):
    assert after(release, codes.TOO_MUCH_REQUEST, 2, rest_ms=-1000) == then


@pytest.mark.parametrize(
    ("release", "waits"),
    [("4.2.0", (100, 0, -5)), ("4.3.0", (0, -1, -1)), ("5.3.3", (0, -1, -1))],
)
def test_what_connecting_leaves_and_when_it_is_refused(release, waits):
    wait = client_of(release).async_wait
    assert (wait(100, 100), wait(0, 1), wait(-5, 0)) == waits


@pytest.mark.parametrize(("release", "thrown"), [("5.2.0", [1, 0, 0, 1]), ("5.3.0", [0, 0, 0, 0])])
def test_connecting_is_part_of_the_call_up_to_5_2_0(release, thrown):
    client = client_of(release)
    assert [client.is_thrown(outcome) for outcome in TRANSPORT] == thrown
    assert client.connect_blocks == bool(thrown[0])


@pytest.mark.parametrize(
    ("release", "charged"),
    [
        ("4.9.2", [async_send.CHARGED_OWN, async_send.CHARGED_BEFORE, async_send.CHARGED_NOBODY]),
        ("4.9.3", [async_send.CHARGED_OWN] * 3),
    ],
)
def test_up_to_4_9_2_a_retry_that_throws_charges_the_wrong_broker(release, charged):
    of = client_of(release).async_charged
    refused, too_much = codes.CONNECT_REFUSED, codes.TOO_MUCH_REQUEST
    assert [of(refused, 1, 1), of(refused, 1, 2), of(too_much, 1, 2)] == charged


@pytest.mark.parametrize(("release", "latency_ms"), [("5.1.4", 7), ("5.2.0", 27)])
def test_latency_leaves_connecting_out_up_to_5_1_4(release, latency_ms):
    assert client_of(release).async_latency(0, 1, 27, 7) == latency_ms


@pytest.mark.parametrize(("release", "latency_ms"), [("4.9.2", 3000), ("4.9.3", 2), ("5.3.3", 2)])
def test_latency_of_a_retry_that_was_thrown(release, latency_ms):
    assert client_of(release).async_latency(1, 2, 2, 0) == latency_ms


def test_a_thrown_failure_makes_unreachable_and_a_code_of_the_broker_does_not():
    reachable = client_of("5.1.4").async_reachable
    assert (reachable(codes.CONNECT_REFUSED, 1), reachable(codes.BROKER_ERROR, 0)) == (0, 1)


@pytest.mark.parametrize(("release", "hands_over"), [("4.2.0", 0), ("4.9.2", 0), ("4.9.3", 1), ("5.2.0", 1)])
def test_the_hand_over_update_follows_a_refused_connect_since_4_9_3(release, hands_over):
    client = client_of(release)
    assert client.hands_over(codes.CONNECT_REFUSED, 1) == hands_over
    assert client.hands_over(codes.NO_MASTER, 1) == 0
    assert client.hands_over(codes.RESPONSE_TIMEOUT, 0) == 1


@pytest.mark.parametrize(
    ("release", "attempt", "said"),
    [
        ("4.2.0", 1, (codes.NO_MASTER, codes.CONNECT_BROKER_EXCEPTION)),
        ("4.9.2", 2, (codes.CONNECT_REFUSED, codes.NO_CODE)),
        ("4.9.3", 1, (codes.CONNECT_REFUSED, codes.NO_CODE)),
        ("5.3.0", 1, (codes.NO_MASTER, codes.NO_CODE)),
    ],
)
def test_what_the_application_is_reported_of_a_refused_connect(release, attempt, said):
    client, outcome = client_of(release), codes.CONNECT_REFUSED
    thrown = client.is_thrown(outcome)
    found = client.async_exception(outcome, thrown, attempt), client.async_code(outcome, -1, thrown, attempt)
    assert found == said


@pytest.mark.parametrize(("expires", "scan"), [(0, 3000), (3000, 3000), (3001, 4000), (8000, 8000)])
def test_scans_start_after_3_s_and_come_every_second(expires, scan):
    assert async_send.scan_at(expires, *client_of("5.1.0").scans_ms) == scan


@pytest.mark.parametrize(("expires", "scan"), [(0, 3100), (3101, 4200), (19_000, 19_600), (19_601, 20_700)])
def test_since_5_1_1_a_timer_wheel_puts_a_tick_on_every_scan(expires, scan):
    assert async_send.scan_at(expires, *client_of("5.1.1").scans_ms) == scan


@pytest.mark.parametrize(("release", "left"), [("4.2.0", 3000), ("4.3.0", async_admission.NOTHING_LEFT)])
def test_waiting_for_a_thread_counts_since_4_3_0(release, left):
    assert client_of(release).async_left(3000, 3000) == left
    assert client_of("5.3.3").async_left(3000, 2999) == 1


def test_the_limits_of_back_pressure_have_a_floor():
    assert async_admission.number_permits(3) == 10
    assert async_admission.byte_permits(7) == 1 << 20
    assert async_admission.permits_of(0) == 1


def test_since_which_release_there_is_back_pressure_and_a_thread_pool():
    has = [release for release in RELEASES if client_of(release).has_back_pressure]
    own = [release for release in RELEASES if client_of(release).sending_threads == async_admission.SENDING_THREADS]
    assert (has[0], own[0]) == ("5.0.0", "4.4.0")


def refused_in_turn(release, attempts_total):
    """How many attempts are refused if the first one timed out and nothing is left for any other."""
    client, refused = client_of(release), 0
    then = after(release, codes.RESPONSE_TIMEOUT, 1, -1, attempts_total)
    while then == codes.RETRY:
        number = async_send.counted(2 + refused, refused, client.refusals_reported)
        then = after(release, codes.TOO_MUCH_REQUEST, number, -1, attempts_total)
        refused += 1
    return refused


@pytest.mark.parametrize(
    ("release", "refused"), [("5.2.0", [1, 2, 3, 4, 5]), ("5.3.1", [1, 1, 2, 2, 3]), ("5.3.2", [0, 0, 0, 0, 0])]
)
def test_of_1_to_5_retries_with_nothing_left_5_3_1_makes_every_second_and_5_3_2_none(release, refused):
    assert [refused_in_turn(release, 1 + retries) for retries in range(1, 6)] == refused


def test_a_refused_attempt_is_reported_twice_from_5_3_0_to_5_3_3_only():
    reported = [client_of(release).refusals_reported for release in ("5.2.0", "5.3.0", "5.3.3", "5.4.0", "5.5.0")]
    assert reported == [1, 2, 2, 1, 1]
