"""A slow link: answers come later by its delay, and no send thread waits for them."""

from __future__ import annotations

from collections import Counter

from simulator.plan.compile import REFUSED_AFTER_US, TIMEOUT_NOTICE_US, TIMEOUT_SPREAD_US
from tests.simulator.engine.network.test_connections import alone, during, took
from tests.simulator.small import fault, ran, rows

GROUPS = [{"group": name, "count": 1, "rate": "100/s", "arrivals": "steady"} for name in ("near", "far")]
ONE_THREAD = {"b": {"latency": {"constant": "2ms"}, "send_threads": 1}}


def slow(delay, at="500ms", length="1s", **more):
    return fault("slow_link", at, length, delay=delay, **more)


def test_an_answer_is_later_by_the_delay_while_the_link_is_slow():
    attempts = alone(slow("40ms"))
    assert {took(a) for a in during(attempts, 0.5, 1.5)} == {42_000}
    assert {took(a) for a in [*during(attempts, 0, 0.5), *during(attempts, 1.5, 2)]} == {2_000}


def test_delays_of_several_faults_add_up_to_the_microsecond():
    attempts = alone(slow("40ms"), slow("7us", "1s", "1s"))
    assert {took(a) for a in during(attempts, 1, 1.5)} == {42_007}


def test_what_is_answered_too_late_is_stored_all_the_same():
    client = {"send_msg_timeout": "300ms", "retry_times_when_send_failed": 0, "send_latency_fault_enable": False}
    run = ran(client=client, brokers=ONE_THREAD, faults=[slow("299ms")])
    late = during(rows(run, "sends"), 0.5, 1.5)
    assert {(row["copies_stored"], row["acknowledged"]) for row in late} == {(1, False)}
    waited = [row["latency_us"] - 300_000 for row in rows(run, "attempts", outcome="RemotingTimeoutException")]
    assert len(waited) == len(late)
    assert all(TIMEOUT_NOTICE_US <= us < TIMEOUT_NOTICE_US + TIMEOUT_SPREAD_US for us in waited)


def test_an_answer_in_the_last_microsecond_is_in_time():
    found = [alone(slow(delay), client={"send_msg_timeout": "300ms"}) for delay in ("297999us", "298ms")]
    assert [{a["outcome"] for a in during(each, 0.5, 1.5)} for each in found] == [
        {"SEND_OK"},
        {"RemotingTimeoutException"},
    ]


def test_no_send_thread_waits_for_a_slow_link():
    near, far = (rows(ran(brokers=ONE_THREAD, producers=GROUPS, faults=[slow("200ms", producers="far")]), "attempts",
                      producer_group=name) for name in ("near", "far"))  # fmt: skip
    assert max(took(a) for a in near) <= 4_000
    assert {took(a) - 200_000 for a in during(far, 0.5, 1.5)} <= set(range(2_000, 4_001))


def test_connecting_over_a_slow_link_takes_the_delay_twice_as_the_request_does_too():
    attempts = alone(fault("kill", "500ms", "200ms"), slow("50ms"))
    assert took(during(attempts, 0.7, 1)[0]) == REFUSED_AFTER_US + 50_000 + 50_000 + 2_000


def test_heartbeats_of_a_link_that_is_slower_than_their_time_out_close_the_connection():
    client = {"release": "5.3.3", "send_msg_timeout": "20s"}
    ends = [
        Counter(a["outcome"] for a in alone(slow(delay, "1s", "58s"), client=client, duration="60s", rate="1/s"))
        for delay in ("2900ms", "3100ms")
    ]
    assert ends[0]["RemotingSendRequestException"] == 0
    assert ends[1]["RemotingSendRequestException"] > 0


def test_the_detector_takes_a_broker_behind_a_slow_link_for_unreachable():
    client = {"release": "5.3.3", "start_detector_enable": True, "send_msg_timeout": "500ms"}
    found = [
        {row["reachable"] for row in rows(ran(client=client, duration="20s", faults=[slow(delay, "1s", "19s")]),
                                           "fault_items", broker="b")}
        for delay in ("100ms", "600ms")
    ]  # fmt: skip
    assert [False in reachable for reachable in found] == [False, True]
