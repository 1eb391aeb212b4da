"""What a broker does with requests: it stores, waits, slows down, refuses, is full."""

from __future__ import annotations

import pytest

from simulator.plan.compile import TIMEOUT_NOTICE_US, TIMEOUT_SPREAD_US
from tests.simulator.small import fault, ran, rows

ONE = {"b": {"latency": {"constant": "2ms"}, "send_threads": 1}}
OFF = {"send_latency_fault_enable": False}


def alone(rate="10/s", *, broker=None, threads=1, client=None, **changes):
    """A steady producer on broker b alone, strategy off."""
    producers = {"rate": rate, "threads": threads} | changes.pop("producers", {})
    brokers = {"b": ONE["b"] | (broker or {})}
    return ran(brokers=brokers, producers=producers, client=OFF | (client or {}), **changes)


def test_a_healthy_send_takes_the_service_time():
    sends = rows(alone(), "sends")
    assert len(sends) == 20
    assert {(s["latency_us"], s["attempts"], s["copies_stored"], s["result"]) for s in sends} == {
        (2000, 1, 1, "SEND_OK")
    }


def test_a_hang_delays_a_request_exactly_until_it_ends():
    attempts = rows(alone(faults=[fault("hang", "500ms", "1s")]), "attempts")
    hung = [a for a in attempts if a["begin_us"] < 1_500_000 and a["end_us"] > 500_000]
    assert hung[0]["begin_us"] >= 500_000
    assert hung[0]["end_us"] == 1_500_000 + 2_000


def test_messages_wait_for_a_hung_thread_and_leave_in_order():
    sends = rows(alone(faults=[fault("hang", "500ms", "1s")]), "sends")
    waited = [s for s in sends if s["begin_us"] > s["arrival_us"]]
    assert [s["end_us"] for s in waited] == [1_502_000 + 2_000 * (i + 1) for i in range(len(waited))]
    assert len(waited) == 9  # ten arrivals a second, the first of them is the hung one
    assert [s["send_seq"] for s in sends] == list(range(20))


def test_a_hang_longer_than_the_time_out_ends_with_it_and_is_stored_all_the_same():
    result = alone(faults=[fault("hang", "500ms", "4s")], client={"send_msg_timeout": "300ms"}, duration="1s")
    hung = next(a for a in rows(result, "attempts") if a["begin_us"] > 500_000)
    late_us = hung["end_us"] - hung["begin_us"] - 300_000
    assert TIMEOUT_NOTICE_US <= late_us < TIMEOUT_NOTICE_US + TIMEOUT_SPREAD_US
    assert (hung["outcome"], hung["response_code"]) == ("RemotingTimeoutException", None)
    assert rows(result, "sends", send_seq=hung["send_seq"])[0]["copies_stored"] >= 1


def test_a_request_under_way_stands_still_when_a_hang_begins():
    result = alone(broker={"latency": {"constant": "80ms"}}, faults=[fault("hang", "500ms", "1s")], seed=5)
    crossing = [a for a in rows(result, "attempts") if a["begin_us"] < 500_000 < a["begin_us"] + 80_000]
    assert [a["end_us"] - a["begin_us"] for a in crossing] == [1_080_000]


@pytest.mark.parametrize(("factor", "took_us"), [(10, 20_000), (0.5, 1_000), (1.25, 2_500)])
def test_a_slow_broker_takes_the_factor(factor, took_us):
    result = alone(faults=[fault("slow", "500ms", "1s", factor=factor)])
    inside = [a for a in rows(result, "attempts") if 500_000 <= a["begin_us"] < 1_400_000]
    assert {a["end_us"] - a["begin_us"] for a in inside} == {took_us}


def test_two_slow_faults_at_once_multiply():
    both = [fault("slow", "500ms", "1s", factor=3), fault("slow", "700ms", "300ms", factor=4)]
    attempts = rows(alone(faults=both), "attempts")
    inside = [a for a in attempts if 700_000 <= a["begin_us"] < 950_000]
    assert {a["end_us"] - a["begin_us"] for a in inside} == {24_000}


def test_work_that_crosses_the_end_of_slowness_is_fast_from_then_on():
    result = alone(faults=[fault("slow", "0ms", "1001ms", factor=100)], broker={"latency": {"constant": "40ms"}})
    crossing = [a for a in rows(result, "attempts") if a["begin_us"] < 1_001_000 < a["end_us"]]
    first = crossing[0]
    done_us = (1_001_000 - first["begin_us"]) // 100
    assert first["end_us"] == pytest.approx(1_001_000 + 40_000 - done_us, abs=1)


