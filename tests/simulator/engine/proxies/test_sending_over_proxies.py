"""Messages of gRPC producers: three attempts, each to the queue that comes next at the proxy."""

import numpy as np
import pytest

from tests.simulator.small import fault, ran, rows

GRPC = {"count": 1, "threads": 1, "rate": "50/s", "arrivals": "steady", "grpc": {}}
TWO = {name: {"latency": {"constant": "2ms"}} for name in ("a", "b")}


def sent(duration="4s", producers=GRPC, proxies=None, **changes):
    own = {"count": 1, "hop": "1ms"} | (proxies or {})
    return ran(duration=duration, client={"release": "5.3.3"}, producers=producers, proxies=own, brokers=TWO, **changes)


def failed(run):
    return [row for row in rows(run, "sends") if row["result"] != "SEND_OK"]


def test_a_message_takes_the_hop_and_the_service():
    assert {row["latency_us"] for row in rows(sent(), "sends")} == {3000}


def test_the_queues_follow_each_other_whoever_sends():
    run = sent(producers=GRPC | {"count": 3})
    places = [
        (row["broker"], row["queue_id"]) for row in sorted(rows(run, "attempts"), key=lambda row: row["begin_us"])
    ]
    first = places.index(("a", 0))
    assert places[first : first + 8] == 2 * [("a", 0), ("a", 1), ("b", 0), ("b", 1)]
    assert {row["pick_reason"] for row in rows(run, "attempts")} == {"proxy"}


def test_a_dead_broker_fails_a_message_whose_three_attempts_all_meet_it():
    run = sent("3s", faults=[fault("kill", "1s", None, "a")], topics={"orders": {"queues": 8}})
    assert {(row["result"], row["attempts"], row["copies_stored"]) for row in failed(run)} == {
        ("InternalErrorException", 3, 0)
    }
    assert 0.1 < len(failed(run)) / len(rows(run, "sends")) * 1.5 < 0.3
    assert max(row["latency_us"] for row in failed(run)) < 10_000


def test_a_dead_broker_is_left_when_the_proxy_reads_the_route_again():
    run = sent("60s", faults=[fault("kill", "20s", None, "a")], topics={"orders": {"queues": 8}})
    at_us = [row["arrival_us"] for row in failed(run)]
    assert 20_000_000 <= min(at_us) < max(at_us) < 41_000_000
    after = [row for row in rows(run, "attempts", broker="a") if row["begin_us"] > 41_000_000]
    assert after == []


@pytest.mark.parametrize(("max_attempts", "seconds"), [(3, 9), (1, 3)])
def test_a_hung_broker_costs_the_request_time_out_for_each_attempt(max_attempts, seconds):
    producers = GRPC | {"threads": 200, "grpc": {"max_attempts": max_attempts}}
    run = sent("12s", producers, faults=[fault("hang", "1s", "10s", "a")], topics={"orders": {"queues": 8}})
    assert {row["result"] for row in failed(run)} == {"DEADLINE_EXCEEDED"}
    assert {row["latency_us"] // 100_000 for row in failed(run)} == {seconds * 10}


def test_what_a_hung_broker_was_sent_is_stored_when_it_goes_on():
    producers = GRPC | {"threads": 200}
    run = sent("30s", producers, faults=[fault("hang", "1s", "10s", "a")], topics={"orders": {"queues": 8}})
    assert min(row["copies_stored"] for row in failed(run)) >= 1
    assert max(row["copies_stored"] for row in rows(run, "sends")) == 3


def test_a_busy_broker_is_tried_again_after_twenty_and_forty_milliseconds():
    run = sent("2s", faults=[fault("code", "0s", "3s", "all", response_code="SYSTEM_BUSY")])
    begins = np.array([row["begin_us"] for row in rows(run, "attempts", send_seq=0)])
    assert np.diff(begins).tolist() == [23_000, 43_000]
    assert rows(run, "sends", send_seq=0)[0]["result"] == "TooManyRequestsException"


def test_a_flush_that_times_out_is_an_exception_and_a_copy_for_each_attempt():
    run = sent("1s", faults=[fault("status", "0s", "1s", "all", send_status="FLUSH_DISK_TIMEOUT")])
    assert {(row["result"], row["copies_stored"]) for row in rows(run, "sends")} == {("ProxyTimeoutException", 3)}


def test_asynchronous_messages_do_not_hold_their_thread():
    producers = GRPC | {"mode": "async"}
    run = sent("6s", producers, faults=[fault("hang", "1s", "4s", "all")])
    begins = [row["begin_us"] - row["arrival_us"] for row in rows(run, "sends")]
    assert set(begins) == {0}


def test_remoting_and_grpc_producers_share_the_brokers():
    groups = [GRPC | {"group": "grpc"}, {"group": "remoting", "count": 1, "rate": "50/s", "arrivals": "steady"}]
    run = sent(producers=groups)
    latencies = {(row["producer_group"], row["latency_us"]) for row in rows(run, "sends")}
    assert {("grpc", 3000), ("remoting", 2000)} <= latencies


MEASURED = {"send_latency_enable": True}
LONG_HANG = fault("hang", "5s", "20s", "a")


def begins_s(run, broker):
    return np.array(sorted(row["begin_us"] for row in rows(run, "attempts", broker=broker))) / 1e6


@pytest.mark.parametrize("release", ["5.4.0", "5.5.0"])
def test_a_proxy_that_measures_leaves_a_hung_broker_until_another_is_worse(release):
    run = sent("40s", GRPC | {"threads": 200}, MEASURED | {"release": release}, faults=[LONG_HANG])
    assert 7.9 < begins_s(run, "a").max() < 8.2  # until the first request times out, and never again
    assert len(failed(run)) < 40


def test_with_its_detector_it_comes_back_to_the_broker():
    run = sent("60s", GRPC | {"threads": 200}, MEASURED | {"start_detector_enable": True}, faults=[LONG_HANG])
    assert begins_s(run, "a")[begins_s(run, "a") > 8.2].min() == pytest.approx(27, abs=3)
    assert {row["producer"] for row in rows(run, "fault_items")} == {1}  # the proxy, behind the one producer
