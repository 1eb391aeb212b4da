"""A proxy takes the next queue of its sorted route, whichever broker failed before."""

import pytest

from simulator.client.message_queue import NO_QUEUE, broker_of, queue_id_of
from simulator.client.selection.pipeline_selection import select_by_pipeline
from simulator.codes import PICK_REASON_NAMES
from tests.simulator.client.conftest import Producer


def queues_from(producer, count):
    picked = [select_by_pipeline(producer.view) for _ in range(count)]
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
