"""A proxy takes the next queue of its sorted route, whichever broker failed before."""

import pytest

from simulator.client.message_queue import NO_QUEUE, broker_of, queue_id_of
from simulator.client.selection.pipeline_selection import select_by_faults, select_by_penalty, select_by_pipeline
from simulator.codes import PICK_REASON_NAMES
from tests.simulator.client.conftest import Producer


def queues_from(producer, count, select=select_by_pipeline, *now):
    picked = [select(producer.view, *now) for _ in range(count)]
    return [(producer.names[broker_of(queue)], int(queue_id_of(queue))) for queue in picked]


def test_the_queues_of_a_broker_come_one_after_the_other():
    assert queues_from(Producer("5.3.3", {"a": 2, "b": 2}), 5) == [("a", 0), ("a", 1), ("b", 0), ("b", 1), ("a", 0)]


@pytest.mark.parametrize(("start", "queue"), [(3, ("b", 1)), (-1, ("b", 1)), (-4, ("a", 0))])
def test_the_counter_starts_anywhere_and_is_taken_modulo_the_queues(start, queue):
    assert queues_from(Producer("5.3.3", {"a": 2, "b": 2}, start), 1) == [queue]


def test_the_reason_is_the_proxy():
    producer = Producer("5.3.3", {"a": 1})
    select_by_pipeline(producer.view)
    assert PICK_REASON_NAMES[producer.view.pick_reason] == "proxy"


def test_a_route_without_a_queue_gives_none():
    assert select_by_pipeline(Producer("5.3.3", {"a": 1}, read_only=["a"]).view) == NO_QUEUE


def measured(**latencies):
    """A proxy's view of brokers with a queue each (a has two): 0 good, 1 slow, 2 unreachable and slow."""
    producer = Producer("5.5.0", {"a": 2, "b": 1, "c": 1})
    for name, how in latencies.items():
        if how:
            producer.isolate(name, reachable=2 - how)
    return producer


def test_from_5_5_0_a_round_begins_at_the_counter_and_takes_the_first_without_a_penalty():
    assert queues_from(measured(b=1), 4, select_by_penalty, 10) == [("a", 0), ("a", 1), ("c", 0), ("a", 0)]
    assert queues_from(measured(b=1), 2, select_by_faults, 10) == [("a", 1), ("c", 0)]


def test_from_5_5_0_a_slow_broker_is_better_than_one_that_is_unreachable():
    assert queues_from(measured(a=2, b=1, c=2), 3, select_by_penalty, 10) == 3 * [("b", 0)]


def test_from_5_5_0_brokers_that_are_equally_bad_leave_every_message_to_one_queue():
    equally_bad = measured(a=1, b=1, c=1)
    assert queues_from(equally_bad, 3, select_by_penalty, 10) == 3 * [("a", 0)]
    spread = queues_from(measured(a=1, b=1, c=1), 4, select_by_faults, 10)
    assert len(set(spread)) == 4


def test_from_5_5_0_a_route_without_a_queue_gives_none_either():
    assert select_by_penalty(Producer("5.5.0", {"a": 1}, read_only=["a"]).view, 10) == NO_QUEUE
