"""Asynchronous sends, attempt by attempt, against brokers that answer, refuse and hang."""

from __future__ import annotations

from itertools import pairwise

import pytest

from simulator.plan.message_plan import permits
from simulator.releases.producer_release import CLIENTS
from simulator.scenario.client_settings import ClientSettings
from tests.simulator.small import fault, ran, rows

ASYNC = {"mode": "async", "rate": "10/s"}


def attempts_of(result, number):
    """Attempts of one message: (attempt, outcome, will_retry)."""
    return [(a["attempt"], a["outcome"], a["will_retry"]) for a in rows(result, "attempts", send_seq=number)]


def first_on(result, broker, since_us):
    return next(a for a in rows(result, "attempts", broker=broker, attempt=1) if a["begin_us"] >= since_us)


CONNECT, TIMEOUT = "RemotingConnectException", "RemotingTimeoutException"
TOO_MUCH, CLIENT = "RemotingTooMuchRequestException", "MQClientException"


@pytest.mark.parametrize(
    ("release", "attempts", "result"),
    [
        ("4.2.0", [(1, CONNECT, False)], (CLIENT, 10001)),
        ("4.9.8", [(1, CONNECT, True), (2, "SEND_OK", False)], ("SEND_OK", 0)),
        ("5.1.4", [(1, CONNECT, True), (2, "SEND_OK", False)], ("SEND_OK", 0)),
        ("5.3.3", [(1, CONNECT, True), (2, "SEND_OK", False)], ("SEND_OK", 0)),
    ],
)
def test_a_refused_connection(release, attempts, result):
    run = ran(producers=ASYNC, client={"release": release}, faults=[fault("refuse", "500ms", "1s")])
    number = first_on(run, "b", 500_000)["send_seq"]
    send = rows(run, "sends", send_seq=number)[0]
    assert attempts_of(run, number) == attempts
    assert (send["result"], send["response_code"]) == result


def test_a_retry_leaves_the_broker_that_failed_without_the_strategy_too():
    client = {"release": "5.3.3", "send_latency_fault_enable": False}
    run = ran(producers=ASYNC, client=client, faults=[fault("refuse", "500ms", "1s")])
    retries = rows(run, "attempts", attempt=2)
    assert len(retries) > 2
    assert "b" not in {a["broker"] for a in retries}


@pytest.mark.parametrize(
    ("release", "attempts", "result", "period_us"),
    [
        ("4.2.0", [(1, TIMEOUT, True), (2, "SEND_OK", False)], "SEND_OK", 1_000_000),
        ("4.9.8", [(1, TIMEOUT, True), (2, TOO_MUCH, True), (3, TOO_MUCH, False)], TOO_MUCH, 1_000_000),
        ("5.1.4", [(1, TIMEOUT, True), (2, TOO_MUCH, True), (3, TOO_MUCH, False)], TOO_MUCH, 1_100_000),
        ("5.3.3", [(1, TIMEOUT, False)], CLIENT, 1_100_000),
    ],
)
def test_a_broker_that_hangs(release, attempts, result, period_us):
    client = {"release": release, "send_msg_timeout": "1s"}
    run = ran(duration="7s", producers=ASYNC, client=client, faults=[fault("hang", "3s", "4s")])
    hung = first_on(run, "b", 3_000_000)
    assert attempts_of(run, hung["send_seq"]) == attempts
    assert 2_000_000 <= hung["end_us"] - hung["begin_us"] < 2_000_000 + period_us
    assert rows(run, "sends", send_seq=hung["send_seq"])[0]["result"] == result
    assert len({a["end_us"] % period_us for a in rows(run, "attempts", outcome=TIMEOUT)}) == 1  # the client's scans


