"""Pops at a slave that acts for its master: it gives what it has and writes nothing down; the master gives it again."""

from __future__ import annotations

import collections

import pytest

from tests.simulator.consumer.pop.test_pop_groups import after_s
from tests.simulator.small import fault, ran_tables, rows

ACTS = {"latency": {"constant": "1ms"}, "release": "5.3.3", "slaves": 1, "slave_acting_master": True}
BACKLOG = {"topic": "orders", "threads": 1, "service": "50ms", "consume_mode": "POP", "pop_threshold_for_queue": 16}


def billing(*faults, support=True, broker=None, duration="200s", rate="40/s", away="60s", keys=BACKLOG, **own):
    """A run of a POP group with a backlog, whose only broker loses its master for a minute, or for `away`."""
    return ran_tables(
        duration=duration, client={"release": "5.3.3"}, name_servers={"support_acting_master": support},
        producers={"rate": rate, "threads": 8}, brokers={"b": ACTS | (broker or {})}, topics={"orders": {"queues": 4}},
        consumers={"billing": keys | own}, faults=[fault("kill", "60s", away), *faults],
        **({"proxies": {"count": 1}} if "grpc" in keys else {}),
    )  # fmt: skip


def handled(run, begin_s, end_s):
    return [row for row in rows(run, "consumed") if begin_s * 1e6 < row["begin_us"] < end_s * 1e6]


def times_of(found):
    """How often each message is among these deliveries."""
    return collections.Counter((row["sender"], row["send_seq"]) for row in found)


@pytest.mark.parametrize("support", [True, False])
def test_a_slave_that_is_named_as_master_serves_pops_whatever_slave_read_enable_says(support):
    found = handled(billing(support=support), 95, 115)
    assert len(found) == (400 if support else 0)  # all that one thread can do


def test_what_the_slave_gave_the_master_gives_again():
    run = billing(duration="300s")
    before, of_slave, later = (times_of(handled(run, *when)) for when in ((0, 60), (95, 115), (125, 300)))
    new = set(of_slave) - set(before)
    assert len(new) == 368
    assert new <= set(later)


def test_the_slave_begins_at_the_offsets_that_it_copied_last():
    run = billing(rate="10/s", threads=20)  # without a backlog, a minute after the last copy
    again = times_of(handled(run, 61, 119))
    assert set(again) <= set(times_of(handled(run, 0, 60)))
    assert len(again) == 227  # it copied them at 0:37


def test_nothing_is_given_twice_by_the_same_slave_and_nothing_that_failed_comes_again_from_it():
    run = billing(rate="10/s", threads=20, fails_always=0.5)
    first = [row for row in handled(run, 61, 119) if row["reconsume_times"] == 0]
    assert set(times_of(first).values()) == {1}
    assert (
        len({row["begin_us"] // 1_000_000 for row in handled(run, 61, 119)}) <= 2
    )  # no delay of a retry is over later


def test_a_slave_that_starts_again_gives_again_what_it_had_given():
    lost = {"at": "100s", "for": "5s", "broker": "b", "kind": "slave_lost"}
    runs = [billing(*faults, rate="10/s", threads=20) for faults in ((), (lost,))]
    assert [max(times_of(handled(run, 65, 119)).values()) for run in runs] == [1, 2]


def test_an_acknowledgement_that_only_the_slave_heard_of_does_not_count():
    run = billing(service="40s", threads=40, rate="1/s", pop_invisible_time="60s")
    revived = [row for row in rows(run, "pops") if row["revived_unheard"] > 0]
    assert revived
    assert min(row["window_start_us"] for row in revived) >= 119e6


def test_pops_of_grpc_consumers_are_served_too():
    over_grpc = {"topic": "orders", "service": "50ms", "threads": 20, "grpc": {"release": "5.0.8"}}
    run = billing(rate="10/s", keys=over_grpc)
    assert 100 < len(handled(run, 61, 119)) < 600


def test_messages_come_as_soon_as_the_slave_has_them_once_the_master_is_back():
    run = billing(rate="10/s", threads=20, broker={"slave_latency": {"constant": "20ms"}})
    waits = [after_s(row) for row in handled(run, 121, 200) if row["times"] == 1 and row["arrival_us"] > 121e6]
    assert max(waits) < 0.2


def test_a_slave_does_not_give_what_its_master_revives_before_it_has_copied_the_retry_topic():
    run = billing(away="45s", pop_invisible_time="30s")  # its clients poll their route at 120 s
    assert min(row["window_start_us"] for row in rows(run, "pops") if row["revived"] > 0) < 110e6
    again = [row for row in rows(run, "consumed") if row["reconsume_times"] > 0]
    assert min(row["begin_us"] for row in again) > 119e6
    assert max(collections.Counter((row["sender"], row["send_seq"]) for row in again).values()) == 1
