"""SimpleConsumers of a group in order: a queue is blocked until what was received of it is acknowledged, or visible."""

from __future__ import annotations

from tests.simulator.consumer.proxied.test_fifo_consumers import by_queue, is_in_order
from tests.simulator.consumer.proxied.test_push_consumers import struck
from tests.simulator.consumer.proxied.test_simple_consumers import simple
from tests.simulator.small import rows


def in_order(duration="30s", faults=(), **keys):
    return simple(duration, faults, consume_mode="ORDERLY", **keys)


def test_messages_of_a_queue_are_handled_one_after_the_other_whoever_receives_them():
    run = in_order(rate="50/s")
    assert is_in_order(run)
    assert {(row["result"], row["times"]) for row in rows(run, "consumed")} == {("handled", 1)}
    assert all(len({row["instance"] for row in own}) == 2 for own in by_queue(run))


def test_what_is_not_acknowledged_blocks_its_queue_until_it_is_visible_and_comes_again_in_its_place():
    run = in_order("60s", fails=0.05)
    for own in by_queue(run):
        handled = [row["queue_offset"] for row in own if row["result"] == "handled"]
        assert handled == sorted(set(handled))
    failed = [row for row in rows(run, "consumed") if row["result"] == "failed, not acknowledged"]
    assert len(failed) > 20


def test_it_comes_again_after_the_invisible_time_of_the_receive_and_through_no_retry_topic():
    run = in_order("60s", fails=0.05)
    assert {row["topic"] for row in rows(run, "consumed")} == {"orders"}
    first = {(row["sender"], row["send_seq"]): row["end_us"] for row in rows(run, "consumed", reconsume_times=0)}
    second = [row for row in rows(run, "consumed", reconsume_times=1) if (row["sender"], row["send_seq"]) in first]
    waits = [(row["begin_us"] - first[row["sender"], row["send_seq"]]) / 1e6 for row in second]
    assert 9 < min(waits) <= max(waits) < 13


def test_a_killed_application_blocks_the_queues_of_what_it_had_received():
    run = in_order("60s", [struck("kill", "10s", "40s", consumer="billing-1")], service="300ms", rate="5/s")
    assert is_in_order_but_for_repeats(run)
    waits = [row["begin_us"] - row["stored_us"] for row in rows(run, "consumed") if row["times"] == 1]
    assert 9e6 < max(waits) < 30e6


def is_in_order_but_for_repeats(run):
    """Whether nothing of a queue is handled before what is stored in front of it."""
    for own in by_queue(run):
        handled = [row["queue_offset"] for row in own if row["result"] == "handled"]
        if handled != sorted(set(handled)):
            return False
    return True
