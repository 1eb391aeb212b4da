"""Messages that a group does not handle: when they come again, how often, and when they are given up."""

from __future__ import annotations

import collections
import itertools

import pytest

from simulator.plan.consumers.own_topics import groups_that_fail
from simulator.scenario import ScenarioError
from tests.says import Said, Says
from tests.simulator.small import ran_tables, rows, scenario_of

LEVELS = "1s 2s 3s 4s 5s 6s 7s 8s 9s 10s 11s 12s 13s 14s 15s 16s 17s 18s"
BROKERS = {"a": {"latency": {"constant": "1ms"}, "message_delay_level": LEVELS}, "b": {"like": "a"}}
GROUP = {"topic": "orders", "count": 2, "threads": 4, "service": "5ms", "release": "5.3.3"}


def billing(duration="40s", brokers=BROKERS, faults=(), **keys):
    """A run of a group of two instances with these keys."""
    return ran_tables(
        duration=duration, client={"release": "5.3.3"}, producers={"rate": "10/s", "rate_changes": {"10s": "0/s"}},
        brokers=brokers, consumers={"billing": GROUP | keys}, faults=list(faults),
    )  # fmt: skip


def by_message(run):
    """The deliveries of each message, in order of time."""
    found = collections.defaultdict(list)
    for row in sorted(rows(run, "consumed"), key=lambda row: row["begin_us"]):
        found[row["sender"], row["send_seq"]].append(row)
    return found


@pytest.mark.parametrize(("most", "deliveries"), [(-1, 17), (3, 4), (0, 1)])
def test_a_message_that_always_fails_is_a_dead_letter_after_its_retries(most, deliveries):
    run = billing(duration="260s", fails_always=0.999999, max_reconsume_times=most)
    counts = {len(own) for own in by_message(run).values()}
    assert counts == {deliveries}
    assert sum(run.column("consumer_windows", "dead_letters")) == len(by_message(run)) > 90


def test_the_nth_retry_waits_for_level_two_and_n():
    run = billing(fails_always=0.999999, max_reconsume_times=3)
    for own in by_message(run).values():
        waits = [(b["begin_us"] - a["end_us"]) / 1e6 for a, b in itertools.pairwise(own)]
        assert [int(wait) for wait in waits] == [3, 4, 5]
        assert max(wait % 1 for wait in waits) < 0.2


