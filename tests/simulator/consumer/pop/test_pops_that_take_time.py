"""A pop that takes time: what is stored meanwhile is popped, and lost up to 5.2.0 if nobody acknowledges it."""

from __future__ import annotations

import pytest

from tests.simulator.small import fault, ran_tables, rows

GROUP = {"topic": "orders", "count": 2, "threads": 90, "service": "200ms", "consume_mode": "POP"}


def killed(release, pop_latency="2ms", **keys):
    """A run in which an instance of two dies, with a tenth of a second of 400 messages a second in its hands."""
    broker = {"latency": {"constant": "500us"}, "release": release, "pop_latency": pop_latency}
    kill = fault("kill", "5s", "30s", None, consumer="billing-1")
    return ran_tables(
        duration="30s", client={"release": "5.3.3"},
        producers={"count": 4, "threads": 4, "rate": "100/s", "rate_changes": {"10s": "0/s"}},
        brokers={"a": broker}, topics={"orders": {"queues": 4}},
        consumers={"billing": GROUP | {"pop_invisible_time": "8s"} | keys}, faults=[kill],
    )  # fmt: skip


def sums(run, *names):
    return tuple(sum(row[name] for row in rows(run, "pops")) for name in names)


@pytest.mark.parametrize(("release", "is_lost"), [("5.0.0", True), ("5.2.0", True), ("5.3.0", False)])
def test_up_to_5_2_0_what_was_stored_after_the_begin_of_its_pop_is_lost(release, is_lost):
    popped, acknowledged, revived, lost = sums(killed(release), "popped", "acknowledged", "revived", "lost")
    assert (lost > 10) is is_lost
    assert popped == acknowledged + revived + lost


def test_a_pop_that_takes_no_time_loses_nothing():
    assert sums(killed("5.2.0", pop_latency="0us"), "lost") == (0,)


def test_what_is_lost_is_no_backlog():
    run = killed("5.2.0")
    assert rows(run, "consumer_windows")[-1]["lag"] == 0


def test_messages_that_fail_are_not_lost_as_their_check_point_is_a_new_one():
    run = killed("5.2.0", fails=0.3, service="1ms")
    assert sums(run, "revived")[0] > 100
    assert sums(run, "lost")[0] < 10


@pytest.mark.parametrize(("pop_latency", "median_us"), [("0us", (0, 1_500)), ("20ms", (4_000, 20_000))])
def test_messages_wait_for_the_pop_that_takes_them(pop_latency, median_us):
    run = killed("5.3.3", pop_latency, service="1ms")
    waits = [row["begin_us"] - row["stored_us"] for row in rows(run, "consumed", reconsume_times=0)]
    assert median_us[0] < sorted(waits)[len(waits) // 2] < median_us[1]
