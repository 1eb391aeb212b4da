"""Requests and answers that take time on the network: when each arrives, in which order, and what capacity is left."""

from __future__ import annotations

import pytest

from simulator.engine.network.sockets import READ_WITHIN_US
from simulator.plan.compile import REFUSED_AFTER_US
from tests.simulator.engine.network.test_connections import alone, during, took
from tests.simulator.small import fault, ran, ran_tables, rows, scenario_of

ONE_THREAD = {"b": {"latency": {"constant": "2ms"}, "send_threads": 1}}
GROUPS = [{"group": name, "count": 1, "rate": "100/s", "arrivals": "steady"} for name in ("near", "far")]
ONCE = {"send_msg_timeout": "300ms", "retry_times_when_send_failed": 0, "send_latency_fault_enable": False}


@pytest.mark.parametrize(
    ("link", "us"),
    [
        ({"each_way": "5ms"}, 12_000),
        ({"requests": "7ms", "answers": "1us"}, 9_001),
        ({"requests": "3ms"}, 5_000),
        ({"each_way": "5ms", "answers": "1ms"}, 8_000),
        ({"each_way": "5ms", "producers": "producers", "broker": "b"}, 12_000),
    ],
)
def test_an_attempt_takes_both_ways_and_the_service(link, us):
    assert {took(attempt) for attempt in alone(network=[link])} == {us}


def test_the_last_entry_that_fits_holds():
    links = [{"each_way": "5ms"}, {"broker": "c", "each_way": "1ms"}, {"broker": ["a", "c"], "each_way": "2ms"}]
    attempts = rows(ran(network=links), "attempts")
    assert {(a["broker"], took(a)) for a in attempts} == {("a", 6_000), ("b", 12_000), ("c", 6_000)}


def test_a_request_that_is_sent_later_over_a_shorter_way_is_served_before():
    links = [{"producers": "far", "requests": "9ms"}]
    groups = [group | {"rate": "10/s"} for group in GROUPS]
    at_once = ran(brokers=ONE_THREAD, producers=groups, duration="10s")
    later = ran(brokers=ONE_THREAD, producers=groups, duration="10s", network=links)
    near = [[took(a) for a in rows(run, "attempts", producer_group="near")] for run in (at_once, later)]
    assert near[1] == [2_000] * len(near[1])
    assert len(near[1]) == len(near[0])


@pytest.mark.parametrize(
    ("service", "each_way", "stored"), [("2ms", "0ms", 500), ("2ms", "2ms", 500), ("6ms", "0ms", 166)]
)
def test_the_way_occupies_no_send_thread_as_the_same_time_in_the_service_does(service, each_way, stored):
    brokers = {"b": {"latency": {"constant": service}, "send_threads": 1}}
    group = {"count": 20, "threads": 1, "arrivals": "closed", "think": "0ms"}
    run = ran(brokers=brokers, producers=[group], network=[{"each_way": each_way}], duration="4s")
    assert len(rows(run, "sends", acknowledged=True)) == pytest.approx(4 * stored, abs=25)


@pytest.mark.parametrize(("threads", "per_s"), [(1, 100), (3, 300), (5, 500), (8, 500)])
def test_threads_that_wait_send_their_number_by_round_trip_and_service_until_the_broker_is_full(threads, per_s):
    group = {"count": threads, "threads": 1, "arrivals": "closed", "think": "0ms"}
    run = ran(brokers=ONE_THREAD, producers=[group], network=[{"each_way": "4ms"}], duration="4s")
    assert len(rows(run, "sends")) == pytest.approx(4 * per_s, abs=10)


def test_asynchronous_senders_send_as_much_over_a_long_way():
    group = {"count": 1, "mode": "async", "rate": "400/s", "arrivals": "steady"}
    run = ran(brokers=ONE_THREAD, producers=group, network=[{"each_way": "100ms"}], client={"release": "4.9.8"})
    assert {took(a) for a in rows(run, "attempts")} == {202_000}
    assert len(rows(run, "sends", acknowledged=True)) == 800


def test_a_connection_keeps_the_order_of_its_requests_and_answers():
    topics = {"orders": {"queues": 1, "keys": {"count": 1}, "check_order": True}}
    group = {"count": 1, "mode": "async", "rate": "1000/s", "arrivals": "steady"}
    links = [{"each_way": {"uniform": {"min": "1ms", "max": "50ms"}}}]
    run = ran_tables(brokers=ONE_THREAD | {"b": {"latency": {"constant": "100us"}, "send_threads": 1}},
                     topics=topics, producers=group, network=links, client={"release": "4.9.8"})  # fmt: skip
    assert sum(row["out_of_order"] for row in rows(run, "windows")) == 0
    ends = [(a["send_seq"], a["end_us"]) for a in rows(run, "attempts")]
    assert len(ends) == 2_000
    assert [end for _, end in sorted(ends)] == sorted(end for _, end in ends)


