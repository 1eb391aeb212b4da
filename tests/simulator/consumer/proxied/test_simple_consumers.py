"""SimpleConsumers: the application receives, handles one by one, and acknowledges, or crashes between."""

from __future__ import annotations

import itertools

import pytest

from tests.simulator.consumer.proxied.test_push_consumers import after_s, again, billing, struck
from tests.simulator.small import fault, rows

SIMPLE = {"kind": "simple", "invisible_duration": "10s", "await_duration": "10s"}


def simple(duration="30s", faults=(), grpc=None, **keys):
    return billing(duration, faults, grpc=SIMPLE | (grpc or {}), **keys)


def test_every_thread_receives_by_itself_and_every_message_is_handled_once():
    run = simple()
    assert len(rows(run, "consumed")) >= 590
    assert {(row["result"], row["times"]) for row in rows(run, "consumed")} == {("handled", 1)}


def test_every_thread_of_an_instance_that_has_more_than_there_are_queues_receives():
    run = simple(threads=500, rate="200/s")
    assert {row["consume_thread"] for row in rows(run, "consumed")} >= set(range(0, 500, 50))
    assert len(rows(run, "consumed")) >= 3_900


def test_what_is_not_acknowledged_comes_again_after_the_invisible_time_of_the_receive():
    """11 to 13.6 s in grpc-healthy-r1."""
    run = simple("60s", fails=0.1)
    assert len(again(run)) > 50
    assert all(11 < after_s(row) < 15 for row in again(run) if row["reconsume_times"] == 1)


def test_an_application_that_is_slower_than_the_invisible_time_handles_messages_again():
    run = simple("60s", rate="1/s", service="6s", threads=2, grpc={"max_message_num": 4})
    late = rows(run, "consumed", result="too late to acknowledge")
    assert len(late) > 5
    assert len(again(run)) > 0


def test_what_a_killed_application_had_received_comes_again():
    """And what its waiting receives took, for up to 10 s: 10 s invisible, then 2 to 5.2 s until it is revived."""
    run = simple("40s", [struck("kill", "10s", "60s", consumer="billing-1")], service="200ms", rate="5/s")
    assert 1 <= len(again(run)) <= 130
    assert all(9.5 < row["arrival_us"] / 1e6 < 20 for row in again(run))
    assert all(12 < (row["stored_us"] - row["arrival_us"]) / 1e6 < 15.3 for row in again(run))
    assert {row["result"] for row in rows(run, "consumed")} == {"handled"}


@pytest.mark.parametrize(("await_duration", "at_once"), [("10s", 13), ("20s", 23)])
def test_each_queue_of_a_hung_broker_holds_a_thread_up_until_the_deadline_of_their_receives(await_duration, at_once):
    """grpc-hang-r1: 13.0 s, which silences the other broker, too."""
    run = simple(
        "60s", [fault("hang", "10s", "45s", "a")], count=1, threads=1, queues=1, grpc={"await_duration": await_duration}
    )
    at_b = sorted(row["begin_us"] / 1e6 for row in rows(run, "consumed", broker="b") if row["begin_us"] > 5_000_000)
    assert max(later - one for one, later in itertools.pairwise(at_b)) == pytest.approx(at_once, abs=1.5)
