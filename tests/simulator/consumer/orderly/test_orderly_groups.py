"""A group that consumes in order: its queues are locked, one thread is at a queue, and what fails holds it up."""

from __future__ import annotations

import collections
import itertools

import pytest

from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.small import fault, ran_tables, rows, scenario_of

BROKERS = {"a": {"latency": {"constant": "1ms"}}, "b": {"like": "a"}}
GROUP = {"topic": "orders", "count": 3, "threads": 4, "service": "10ms", "release": "5.3.3", "consume_mode": "ORDERLY"}


def billing(duration="150s", faults=(), release="5.3.3", **keys):
    """A run of an orderly group of three instances with these keys."""
    return ran_tables(
        duration=duration, client={"release": release}, producers={"rate": "9/s"}, brokers=BROKERS,
        topics={"orders": {"queues": 4}}, consumers={"billing": GROUP | keys | {"release": release}},
        faults=list(faults),
    )  # fmt: skip


def by_queue(run):
    """The deliveries of each queue, in order of time."""
    found = collections.defaultdict(list)
    for row in sorted(rows(run, "consumed"), key=lambda row: (row["begin_us"], row["queue_offset"])):
        found[row["topic"], row["broker"], row["queue_id"]].append(row)
    return found


def silence_s(run, faulty):
    """The longest time without a delivery of each queue that the instance held first."""
    held = {(row["broker"], row["queue_id"]) for row in rows(run, "assignments", instance=faulty) if row["from_us"] < 2}
    return [
        max(after["begin_us"] - before["begin_us"] for before, after in itertools.pairwise(own)) / 1e6
        for (_, *queue), own in by_queue(run).items()
        if tuple(queue) in held
    ]


def test_one_thread_at_a_time_is_at_a_queue_and_nothing_overtakes():
    run = billing(duration="30s", service="50ms", threads=20)
    for own in by_queue(run).values():
        assert [row["queue_offset"] for row in own] == list(range(len(own)))
        assert all(before["end_us"] <= after["begin_us"] for before, after in itertools.pairwise(own))
    assert sum(map(len, by_queue(run).values())) > 250


@pytest.mark.parametrize(("mode", "overtaken"), [("ORDERLY", False), ("CONCURRENTLY", True)])
def test_only_a_concurrent_group_ends_messages_out_of_order(mode, overtaken):
    times = {"exponential": {"mean": "1s"}}
    run = billing(duration="30s", service=times, threads=20, consume_mode=mode)
    ended = sorted(rows(run, "consumed"), key=lambda row: row["end_us"])
    furthest, counted = collections.Counter(), 0
    for row in ended:
        queue = row["broker"], row["queue_id"]
        counted += row["queue_offset"] < furthest[queue]
        furthest[queue] = max(furthest[queue], row["queue_offset"])
    assert sum(run.column("consumer_windows", "out_of_order")) == counted
    assert (counted > 3) is overtaken


@pytest.mark.parametrize(("release", "least", "most"), [("5.3.3", 40, 62), ("4.9.8", 40, 81)])
def test_the_queues_of_a_killed_instance_wait_until_its_locks_expire(release, least, most):
    run = billing(faults=[fault("kill", "30s", "115s", None, consumer="billing-2")], release=release)
    found = silence_s(run, "billing-2")
    assert len(found) == 3
    assert all(least < silence < most for silence in found)
    taken = {row["from_us"] for row in rows(run, "assignments") if row["from_us"] > 30_000_000}
    assert all((at_us - 30_000_000) % 1_000_000 in (0, 1000) for at_us in taken), (
        "asked every 20 s, from 5.2.0 every 1 s"
    )


@pytest.mark.parametrize(("kind", "least", "most"), [("restart", 10, 17), ("kill", 40, 72)])
def test_an_instance_that_hangs_as_it_is_stopped_unlocks_its_queues_as_it_goes_on(kind, least, most):
    hang = fault("hang", "30s", "14s", None, consumer="billing-2")
    run = billing(faults=[hang, fault(kind, "40s", "60s", None, consumer="billing-2")])
    assert all(least < silence < most for silence in silence_s(run, "billing-2"))


