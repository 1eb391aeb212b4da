"""What a broker answers without serving: waits in the send queue, a busy page cache, a broker that takes nothing."""

from __future__ import annotations

import pytest

from simulator.engine.memory.periods_table import STALL
from tests.simulator.small import fault, ran, ran_with, rows

OFF = {"send_latency_fault_enable": False, "retry_times_when_send_failed": 0}
STALLED = [(500, 3_000, STALL, 1)]


def alone(rate, threads, broker, periods=None, **changes):
    """A steady producer on broker b alone, without retries."""
    changes |= {
        "producers": {"rate": rate, "threads": threads},
        "brokers": {"b": {"latency": {"constant": "2ms"}} | broker},
        "client": OFF | changes.get("client", {}),
    }
    attempts = rows(ran(**changes) if periods is None else ran_with(periods, **changes), "attempts")
    return sorted(attempts, key=lambda attempt: attempt["begin_us"])


def took(attempt):
    return attempt["end_us"] - attempt["begin_us"]


def busy(attempts):
    return [a for a in attempts if a["response_code"] == 2]


def test_a_request_that_waited_200_ms_is_answered_at_the_next_scan():
    attempts = alone("20/s", 16, {"latency": {"constant": "150ms"}, "send_threads": 1}, duration="5s")
    scans = {a["end_us"] % 10_000 for a in busy(attempts)}
    assert len(scans) == 1
    assert all(199_000 < took(a) <= 210_000 for a in busy(attempts))
    assert all(took(a) <= 200_000 + 10_000 + 150_000 for a in attempts)


def test_without_fast_failure_requests_wait_for_their_turn():
    slow = {"latency": {"constant": "150ms"}, "send_threads": 1, "fast_failure": False}
    attempts = alone("20/s", 16, slow, duration="5s")
    assert busy(attempts) == []
    assert max(map(took, attempts)) > 1_000_000


def test_what_arrives_in_a_standstill_is_queued_when_it_ends():
    attempts = alone("20/s", 32, {"send_threads": 2}, faults=[fault("hang", "500ms", "1s")])
    hung = [a for a in attempts if 500_000 < a["begin_us"] < 1_500_000]
    assert [a["end_us"] for a in hung[:4]] == [1_502_000, 1_502_000, 1_504_000, 1_504_000]
    assert {a["outcome"] for a in hung} == {"SEND_OK"}


def test_what_was_queued_before_a_standstill_is_cleared_when_it_ends():
    slow = {"latency": {"constant": "300ms"}, "send_threads": 1, "wait_time_in_send_queue": "800ms"}
    attempts = alone("10/s", 32, slow, faults=[fault("hang", "500ms", "1s")])
    cleared = {a["end_us"] for a in busy(attempts) if a["begin_us"] < 500_000}
    assert cleared == {1_500_000}


def test_a_lock_that_is_held_for_a_second_refuses_all_that_comes_until_it_is_free():
    attempts = alone("20/s", 64, {"send_threads": 2, "wait_time_in_send_queue": "10s"}, STALLED, duration="4s")
    first = next(a for a in attempts if a["begin_us"] >= 500_000)
    assert first["end_us"] == 3_002_000
    busy_us = (first["begin_us"] // 1000 + 1001) * 1000
    refused = [a for a in attempts if busy_us <= a["begin_us"] < 3_000_000]
    assert {(took(a), a["response_code"]) for a in refused} == {(2_000, 2)}
    queued = [a for a in attempts if first["begin_us"] < a["begin_us"] < busy_us][1:]
    assert {a["response_code"] for a in queued} == {2}
    assert all(busy_us <= a["end_us"] < busy_us + 10_000 for a in queued)
    assert {a["outcome"] for a in attempts if a["begin_us"] > 3_000_000} == {"SEND_OK"}


@pytest.mark.parametrize(("release", "code"), [("5.2.0", 1), ("5.3.0", 2)])
def test_a_put_that_meets_a_busy_page_cache_is_answered_as_the_release_does(release, code):
    slow = {"latency": {"constant": "2s"}, "send_threads": 2, "fast_failure": False, "release": release}
    attempts = alone("5/s", 64, slow, [(750, 6_000, STALL, 1)], duration="1200ms", client={"send_msg_timeout": "9s"})
    served, held, met = attempts[:3]
    assert (took(served), held["end_us"]) == (2_000_000, 8_000_000)
    assert (met["response_code"], met["end_us"]) == (code, served["end_us"] + 2_000_000)


@pytest.mark.parametrize(
    ("broker", "code"),
    [
        ({"store": "read_only"}, 14),
        ({"store": "shutting_down"}, 14),
        ({"store": "disk_full"}, 14),
        ({"role": "slave", "release": "4.9.8"}, 14),
        ({"role": "slave", "release": "5.0.0"}, 2),
    ],
)
def test_a_broker_that_takes_no_messages_says_so(broker, code):
    attempts = alone("10/s", 1, broker)
    assert {(a["outcome"], a["response_code"], took(a)) for a in attempts} == {("MQBrokerException", code, 2_000)}


@pytest.mark.parametrize(("release", "slow"), [("4.2.0", 2), ("4.9.0", 2), ("4.9.1", 1), ("5.3.3", 1)])
def test_the_release_decides_how_many_send_threads_there_are(release, slow):
    broker = {"release": release, "latency": {"constant": "10ms"}}
    attempts = alone("20/s", 4, broker, faults=[fault("hang", "500ms", "150ms")])
    ends = [a["end_us"] for a in attempts if 500_000 < a["begin_us"] < 650_000]
    assert ends[1] == 650_000 + slow * 10_000
