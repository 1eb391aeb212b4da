"""A group over gRPC that consumes in order (FIFO): a queue is blocked for all while something of it is outstanding."""

from __future__ import annotations

import itertools

import pytest

from tests.simulator.consumer.proxied.test_push_consumers import RENEWING, SILENT, billing, struck
from tests.simulator.small import fault, ran_tables, rows


def fifo(duration="20s", faults=(), proxies=None, **keys):
    """A run of such a group: two instances, two brokers, four queues each."""
    return billing(duration, faults, proxies, consume_mode="ORDERLY", **keys)


def by_queue(run):
    """Deliveries of each queue in the order in which they began."""
    found = {}
    for row in sorted(rows(run, "consumed"), key=lambda row: row["begin_us"]):
        found.setdefault((row["broker"], row["queue_id"]), []).append(row)
    return list(found.values())


def is_in_order(run):
    """Whether each queue's messages were handled one after the other, by their offsets."""
    return all(
        one["queue_offset"] + 1 == later["queue_offset"] and one["end_us"] <= later["begin_us"]
        for own in by_queue(run)
        for one, later in itertools.pairwise(own)
    )


@pytest.mark.parametrize("rate", ["20/s", "200/s"])
def test_messages_of_a_queue_are_handled_one_after_the_other_by_whichever_client_receives_them(rate):
    run = fifo(rate=rate)
    assert is_in_order(run)
    assert {row["times"] for row in rows(run, "consumed")} == {1}
    assert all(len({row["instance"] for row in own}) == 2 for own in by_queue(run))


def test_a_client_is_assigned_queues_from_proxies_of_5_1_2_on_and_brokers_before():
    queues = {
        release: {row["queue_id"] for row in rows(fifo(proxies={"release": release}), "assignments")}
        for release in ("5.1.1", "5.1.2")
    }
    assert queues == {"5.1.1": {-1}, "5.1.2": {0, 1, 2, 3}}


def test_what_an_answer_brings_is_handled_one_by_one_however_many_threads_there_are():
    """One pop takes messages of several queues: with one client of 20 threads, at most one receive each is at work."""
    run = fifo("30s", rate="100/s", count=1, threads=20, service="100ms")
    at_once = 8  # four receives at each of two brokers
    handled = [row for row in rows(run, "consumed") if row["end_us"] > 5_000_000]
    assert len(handled) <= at_once * 10 * 25 + at_once
    assert is_in_order(run)


def test_what_fails_is_handled_again_by_the_same_client_after_its_delay_and_holds_up_what_is_behind_it():
    run = fifo("60s", fails=0.05)
    assert is_in_order_with_retries(run)
    again = [
        (one, later)
        for own in by_queue(run)
        for one, later in itertools.pairwise(own)
        if later["queue_offset"] == one["queue_offset"]
    ]
    assert len(again) > 20
    assert {one["instance"] == later["instance"] for one, later in again} == {True}
    waits = {(later["reconsume_times"], round((later["begin_us"] - one["end_us"]) / 1e6)) for one, later in again}
    assert waits <= {(1, 1), (2, 5), (3, 10)}
    assert {(1, 1), (2, 5)} <= waits


def is_in_order_with_retries(run):
    return all(
        one["queue_offset"] <= later["queue_offset"] <= one["queue_offset"] + 1 and one["end_us"] <= later["begin_us"]
        for own in by_queue(run)
        for one, later in itertools.pairwise(own)
    )


def test_after_its_last_attempt_a_message_is_a_dead_letter_and_the_next_one_is_handled():
    run = fifo("60s", fails_always=0.02, max_reconsume_times=2)
    letters = [row for row in rows(run, "consumed") if row["result"] == "dead letter"]
    assert len(letters) > 5
    assert {row["reconsume_times"] for row in letters} == {2}
    assert sum(row["dead_letters"] for row in rows(run, "consumer_windows")) == len(letters)
    assert is_in_order_with_retries(run)


@pytest.mark.parametrize(("release", "least_s", "most_s"), [(SILENT, 58, 63), (RENEWING, 120, 145)])
def test_a_killed_client_blocks_the_queues_that_it_was_at_until_its_messages_are_visible_again(
    release, least_s, most_s
):
    """60 s; proxies that renew take two minutes until they strike a client off."""
    kill = struck("kill", "20s", "300s", consumer="billing-1")
    run = fifo("200s", [kill], {"release": release}, rate="40/s", service="200ms", threads=20)
    longest_s = [
        max((later["begin_us"] - one["begin_us"]) / 1e6 for one, later in itertools.pairwise(own))
        for own in by_queue(run)
    ]
    assert least_s < max(longest_s) < most_s


def test_what_a_killed_client_held_comes_again_first_in_its_place():
    run = fifo("120s", [struck("kill", "20s", "300s", consumer="billing-1")], rate="40/s", service="200ms", threads=20)
    for own in by_queue(run):
        offsets = [row["queue_offset"] for row in own]
        assert offsets == sorted(offsets)


def test_a_listener_that_takes_longer_than_the_invisible_time_has_others_handle_its_messages_meanwhile():
    stuck = struck("stuck", "10s", "90s", consumer="billing-1")
    run = fifo("150s", [stuck])
    slow = next(row for row in rows(run, "consumed") if row["end_us"] - row["begin_us"] > 80_000_000)
    assert slow["result"] == "too late to acknowledge"
    twice = rows(run, "consumed", broker=slow["broker"], queue_id=slow["queue_id"], queue_offset=slow["queue_offset"])
    assert len(twice) == 2
    assert twice[0]["end_us"] < slow["end_us"]
    assert max(row["reconsume_times"] for row in twice) == 1


def test_before_5_1_0_a_waiting_receive_is_not_told_that_a_queue_is_free():
    """With a backlog it looks again as the next message comes, or after 20 s."""

    def done_s(release):
        own = {"latency": {"constant": "1ms"}, "release": release}
        run = ran_tables(
            duration="60s", client={"release": "5.3.3"}, producers={"rate": "1/s"}, brokers={"a": own},
            topics={"orders": {"queues": 1}}, proxies={"count": 1, "release": SILENT},
            consumers={
                "billing": {
                    "topic": "orders", "service": "5ms", "grpc": {}, "consume_mode": "ORDERLY", "backlog": 100,
                }
            },
        )  # fmt: skip
        return sorted(row["end_us"] / 1e6 for row in rows(run, "consumed"))[99]

    assert done_s("5.1.0") + 1.5 < done_s("5.0.0")


def test_a_killed_broker_comes_back_with_its_queues_in_order():
    """From the offsets that it had written last, as every broker that is killed."""
    run = fifo("90s", [fault("kill", "20s", "10s", "a")])
    for own in by_queue(run):
        offsets = [row["queue_offset"] for row in own]
        assert sum(later < one for one, later in itertools.pairwise(offsets)) <= 1
        assert sorted(set(offsets)) == list(range(len(set(offsets))))
