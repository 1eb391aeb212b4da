"""What an instance holds of a queue, compared with a plain dictionary for any sequence of operations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.compiled.records import Cells, size_of
from simulator.consumer.rules import process_queue as rules
from simulator.consumer.rules.process_queue import CachedMessage, ProcessQueue
from simulator.releases.consumer_release import consumer_of


def queue_of(room):
    queue = ProcessQueue.at(np.zeros(size_of(ProcessQueue) + room * size_of(CachedMessage), np.int64))
    queue.room = room
    return queue


def put(queue, offsets, body_bytes=10):
    rows = np.array([[offset, body_bytes, 0] for offset in offsets], np.int64).reshape(-1)
    return consumer_of("5.3.3").put_messages(queue, Cells.of(rows), len(offsets), rules.NO_MAX_OFFSET)


def remove(queue, offsets, body_bytes=10, release="5.3.3"):
    rows = np.array([[offset, body_bytes] for offset in offsets], np.int64).reshape(-1)
    return consumer_of(release).remove_messages(queue, Cells.of(rows), len(offsets))


def take(queue, most):
    offsets = np.zeros(most, np.int64)
    return offsets[: rules.take_messages(queue, most, Cells.of(offsets))].tolist()


def test_the_offset_to_commit_is_the_smallest_that_is_cached():
    queue = queue_of(8)
    put(queue, [5, 6, 7])
    assert remove(queue, [6]) == 5
    assert remove(queue, [5]) == 7
    assert remove(queue, [7]) == 8
    assert remove(queue, [7]) == rules.NOTHING_CACHED


def test_one_stuck_message_keeps_the_offset_however_many_follow():
    queue = queue_of(4)
    put(queue, [0])
    for offset in range(1, 5000):
        put(queue, [offset])
        assert remove(queue, [offset]) == 0
    assert (queue.msg_count, queue.queue_offset_max, rules.max_span(queue)) == (1, 4999, 0)


def test_an_orderly_consumption_is_started_once_until_nothing_is_left_to_take():
    queue = queue_of(8)
    assert [put(queue, [1, 2]), put(queue, [3])] == [1, 0]
    assert (take(queue, 2), take(queue, 2), take(queue, 2)) == ([1, 2], [3], [])
    assert put(queue, [4]) == 1


def test_taken_messages_are_committed_together():
    queue, client = queue_of(8), consumer_of("5.3.3")
    put(queue, [1, 2, 3])
    assert take(queue, 2) == [1, 2]
    assert client.commit_taken(queue) == 3
    assert (queue.msg_count, queue.msg_size, rules.first_offset(queue)) == (1, 10, 3)
    assert client.commit_taken(queue) == rules.NO_SUCH_ELEMENT


@pytest.mark.parametrize(("release", "left"), [("4.9.7", -5), ("4.9.8", 0), ("5.1.4", -5), ("5.2.0", 0)])
def test_bytes_of_an_empty_queue_drift_in_some_releases(release, left):
    queue = queue_of(4)
    put(queue, [1], body_bytes=10)
    remove(queue, [1], body_bytes=15, release=release)
    assert queue.msg_size == left


def test_a_consumption_that_lasts_too_long_is_found_only_at_the_front():
    queue = queue_of(4)
    put(queue, [1, 2])
    queue.entries[1].consume_start_ms = 100
    assert rules.expired_place(queue, 1_000_000, 900_000) == -1
    queue.entries[0].consume_start_ms = 100
    assert rules.expired_place(queue, 900_100, 900_000) == -1
    assert rules.expired_place(queue, 900_101, 900_000) == 0


OPERATIONS = st.lists(
    st.tuples(st.sampled_from(["put", "remove", "take", "commit", "again"]), st.lists(st.integers(0, 30), max_size=5)),
    max_size=40,
)


@settings(max_examples=150, deadline=None)
@given(OPERATIONS)
def test_any_operations_leave_what_two_sorted_maps_would(operations):
    queue, client = queue_of(40), consumer_of("5.3.3")
    cached, taken = set(), set()
    for name, offsets in operations:
        if name == "put":
            put(queue, offsets)
            cached |= set(offsets)
        elif name == "remove":
            remove(queue, offsets)
            cached -= set(offsets)
        elif name == "take":
            expected = sorted(cached)[: len(offsets) + 1]
            assert take(queue, len(offsets) + 1) == expected
            taken |= set(expected)
            cached -= set(expected)
        elif name == "commit":
            assert client.commit_taken(queue) == (max(taken) + 1 if taken else rules.NO_SUCH_ELEMENT)
            taken = set()
        else:
            rows = np.array([[offset, 10, 0] for offset in offsets], np.int64).reshape(-1)
            rules.take_again(queue, Cells.of(rows), len(offsets))
            taken -= set(offsets)
            cached |= set(offsets)
        assert (queue.cached, queue.taken) == (len(cached), len(taken))
        assert rules.max_span(queue) == (max(cached) - min(cached) if cached else 0)
        assert all((rules.cached_place(queue, offset) >= 0) == (offset in cached) for offset in range(31))
