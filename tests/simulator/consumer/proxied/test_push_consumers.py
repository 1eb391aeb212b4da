"""A group of PushConsumers over gRPC: a receive for each broker, by way of the proxy that a client hangs on."""

from __future__ import annotations

import collections
import itertools

import pytest

from tests.simulator.small import fault, ran_tables, rows

GROUP = {"topic": "orders", "count": 2, "threads": 4, "service": "10ms"}
# receipt handles of proxies: not renewed, renewed
SILENT, RENEWING = "5.3.3", "5.4.0"


def billing(
    duration="20s", faults=(), proxies=None, grpc=None, rate="20/s", queues=4, local=None, producers=None, **keys
):  # fmt: skip
    """A run of a group over gRPC on two brokers of 5.3.3; `local`: their proxies, instead of two of their own."""
    own = {"latency": {"constant": "1ms"}, "release": "5.3.3"}
    return ran_tables(
        duration=duration, client={"release": "5.3.3"}, producers=producers or {"rate": rate, "threads": 500},
        brokers={"a": own, "b": {"like": "a"}}, topics={"orders": {"queues": queues}},
        proxies=local or {"count": 2, "release": SILENT} | (proxies or {}),
        consumers={"billing": GROUP | {"grpc": grpc or {}} | keys}, faults=list(faults),
    )  # fmt: skip


def struck(kind, at, length, **target):
    return fault(kind, at, length, None, **target)


def again(run):
    """Deliveries that came through the retry topic."""
    return [row for row in rows(run, "consumed") if row["reconsume_times"] > 0]


def after_s(row):
    return (row["begin_us"] - row["arrival_us"]) / 1e6


def test_every_instance_receives_from_both_brokers_and_every_message_is_handled_once():
    run = billing()
    held = {(row["instance"], row["broker"], row["queue_id"]) for row in rows(run, "assignments")}
    assert held == {(f"billing-{n}", broker, -1) for n in (1, 2) for broker in "ab"}
    assert len(rows(run, "consumed")) >= 395
    assert {(row["result"], row["times"]) for row in rows(run, "consumed")} == {("handled", 1)}
    assert rows(run, "rebalances") == []


def test_a_killed_client_silences_nothing_and_what_it_held_comes_again_after_the_invisible_time():
    """Of 12 that were with its threads or lost in answers, grpc-hold-r1: 63 to 64 s after they were received."""
    kill = struck("kill", "10s", "80s", consumer="billing-1")
    run = billing("80s", [kill], rate="4/s", threads=20, service="3s")
    late = again(run)
    assert 5 <= len(late) <= 14
    assert all(62 < after_s(row) < 66 for row in late)
    assert {row["instance"] for row in late} == {"billing-2"}
    seen = {(row["broker"], row["begin_us"] // 4_000_000) for row in rows(run, "consumed")}
    assert seen >= {(broker, at) for broker in "ab" for at in range(3, 19)}


@pytest.mark.parametrize(("release", "times"), [(SILENT, 2), (RENEWING, 1)])
def test_a_slow_listener_has_its_message_again_unless_its_proxy_renews(release, times):
    stuck = struck("stuck", "1s", "75s", consumer="billing-1")
    run = billing("100s", [stuck], {"release": release}, rate="4/s", count=1)
    slow = [row for row in rows(run, "consumed") if row["end_us"] - row["begin_us"] > 60_000_000]
    assert [row["result"] for row in slow] == ["handled" if release == RENEWING else "too late to acknowledge"]
    assert len(again(run)) == times - 1


def test_a_renewed_message_of_a_killed_client_is_given_back_as_its_proxy_strikes_it_off_after_two_minutes():
    kill = struck("kill", "10s", "200s", consumer="billing-1")
    run = billing("160s", [kill], {"release": RENEWING}, rate="4/s", service="3s", threads=20)
    assert {round(row["begin_us"] / 1e7) for row in again(run)} <= {13, 14}
    assert 5 <= len(again(run)) <= 14


@pytest.mark.parametrize(("attempt", "delay_s"), [(1, 1), (2, 5), (3, 10), (4, 30)])
def test_what_failed_comes_again_by_its_delivery_attempt(attempt, delay_s):
    """CustomizedRetryPolicy; 2.5 to 4.7 s later in grpc-healthy-r1."""
    ends = collections.defaultdict(dict)
    for row in rows(billing("90s", fails_always=0.02), "consumed"):
        ends[row["arrival_us"]][row["reconsume_times"]] = row
    waits = [(own[attempt]["begin_us"] - own[attempt - 1]["end_us"]) / 1e6 for own in ends.values() if attempt in own]
    assert len(waits) >= 5
    assert all(delay_s + 1.5 < wait < delay_s + 4.5 for wait in waits)


def test_what_failed_too_often_is_a_dead_letter_and_not_delivered_again():
    run = billing("60s", fails_always=0.05, max_reconsume_times=1)
    assert max(row["reconsume_times"] for row in rows(run, "consumed")) == 1
    failed_twice = sum(row["reconsume_times"] == 1 and row["end_us"] < 45_000_000 for row in rows(run, "consumed"))
    letters = sum(row["dead_letters"] for row in rows(run, "consumer_windows"))
    assert failed_twice <= letters <= failed_twice + 15


def test_a_full_cache_has_the_client_wait_a_second_however_soon_it_is_empty():
    """apache/rocketmq-clients#1340: two process queues share 20 messages, each gets 10 a second and what fits then."""
    grpc = {"max_cache_message_count": 20}
    run = billing("30s", grpc=grpc, rate="200/s", count=1, threads=20, service="100ms")
    handled = len([row for row in rows(run, "consumed") if row["end_us"] > 10_000_000])
    assert 18 <= handled / 20 <= 25
    assert len(rows(billing("30s", rate="200/s", count=1, threads=20, service="100ms"), "consumed")) > 5_000


def test_an_acknowledgement_that_a_dead_broker_does_not_hear_is_tried_again_until_it_is_back():
    run = billing("40s", [fault("kill", "10s", "3s", "a")], service="2s", threads=20)
    assert rows(run, "consumed", result="too late to acknowledge") == []
    assert again(run) == []


def test_one_that_a_proxy_finds_no_broker_for_any_more_is_given_up():
    run = billing("120s", [fault("kill", "10s", "60s", "a")], service="2s", threads=20)
    lost = sum(row["revived_unheard"] for row in rows(run, "pops"))
    assert 5 <= lost <= 40
    assert len(again(run)) == lost


def test_a_hung_broker_loses_nothing_and_silences_nobody_else():
    run = billing("60s", [fault("hang", "10s", "40s", "a")])
    assert again(run) == []
    at_b = sorted(row["begin_us"] for row in rows(run, "consumed", broker="b"))
    assert max(later - one for one, later in itertools.pairwise(at_b)) < 1_000_000
    of_a = [row["begin_us"] for row in rows(run, "consumed", broker="a") if row["begin_us"] > 11_000_000]
    assert 50_000_000 <= min(of_a) < 52_000_000
