"""Orders, rooms and hashes of names."""

import pytest

from simulator.consumer.allocation.names import ring_hash, room_numbers, room_of, sorted_ids, sorted_queues


def test_ids_and_brokers_are_ordered_by_utf16_units():
    assert sorted_ids(["10.0.0.9@1", "10.0.0.10@1"]) == ["10.0.0.10@1", "10.0.0.9@1"]
    names = ["broker-a", "broker-2", "Broker-a", "broker-10", "b\uffee", "b\U0001f600"]
    found = [broker for _, broker, _ in sorted_queues(("t", name, 0) for name in names)]
    assert found == ["Broker-a", "broker-10", "broker-2", "broker-a", "b\U0001f600", "b\uffee"]


def test_queue_ids_are_compared_by_a_difference_that_overflows():
    assert sorted_queues([("t", "a", 1), ("t", "a", -(2**31))]) == [("t", "a", 1), ("t", "a", -(2**31))]


@pytest.mark.parametrize(
    ("broker", "room"),
    [("r1@a", "r1"), ("@a", ""), ("r1@", None), ("r1@a@", "r1"), ("r1@a@x", None), ("a", None), ("@", None)],
)
def test_a_room_is_the_first_of_exactly_two_parts(broker, room):
    assert room_of(broker) == room


def test_rooms_are_numbered_in_the_order_of_their_names():
    assert room_numbers(["r2", None, "r1", "", "r2"]) == ([1, -1, 0, -1, 1], 2)


def test_a_point_of_the_ring_is_four_bytes_of_the_digest():
    assert ring_hash("c1-9") == 1522780571
