"""What is stored is read: who reads it, when, how often, and how long it waits."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.plan.compile import compile_scenario
from simulator.run.cell import Cell
from simulator.run.driver import drive
from tests.simulator.small import fault, ran, ran_tables, rows, scenario_of

ONE_BROKER = {"a": {"latency": {"constant": "1ms"}}}
GROUP = {"topic": "orders", "count": 3, "threads": 4, "service": "50ms", "release": "5.3.3"}


def billing(**changes):
    """A group of three instances, with changes."""
    return {"billing": GROUP | changes}


def last(run, table):
    """The rows of the last window."""
    end = run.column(table, "window_start_us").max()
    return rows(run, table, window_start_us=end)


def test_every_stored_message_is_consumed_once():
    run = ran_tables(duration="20s", producers={"rate": "40/s"}, consumers=billing())
    offsets = list(zip(*(run.column("consumed", n) for n in ("broker", "queue_id", "queue_offset")), strict=True))
    assert len(offsets) == len(set(offsets))
    assert len(offsets) >= run.sends.num_rows - 4
    assert set(run.column("consumed", "times")) == {1}


def test_three_instances_share_eight_queues_as_the_strategy_says():
    brokers = {"a": {"latency": {"constant": "1ms"}}, "b": {"latency": {"constant": "1ms"}}}
    run = ran_tables(duration="3s", brokers=brokers, topics={"orders": {"queues": 4}}, consumers=billing())
    owned = [(row["instance"], row["broker"], row["queue_id"]) for row in rows(run, "assignments")]
    assert [sum(name == f"billing-{n}" for name, _, _ in owned) for n in (1, 2, 3)] == [3, 3, 2]
    assert ("billing-2", "a", 3) in owned
    assert ("billing-2", "b", 1) in owned


def test_a_backlog_is_gone_after_what_it_holds_over_what_is_left_of_the_capacity():
    run = ran_tables(
        duration="100s", producers={"count": 10, "rate": "20/s", "rate_changes": {"20s": "4/s"}}, brokers=ONE_BROKER,
        topics={"orders": {"queues": 3}}, consumers=billing(threads=2, service="50ms"),
    )  # fmt: skip
    lags = run.column("stored", "lag").reshape(100, -1).sum(axis=1)
    assert lags[19] == pytest.approx(20 * (200 - 120), rel=0.02)
    drained_s = np.flatnonzero(lags > 20).max() + 1 - 20
    assert drained_s == pytest.approx(lags[19] / (120 - 40), abs=1.5)


def test_the_cache_stops_at_its_limit_and_one_batch():
    run = ran_tables(
        duration="30s",
        producers={"rate": "200/s"},
        brokers=ONE_BROKER,
        topics={"orders": {"queues": 1}},
        consumers=billing(count=1, threads=1, service="1s"),
    )
    assert 1001 <= last(run, "consumer_windows")[0]["cached"] <= 1032


def test_each_group_reads_everything_for_itself():
    groups = billing() | {"audit": {"topic": "orders", "service": "1ms"}}
    run = ran_tables(duration="10s", producers={"rate": "40/s"}, consumers=groups)
    counts = [len(rows(run, "consumed", consumer_group=name)) for name in ("billing", "audit")]
    assert min(counts) >= run.sends.num_rows - 4


def test_without_consumers_there_are_no_tables_of_them():
    assert set(ran(duration="1s").tables) == {"attempts", "sends", "fault_items", "windows"}


def test_what_everybody_has_read_is_forgotten():
    plan = compile_scenario(
        scenario_of(
            duration="60s", producers={"count": 4, "rate": "500/s"}, consumers=billing(threads=20, service="1ms")
        )
    )
    cell = Cell(plan.cells[0], ())
    list(drive(plan, cell))
    assert cell.consumers.pages < 6 * 15_000 // 128


def test_a_killed_consumers_queues_have_an_owner_within_a_second():
    killed = [{"at": "20s", "consumer": "billing-2", "kind": "kill"}]
    run = ran_tables(duration="40s", producers={"rate": "60/s"}, consumers=billing(), faults=killed)
    ends = {(row["broker"], row["queue_id"]): row["until_us"] for row in rows(run, "assignments", instance="billing-2")}
    assert set(ends.values()) == {20_000_000}
    for broker, queue in ends:
        own = rows(run, "assignments", broker=broker, queue_id=queue)
        assert 20_000_000 < max(row["from_us"] for row in own) <= 21_100_000


@pytest.mark.parametrize(("kind", "most"), [("stop", 5), ("kill", 60)])
def test_a_shutdown_reports_what_it_consumed_and_a_kill_does_not(kind, most):
    gone = [{"at": "22s", "consumer": "billing-2", "kind": kind}]
    run = ran_tables(duration="40s", producers={"count": 4, "rate": "40/s"}, consumers=billing(threads=8), faults=gone)
    again = int((run.column("consumed", "times") > 1).sum())
    assert again <= most


def test_a_frozen_consumer_is_a_member_until_it_was_silent_for_two_minutes():
    frozen = [{"at": "30s", "for": "150s", "consumer": "billing-2", "kind": "hang"}]
    run = ran_tables(duration="200s", producers={"rate": "20/s"}, consumers=billing(), faults=frozen)
    taken = [r["at_us"] for r in rows(run, "rebalances", reason="group changed") if r["taken"] and r["at_us"] > 31e6]
    # its last heartbeat is at most 30 s old, and the broker looks every 10 s
    assert 30e6 + 90e6 <= min(taken) <= 30e6 + 131e6


def test_a_consumer_that_joins_takes_its_share():
    joins = [{"at": "20s", "consumer": "billing-3", "kind": "scale_out"}]
    run = ran_tables(duration="40s", producers={"rate": "60/s"}, consumers=billing(), faults=joins)
    own = rows(run, "assignments", instance="billing-3")
    assert len(own) == 2
    assert all(20_000_000 < row["from_us"] <= 21_100_000 for row in own)


def test_nobody_hears_of_a_broker_that_hangs():
    run = ran_tables(
        duration="60s", producers={"rate": "60/s"}, consumers=billing(), faults=[fault("hang", "20s", "20s")]
    )
    ends = run.column("consumed", "end_us")[run.column("consumed", "broker") == "b"]
    gap = np.diff(np.sort(ends)).max()
    assert gap == pytest.approx(20_000_000, rel=0.1)
    assert all(row["open"] for row in rows(run, "assignments", broker="b"))