def test_a_response_before_the_scan_counts_although_the_time_out_is_over():
    slow = {"b": {"latency": {"constant": "1900ms"}, "send_threads": 64}}
    run = ran(producers=ASYNC, client={"send_msg_timeout": "1s"}, brokers=slow)
    assert {(a["outcome"], a["end_us"] // 1000 - a["begin_us"] // 1000) for a in rows(run, "attempts")} == {
        ("SEND_OK", 1900)
    }


def test_a_retry_changes_the_broker_and_keeps_the_queue_id():
    run = ran(producers=ASYNC, faults=[fault("refuse", "500ms", "1s", ["a", "b"])])
    retried = {a["send_seq"] for a in rows(run, "attempts", attempt=2)}
    assert retried
    for number in retried:
        tried = rows(run, "attempts", send_seq=number)
        assert len({a["queue_id"] for a in tried}) == 1
        assert all(a["broker"] != b["broker"] for a, b in pairwise(tried))


@pytest.mark.parametrize(("release", "available"), [("4.9.8", True), ("5.1.4", False), ("5.3.3", False)])
def test_the_hand_over_forgives_a_refused_connection_up_to_5_1_3(release, available):
    run = ran(producers=ASYNC, client={"release": release}, faults=[fault("refuse", "500ms", "1s")])
    refused = first_on(run, "b", 500_000)
    item = rows(run, "fault_items", broker="b")
    charged = [i for i in item if refused["end_us"] <= i["at_us"] <= refused["end_us"] + 2_000]
    assert charged[-1]["available"] == available


@pytest.mark.parametrize(
    ("release", "attempts"),
    [
        ("5.3.1", [(1, "MQBrokerException", False)]),
        ("5.3.2", [(1, "RemotingSendRequestException", True), (2, "SEND_OK", False)]),
    ],
)
def test_go_away_is_an_error_of_the_broker_up_to_5_3_1_and_a_failure_to_send_since(release, attempts):
    faults = [fault("code", "500ms", "1s", response_code="GO_AWAY")]
    run = ran(producers=ASYNC, client={"release": release}, faults=faults)
    assert attempts_of(run, first_on(run, "b", 500_000)["send_seq"]) == attempts


def test_a_thread_has_many_messages_under_way():
    run = ran(producers=ASYNC, brokers={"a": {"latency": {"constant": "700ms"}, "send_threads": 64}})
    sends = rows(run, "sends")
    assert all(send["begin_us"] == send["arrival_us"] for send in sends)
    assert [send["latency_us"] for send in sends] == [700_000] * 20


def pressed(**client):
    settings = {"enable_backpressure_for_async_mode": True, "send_msg_timeout": "300ms", "release": "5.3.3"} | client
    brokers = {"a": {"latency": {"constant": "1s"}, "send_threads": 64}}
    return ran(producers=ASYNC | {"rate": "100/s"}, brokers=brokers, client=settings)


def test_back_pressure_holds_the_caller_for_its_time_out_then_refuses():
    run = pressed(back_pressure_for_async_send_num=10)
    sends = rows(run, "sends")
    accepted = [send for send in sends if send["attempts"] == 1]
    assert [send["latency_us"] for send in accepted[:10]] == [1_000_000] * 10
    refused = [send for send in sends if send["attempts"] == 0]
    assert {send["result"] for send in refused} == {TOO_MUCH}
    assert refused[0]["end_us"] - refused[0]["begin_us"] == 300_000
    tried = rows(run, "attempts")
    under_way = [sum(a["begin_us"] <= at < a["end_us"] for a in tried) for at in range(0, 2_000_000, 50_000)]
    assert max(under_way) == 10


@pytest.mark.parametrize(("release", "number"), [("5.3.3", 10_000), ("5.4.0", 1_024)])
def test_back_pressure_lets_fewer_messages_through_since_5_4_0(release, number):
    settings = ClientSettings.model_validate({"release": release, "enable_backpressure_for_async_mode": True})
    assert permits(settings, CLIENTS[release])[0] == number


def test_up_to_5_1_3_permits_come_back_with_the_hand_over_and_limit_nothing():
    sends = rows(pressed(back_pressure_for_async_send_num=10, release="5.1.3"), "sends")
    assert {send["attempts"] for send in sends} == {1}


def test_back_pressure_counts_bytes_as_well():
    small = rows(pressed(back_pressure_for_async_send_size="1MiB"), "sends")
    assert {send["attempts"] for send in small} == {1}  # 200 bodies of 1 KiB


@pytest.mark.parametrize(("release", "passes"), [("5.0.0", False), ("5.1.0", False), ("5.1.1", True), ("5.3.3", True)])
def test_up_to_5_1_0_a_large_body_never_gets_its_permits_and_holds_up_the_others(release, passes):
    groups = [
        {"group": "large", "count": 1, "rate": "1/s", "topics": ["large"], "mode": "async"},
    ]
    topics = {"large": {"queues": 1, "message_bytes": "2MiB"}}
    client = {"enable_backpressure_for_async_mode": True, "send_msg_timeout": "300ms", "release": release}
    sends = rows(ran(producers=groups, topics=topics, client=client), "sends")
    assert {send["result"] == "SEND_OK" for send in sends} == {passes}
    assert {send["end_us"] - send["begin_us"] == 300_000 for send in sends} == {not passes}


@pytest.mark.parametrize(("release", "later"), [("5.3.0", 0), ("5.3.1", 10)])
def test_a_vain_wait_for_bytes_costs_a_permit_for_a_message_up_to_5_3_0(release, later):
    client = {
        "enable_backpressure_for_async_mode": True, "send_msg_timeout": "300ms", "release": release,
        "back_pressure_for_async_send_num": 10, "back_pressure_for_async_send_size": "1MiB",
    }  # fmt: skip
    groups = [
        {"group": "all", "count": 1, "threads": 2, "rate": "20/s", "arrivals": "steady", "mode": "async"}
        | {"topics": {"large": 1, "small": 1}}
    ]
    topics = {"large": {"queues": 1, "message_bytes": "2MiB"}, "small": {"queues": 1}}
    sends = rows(ran(duration="10s", producers=groups, topics=topics, client=client), "sends", topic="small")
    late = [send for send in sends if send["arrival_us"] > 8_000_000]
    assert sum(send["result"] == "SEND_OK" for send in late) >= later
    assert (later > 0) == any(send["result"] == "SEND_OK" for send in late)


def test_a_selected_queue_is_retried_on_the_same_broker_and_charged():
    run = ran(producers=ASYNC | {"selector": "random"}, faults=[fault("refuse", "0s", "2s")])
    tried = rows(run, "attempts", outcome=CONNECT)
    assert {a["broker"] for a in tried} == {"b"}
    assert max(a["attempt"] for a in tried) == 3
    assert rows(run, "fault_items", broker="b", available=False)


def most_under_way(attempts, before_us):
    """The most messages that had begun and not ended at once, in that time."""
    begins = [a["begin_us"] for a in attempts if a["begin_us"] < before_us]
    return max(sum(a["begin_us"] <= at < a["end_us"] for a in attempts) for at in begins)


@pytest.mark.parametrize(("release", "then"), [("5.2.0", 10), ("5.3.0", 20), ("5.3.3", 10)])
def test_each_report_of_a_refusal_returns_the_permits_of_its_message(release, then):
    client = {"release": release, "send_msg_timeout": "1s", "enable_backpressure_for_async_mode": True}
    client |= {"back_pressure_for_async_send_num": 10, "send_latency_fault_enable": False}
    producers = ASYNC | {"rate": "100/s", "when_blocked": "skip"}
    run = ran(duration="16s", producers=producers, client=client, faults=[fault("hang", "1s", "14s", "all")])
    hung = [a for a in rows(run, "attempts", attempt=1) if a["end_us"] - a["begin_us"] > 1_000_000]
    first_end_us = min(a["end_us"] for a in hung)
    assert most_under_way(hung, first_end_us) == 10
    assert most_under_way(hung, min(a["end_us"] for a in hung if a["begin_us"] >= first_end_us)) == then


@pytest.mark.parametrize(("release", "then"), [("5.3.3", 11), ("5.4.0", 10), ("5.5.0", 10)])
def test_a_send_that_connecting_makes_late_is_refused_once_and_from_5_3_0_to_5_3_3_reported_twice(release, then):
    client = {"release": release, "send_msg_timeout": "300ms", "enable_backpressure_for_async_mode": True}
    client |= {"back_pressure_for_async_send_num": 10, "send_latency_fault_enable": False}
    producers = ASYNC | {"rate": "100/s", "when_blocked": "skip"}
    brokers = {"a": {"latency": {"constant": "700ms"}, "send_threads": 64}}
    faults = [fault("kill", "2s", "500ms", "a"), fault("slow_link", "2s", "4s", "a", delay="400ms")]
    run = ran(duration="6s", producers=producers, client=client, brokers=brokers, faults=faults)
    assert len(rows(run, "attempts", outcome=TOO_MUCH)) == 1  # the first over the new connection
    assert most_under_way(rows(run, "attempts"), 2_000_000) == 10
    assert most_under_way(rows(run, "attempts"), 6_000_000) == then