def test_a_request_that_arrives_after_the_time_out_is_stored_all_the_same():
    run = ran(brokers=ONE_THREAD, client=ONCE, network=[{"requests": "400ms"}])
    first, second, *_ = rows(run, "sends")
    assert (first["copies_stored"], first["acknowledged"]) == (1, False)
    assert second["copies_stored"] == 0  # the time-out closed the connection, and opening one takes longer than that


def test_an_answer_in_the_last_microsecond_is_in_time():
    found = [{a["outcome"] for a in alone(client=ONCE, network=[{"each_way": way}])} for way in ("148999us", "149ms")]
    assert found == [{"SEND_OK"}, {"RemotingTimeoutException"}]


def test_a_request_that_is_under_way_when_the_process_dies_fails_when_the_client_sees_it():
    attempts = alone(fault("kill", "500ms", "5s"), network=[{"requests": "95ms", "answers": "5ms"}], client=ONCE)
    (under_way,) = [a for a in attempts if 405_000 < a["begin_us"] < 500_000]
    assert (under_way["outcome"], under_way["end_us"]) == ("RemotingSendRequestException", 505_000)


def test_connecting_takes_a_round_trip():
    attempts = alone(fault("kill", "500ms", "200ms"), network=[{"requests": "30ms", "answers": "20ms"}])
    assert took(during(attempts, 0.7, 1)[0]) == REFUSED_AFTER_US + 50_000 + 52_000


def test_requests_that_arrive_while_the_process_stands_still_are_read_together_when_it_goes_on():
    group = {"mode": "async", "rate": "100/s"}
    pause = fault("pause", "500ms", "100ms", every="5s")
    many = {"b": {"latency": {"constant": "2ms"}, "send_threads": 20}}
    run = ran(brokers=many, producers=group, faults=[pause], network=[{"each_way": "20ms"}])
    ends_us = [a["end_us"] - 20_000 for a in rows(run, "attempts") if 480_000 <= a["begin_us"] < 570_000]
    first_us = ends_us[0]
    assert 602_000 <= first_us < 602_000 + READ_WITHIN_US
    assert ends_us == [first_us + n for n in range(9)]


def test_requests_that_lie_in_a_connection_keep_their_order_when_the_process_stands_still_again():
    pauses = [fault("pause", "500ms", "100ms", every="5s"), fault("pause", "600001us", "50ms", every="5s")]
    many = {"b": {"latency": {"constant": "2ms"}, "send_threads": 20}}
    group = {"mode": "async", "rate": "100/s"}
    run = ran(brokers=many, producers=group, faults=pauses, network=[{"each_way": "20ms"}])
    ends_us = [a["end_us"] - 20_000 for a in rows(run, "attempts") if 480_000 <= a["begin_us"] < 570_000]
    assert 652_001 <= ends_us[0] < 652_001 + READ_WITHIN_US
    assert ends_us == [ends_us[0] + n for n in range(9)]


def test_a_one_way_message_returns_at_once_and_is_stored_later():
    run = ran(brokers=ONE_THREAD, producers={"mode": "oneway"}, network=[{"requests": "40ms"}])
    assert {took(a) for a in rows(run, "attempts")} == {0}
    assert {row["copies_stored"] for row in rows(run, "sends")} == {1}


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_second_request_beside_one_that_is_still_on_its_way_can_win(mode):
    # After 3 s of even answers requests are backed up after 1 ms, while the first is 20 ms away from broker b.
    policy = {"choose": "round_robin", "retry": {"hedging": {"extra": 0.5}}}
    client = {"release": "5.3.3", "send_latency_fault_enable": False, "policy": policy}
    links = [{"broker": "b", "requests": "20ms"}]
    run = ran(client=client, producers={"threads": 4, "rate": "40/s", "mode": mode}, network=links, duration="9s")
    twice = {(s["thread"], s["send_seq"]): s for s in rows(run, "sends", attempts=2)}
    first = [a for a in rows(run, "attempts", broker="b", attempt=1) if (a["thread"], a["send_seq"]) in twice]
    won = [twice[a["thread"], a["send_seq"]]["end_us"] - a["begin_us"] for a in first]
    assert len(won) > 20
    assert max(won) < 22_000
    assert {took(a) for a in first} == {22_000}
    assert {s["copies_stored"] for s in twice.values()} == {2}


def test_a_slow_link_can_delay_requests():
    found = [
        {took(a) for a in during(alone(fault("slow_link", "500ms", "1s", delay="40ms", ways=ways)), 0.5, 1.4)}
        for ways in ("answers", "requests", "both")
    ]
    assert found == [{42_000}, {42_000}, {82_000}]


def test_a_scenario_without_a_network_keeps_its_digest():
    assert scenario_of(network=[]).digest() == scenario_of().digest()
    assert scenario_of(network=[{"each_way": "1ms"}]).digest() != scenario_of().digest()