def test_a_killed_instance_that_is_back_at_once_waits_for_its_own_lock():
    run = billing(faults=[fault("kill", "30s", "1s", None, consumer="billing-2")])
    assert all(40 < silence < 62 for silence in silence_s(run, "billing-2"))


def test_a_shutdown_gives_the_locks_back():
    run = billing(duration="80s", faults=[fault("stop", "30s", "50s", None, consumer="billing-2")])
    assert max(silence_s(run, "billing-2")) < 3


@pytest.mark.parametrize(("release", "least", "most"), [("4.9.4", 20, 42), ("4.9.5", 0, 22), ("5.3.3", 0, 4)])
def test_up_to_4_9_4_a_queue_is_silent_until_the_locks_are_renewed(release, least, most):
    run = billing(
        duration="120s", faults=[fault("stop", "30s", "30s", None, consumer="billing-2")], release=release, count=2,
    )  # fmt: skip
    rejoined = [row for own in by_queue(run).values() for row in own if row["instance"] == "billing-2"]
    first_s = min(row["begin_us"] for row in rejoined if row["begin_us"] > 60_000_000) / 1e6
    assert least <= first_s - 60.25 < most


def test_a_failure_holds_its_queue_up_and_comes_again_in_place():
    run = billing(duration="60s", fails_always=0.05, max_reconsume_times=3)
    for own in by_queue(run).values():
        assert [row["queue_offset"] for row in own] == sorted(row["queue_offset"] for row in own)
        failed = [row for row in own if row["result"] == "again in place"]
        for before, after in itertools.pairwise(own):
            waited_us = after["begin_us"] - before["end_us"]
            assert before not in failed or (before["queue_offset"] == after["queue_offset"] and waited_us == 1_000_000)
    times = collections.Counter(row["result"] for row in rows(run, "consumed"))
    assert times["again in place"] >= 3 * times["dead letter"] > 20


def test_a_retry_in_place_is_not_consumed_again_but_what_the_next_owner_gets_again_is():
    assert billing(duration="40s", fails=0.05).column("consumer_windows", "consumed_again").sum() == 0
    run = billing(fails=0.05, service="100ms", faults=[fault("kill", "30s", "115s", None, consumer="billing-2")])
    by_next = [row for row in rows(run, "consumed") if row["times"] > 1 and row["reconsume_times"] == 0]
    assert sum(run.column("consumer_windows", "consumed_again")) == len(by_next) > 0


def test_what_is_handled_after_a_failure_in_place_counts_in_the_percentiles():
    run = billing(duration="20s", fails=0.05)
    first = {}
    for row in sorted(rows(run, "consumed", result="handled"), key=lambda row: row["end_us"]):
        first.setdefault((row["sender"], row["send_seq"]), row["end_us"] - row["arrival_us"])
    most_ms = max(row["max_ms"] or 0 for row in rows(run, "consumer_windows"))
    assert most_ms == max(first.values()) / 1000 > 1_000


def test_without_a_maximum_a_message_that_fails_holds_its_queue_up_for_ever():
    run = billing(duration="120s", fails_always=0.05, suspend_current_queue_time="100ms")
    stuck = [own for own in by_queue(run).values() if len(own) > 500]
    assert len(stuck) == 8
    assert {len({row["queue_offset"] for row in own[-400:]}) for own in stuck} == {1}
    assert sum(run.column("consumer_windows", "dead_letters")) == 0


def test_a_thread_leaves_its_queue_after_60_s():
    run = billing(duration="250s", count=1, threads=1, service="400ms")
    began = sorted((row["begin_us"], row["broker"], row["queue_id"]) for row in rows(run, "consumed"))
    stretches = [list(own) for _, own in itertools.groupby(began, key=lambda row: row[1:])]
    lasted_s = [(own[-1][0] - own[0][0]) / 1e6 for own in stretches if len(own) > 20]
    assert round(max(lasted_s), 1) == 60.0


def test_an_orderly_group_cannot_be_broadcasting():
    with raises(ScenarioError, Says("consumer.broadcast-in-order", "...billing.consume_mode")):
        scenario_of(consumers={"billing": GROUP | {"message_model": "BROADCASTING"}})