@pytest.mark.parametrize(("level", "waits"), [(2, [2, 2]), (99, [18, 18]), (-1, [])])
def test_a_listener_chooses_the_level_of_every_retry(level, waits):
    run = billing(
        duration="60s", fails_always=0.999999, max_reconsume_times=2, delay_level_when_next_consume=level
    )  # fmt: skip
    own = next(iter(by_message(run).values()))
    assert [(b["begin_us"] - a["end_us"]) // 1_000_000 for a, b in itertools.pairwise(own)] == waits
    assert own[-1]["result"] == "dead letter"


def test_every_message_is_handled_once_or_given_up():
    run = billing(duration="60s", fails=0.3, fails_always=0.05, max_reconsume_times=3)
    for own in by_message(run).values():
        assert [row["result"] for row in own[:-1]] == ["sent back"] * (len(own) - 1)
        assert own[-1]["result"] in ("handled", "dead letter")
        assert [row["reconsume_times"] for row in own] == list(range(len(own)))


def test_another_release_meets_the_same_failures():
    failed = [
        {key for key, own in by_message(billing(fails=0.3, release=release)).items() if own[0]["result"] != "handled"}
        for release in ("4.9.8", "5.3.3")
    ]
    assert failed[0] == failed[1]


def test_a_retry_comes_through_the_broker_that_stored_the_message():
    run = billing(fails=0.5)
    for own in by_message(run).values():
        assert len({row["broker"] for row in own}) == 1
        assert {row["topic"] for row in own[1:]} <= {"%RETRY%billing"}


def test_each_consumer_owns_the_retry_queue_of_one_broker():
    run = billing(fails=0.5)
    owned = rows(run, "assignments", topic="%RETRY%billing")
    assert {(row["instance"], row["broker"]) for row in owned} == {("billing-1", "a"), ("billing-2", "b")}


def test_an_ack_index_keeps_what_was_handled_before_the_first_failure():
    whole, partly = (
        billing(fails=0.1, fails_with=how, consume_message_batch_max_size=8, pull_interval="2s")
        for how in ("later", "ack_index")
    )
    assert 0 < sum(partly.column("consumer_windows", "failed")) < sum(whole.column("consumer_windows", "failed"))


def test_a_broker_up_to_4_9_1_keeps_a_dead_letter_for_the_level_of_its_last_retry():
    old = {"a": BROKERS["a"] | {"release": "4.9.1"}, "b": {"like": "a"}}
    waiting = [
        sum(
            row["added"]
            for row in rows(billing(brokers=brokers, fails_always=0.999999, max_reconsume_times=2), "delays")
        )
        for brokers in (old, BROKERS)
    ]
    assert waiting[0] == waiting[1] * 3 // 2


@pytest.mark.parametrize(("kind", "result"), [("hang", "sent by the client"), ("kill", "sent by the client")])
def test_what_the_broker_does_not_take_back_is_sent_to_another(kind, result):
    fault = {"at": "5s", "for": "20s", "broker": "a", "kind": kind}
    run = billing(duration="60s", fails=0.5, service="500ms", threads=1, faults=[fault])
    anew = rows(run, "consumed", result=result)
    assert {row["broker"] for row in anew} == {"a"}
    later = [
        own[i + 1] for own in by_message(run).values() for i, row in enumerate(own[:-1]) if row["result"] == result
    ]
    assert {row["broker"] for row in later} == {"b"}


def test_what_nobody_takes_back_is_consumed_again_after_5_s():
    faults = [{"at": "5s", "for": "8s", "broker": "all", "kind": "hang"}]
    run = billing(duration="60s", fails=0.5, service="500ms", threads=1, faults=faults)
    again = [own for own in by_message(run).values() if own[0]["result"] == "again in 5 s"]
    assert again
    assert all(own[1]["begin_us"] - own[0]["end_us"] >= 5_000_000 for own in again if not own[0]["dropped"])
    assert all(own[1]["topic"] == "orders" and own[1]["reconsume_times"] == 1 for own in again)


def test_a_shutdown_sends_back_what_it_interrupts_and_does_not_report_it():
    stop = [{"at": "5s", "for": "5s", "consumer": "billing-2", "kind": "stop"}]
    run = billing(fails=0.000001, service="2s", threads=10, faults=stop)
    twice = [own for own in by_message(run).values() if own[-1]["topic"] == "%RETRY%billing"]
    assert len(twice) >= 5
    assert all([row["topic"] for row in own] == ["orders", "%RETRY%billing"] for own in twice)
    assert {own[0]["instance"] for own in twice} == {"billing-1"}


def test_a_new_group_gets_its_first_retries_late():
    group = {"billing": GROUP | {"count": 1, "fails": 0.5, "new_group": True}}
    runs = [
        ran_tables(duration="60s", seed=seed, brokers=BROKERS, producers={"rate": "10/s"}, consumers=group)
        for seed in range(12)
    ]
    taken = {rows(run, "assignments", topic="%RETRY%billing")[0]["from_us"] // 1_000_000 for run in runs}
    assert min(taken) <= 1
    assert 20 <= max(taken) <= 41


def test_a_dependency_that_fails_makes_every_message_fail_while_it_does():
    fault = {"at": "2s", "for": "4s", "consumer": "billing", "kind": "fail"}
    run = billing(faults=[fault])
    for own in by_message(run).values():
        assert (own[0]["result"] == "sent back") == (2_000_000 <= own[0]["end_us"] < 6_000_000)
        assert own[-1]["result"] == "handled"


@pytest.mark.parametrize("target", ["billing", "billing-2", "all"])
def test_a_fault_that_fails_at_a_broadcasting_group_is_refused_with_its_name(target):
    fault = {"at": "2s", "for": "4s", "consumer": target, "kind": "fail"}
    with pytest.raises(ScenarioError) as refused:
        billing(faults=[fault], message_model="BROADCASTING")
    assert Says("consumer.expected-clustering", "...faults[0].consumer: billing") in Said(refused.value)


def test_a_fault_that_fails_strikes_a_group_beside_one_that_is_broadcasting():
    groups = {"billing": GROUP | {"message_model": "BROADCASTING"}, "audit": GROUP}
    fault = {"at": "2s", "for": "4s", "consumer": "audit", "kind": "fail"}
    assert groups_that_fail(scenario_of(duration="10s", consumers=groups, faults=[fault])) == ["audit"]