def test_a_full_send_queue_answers_system_busy():
    busy = {"latency": {"constant": "400ms"}, "send_queue": 1}
    result = alone("40/s", broker=busy, threads=4)
    outcomes = {(a["outcome"], a["response_code"]) for a in rows(result, "attempts")}
    assert outcomes == {("SEND_OK", 0), ("MQBrokerException", 2)}
    refused = rows(result, "sends", result="MQBrokerException")
    assert {(s["attempts"], s["copies_stored"], s["copies_kept"] == 0, s["response_code"]) for s in refused} == {
        (1, 0, True, 2)
    }


def test_a_send_queue_holds_what_waits_beside_what_is_served():
    busy = {"latency": {"table": {"p0": "1ms", "p0.01": "5s", "p100": "5s"}}, "send_queue": 2, "fast_failure": False}
    attempts = rows(
        alone("20/s", broker=busy, threads=8, client={"send_msg_timeout": "1s", "release": "4.9.0"}), "attempts"
    )
    first = sorted(attempts, key=lambda a: a["begin_us"])[:4]
    assert [a["outcome"] for a in first] == ["RemotingTimeoutException"] * 3 + ["MQBrokerException"]
    assert first[3]["end_us"] - first[3]["begin_us"] == 1_000  # as fast as the fastest answer


def test_two_send_threads_serve_two_requests_at_once():
    def longest(threads):
        broker = {"latency": {"constant": "100ms"}, "send_threads": threads}
        return max(s["latency_us"] for s in rows(alone("38/s", broker=broker, threads=2, duration="1s"), "sends"))

    assert longest(2) < longest(1)


def test_a_refused_connection_costs_a_millisecond_and_goes_to_another_broker():
    result = ran(client=OFF, faults=[fault("refuse", "0s", "2s")])
    refused = rows(result, "attempts", outcome="RemotingConnectException")
    assert refused
    assert {a["end_us"] - a["begin_us"] for a in refused} == {1_000}
    assert {a["broker"] for a in refused} == {"b"}
    sends = rows(result, "sends")
    assert {s["result"] for s in sends} == {"SEND_OK"}
    assert {s["copies_stored"] for s in sends} == {1}
    assert sum(s["attempts"] == 2 for s in sends) == len(refused)


def test_all_brokers_refusing_loses_the_message_with_the_clients_own_code():
    result = ran(client={**OFF, "retry_times_when_send_failed": 3}, faults=[fault("refuse", "0s", "2s", "all")])
    sends = rows(result, "sends")
    assert {(s["result"], s["response_code"], s["attempts"], s["copies_kept"] == 0) for s in sends} == {
        ("MQClientException", 10001, 4, True)
    }


def test_a_flush_disk_time_out_counts_as_stored_and_is_returned():
    result = alone(faults=[fault("status", "0s", "2s", send_status="FLUSH_DISK_TIMEOUT")])
    sends = rows(result, "sends")
    assert {
        (s["result"], s["response_code"], s["copies_stored"], s["copies_kept"] == 0, s["attempts"]) for s in sends
    } == {("FLUSH_DISK_TIMEOUT", 10, 1, False, 1)}
    assert sum(row["failures"] for row in rows(result, "windows")) == len(sends)


def test_retrying_a_flush_disk_time_out_stores_a_copy_more():
    client = {**OFF, "retry_another_broker_when_not_store_ok": True}
    result = ran(client=client, faults=[fault("status", "0s", "2s", send_status="FLUSH_DISK_TIMEOUT")])
    again = [s for s in rows(result, "sends") if s["attempts"] == 2]
    assert again
    assert {(s["result"], s["copies_stored"]) for s in again} == {("SEND_OK", 2)}


@pytest.mark.parametrize(("code", "attempts"), [("SYSTEM_ERROR", 3), ("MESSAGE_ILLEGAL", 1), ("SYSTEM_BUSY", 1)])
def test_only_some_response_codes_are_tried_again(code, attempts):
    result = ran(client=OFF, faults=[fault("code", "0s", "2s", "all", response_code=code)])
    assert {(s["attempts"], s["copies_stored"]) for s in rows(result, "sends")} == {(attempts, 0)}


def test_the_later_of_two_answers_wins():
    faults = [fault("refuse", "0s", "2s"), fault("code", "1s", "500ms", response_code="SYSTEM_ERROR")]
    attempts = rows(alone(faults=faults, client={"retry_times_when_send_failed": 0}), "attempts")
    spans = [(0, 1_000_000), (1_000_000, 1_500_000), (1_500_000, 2_000_000)]
    found = [{a["outcome"] for a in attempts if begin <= a["begin_us"] < end} for begin, end in spans]
    assert found == [{"RemotingConnectException"}, {"MQBrokerException"}, {"RemotingConnectException"}]
