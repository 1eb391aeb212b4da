"""Penalties: how long, from when, and what ends them."""

import pytest

BROKERS = {"a": 1, "b": 1}


@pytest.mark.parametrize(
    ("release", "latency", "duration"),
    [
        ("4.9.8", 49, 0),
        ("4.9.8", 549, 0),
        ("4.9.8", 550, 30_000),
        ("4.9.8", 999, 30_000),
        ("4.9.8", 1000, 60_000),
        ("4.9.8", 15_000, 600_000),
        ("5.3.3", 549, 0),
        ("5.3.3", 550, 2_000),
        ("5.3.3", 1799, 2_000),
        ("5.3.3", 1800, 5_000),
        ("5.3.3", 15_000, 30_000),
    ],
)
def test_penalty_at_the_edges_of_its_class(producer, release, latency, duration):
    p = producer(release, BROKERS)
    p.update("a", latency, now=1000)
    assert p.item("a").start_timestamp == (1000 + duration if duration or release < "5.1.4" else 0)


@pytest.mark.parametrize(("release", "duration"), [("4.2.0", 600_000), ("5.1.3", 600_000), ("5.1.4", 10_000)])
def test_isolation_lasts(producer, release, duration):
    p = producer(release, BROKERS)
    p.update("a", 3, isolate=1, now=5)
    assert p.item("a").start_timestamp == 5 + duration
    assert p.item("a").current_latency == 3


def test_up_to_5_1_3_a_good_result_ends_a_running_isolation(producer):
    p = producer("5.1.3", BROKERS)
    p.isolate("a")
    p.update("a", 3, now=10)
    assert p.item("a").start_timestamp == 10


def test_since_5_1_4_a_good_result_does_not_end_it(producer):
    p = producer("5.1.4", BROKERS)
    p.isolate("a")
    p.update("a", 3, now=10)
    assert p.item("a").start_timestamp == 10_000


def test_update_says_whether_anything_changed(producer):
    p = producer("5.3.3", BROKERS)
    assert [p.update("a", 3), p.update("a", 3), p.update("a", 4)] == [1, 0, 1]


def test_a_broker_is_available_again_at_its_start_timestamp(producer):
    p = producer("4.9.8", BROKERS)
    p.update("a", 550)
    available = [p.client.is_available(p.faults, now, 0) for now in (29_999, 30_000)]
    assert available == [0, 1]


def test_in_5_1_4_an_unreachable_broker_has_no_way_back_by_time(producer):
    available = {}
    for release in ("5.1.4", "5.2.0"):
        p = producer(release, BROKERS)
        p.isolate("a", reachable=0)
        available[release] = p.client.is_available(p.faults, 10**9, 0)
    assert available == {"5.1.4": 0, "5.2.0": 1}


def test_reachable_is_that_of_the_last_update(producer):
    p = producer("5.3.3", BROKERS)
    p.isolate("a", reachable=0)
    p.update("a", 3, reachable=1)
    assert p.item("a").reachable == 1
