"""What surprised in recordings of real consumers (conf/traces/consumers) comes out of the machine."""

from __future__ import annotations

import numpy as np
import pytest

from tests.simulator.small import ran_tables

TWO = {"a": {"latency": {"constant": "1ms"}}, "b": {"latency": {"constant": "1ms"}}}
LATE = {"topic": "orders", "count": 3, "threads": 4, "service": "50ms", "release": "5.3.3"}
JOIN = [{"at": "60s", "consumer": f"billing-{n}", "kind": "scale_out"} for n in (2, 3)]


def backlog(*more):
    """200 messages a second for 120 s; one instance of 80 a second, from 60 s on three."""
    return ran_tables(
        duration="170s", producers={"count": 1, "threads": 64, "rate": "200/s", "rate_changes": {"120s": "0/s"}},
        brokers=TWO, topics={"orders": {"queues": 4}}, consumers={"billing": LATE}, faults=[*JOIN, *more],
    )  # fmt: skip


def begins_s(run, **where):
    """When consumptions began."""
    chosen = np.logical_and.reduce([run.column("consumed", name) == value for name, value in where.items()])
    return np.sort(run.column("consumed", "begin_us")[chosen]) / 1e6


def test_queues_of_a_killed_consumer_have_an_owner_at_once_and_messages_after_the_new_owners_cache():
    run = backlog({"at": "90s", "for": "80s", "consumer": "billing-2", "kind": "kill"})
    taken = run.column("assignments", "from_us") / 1e6
    assert ((taken >= 90) & (taken < 91.1)).sum() == 3
    silent = [begins_s(run, broker=broker, queue_id=queue) for broker, queue in (("a", 3), ("b", 0), ("b", 1))]
    waits = [times[times > 90.1][0] - 90 for times in silent]
    assert 10 < min(waits) < 20
    assert 30 < max(waits) < 40


def test_the_owners_of_three_queues_decide_when_a_backlog_is_gone_and_not_the_sum():
    run = backlog()
    ends = {name: begins_s(run, instance=name)[-1] for name in ("billing-1", "billing-2", "billing-3")}
    assert ends["billing-3"] < 138
    assert min(ends["billing-1"], ends["billing-2"]) > 145


@pytest.mark.parametrize("where", ["CONSUME_FROM_LAST_OFFSET", "CONSUME_FROM_FIRST_OFFSET"])
def test_a_new_group_begins_at_the_first_message_of_a_young_topic(where):
    group = LATE | {"count": 1, "service": "1ms", "consume_from_where": where}
    joins = [{"at": "40s", "consumer": "billing-1", "kind": "scale_out"}]
    run = ran_tables(
        duration="50s", producers={"rate": "25/s"}, brokers=TWO, consumers={"billing": group}, faults=joins
    )
    assert len(run.column("consumed", "begin_us")) >= run.sends.num_rows - 2


def test_a_span_beyond_its_limit_throttles_to_19_pulls_a_second():
    group = LATE | {"count": 1, "service": "2ms", "consume_concurrently_max_span": 500}
    run = ran_tables(
        duration="50s", producers={"count": 1, "threads": 64, "rate": "1200/s", "rate_changes": {"10s": "0/s"}},
        topics={"orders": {"queues": 1, "brokers": ["a"]}}, brokers=TWO, consumers={"billing": group},
        faults=[{"at": "1s", "for": "48s", "consumer": "billing-1", "kind": "stuck"}],
    )  # fmt: skip
    times = begins_s(run, instance="billing-1")
    throttled = ((times >= 4) & (times < 9)).sum() / 5
    assert 18 * 32 < throttled < 20 * 32


def test_a_slave_refuses_pulls_until_the_route_has_a_master_again():
    run = ran_tables(
        duration="160s", producers={"count": 4, "rate": "8/s"}, brokers=TWO, topics={"orders": {"queues": 4}},
        client={"release": "5.3.3", "send_latency_fault_enable": False},
        consumers={"billing": LATE | {"service": "1ms"}},
        faults=[{"at": "30s", "for": "60s", "broker": "a", "kind": "master_lost"}],
    )  # fmt: skip
    times = begins_s(run, broker="a")
    first = times[times > 31][0]
    assert 90 < first < 121
    assert not ((times > 31) & (times < 90)).any()
    away = (run.column("consumer_windows", "window_start_us") // 1_000_000 >= 31) & (
        run.column("consumer_windows", "window_start_us") < 90_000_000
    )
    assert run.column("consumer_windows", "unowned_us")[away].sum() == 0


def test_the_first_visitor_of_a_restarted_broker_takes_more_than_its_share():
    run = ran_tables(
        duration="160s", producers={"count": 4, "rate": "8/s"}, brokers=TWO, topics={"orders": {"queues": 4}},
        consumers={"billing": LATE | {"service": "1ms"}},
        faults=[{"at": "30s", "for": "50s", "broker": "b", "kind": "kill"}],
    )  # fmt: skip
    back = run.column("rebalances", "at_us") > 80_000_000
    early = back & (run.column("rebalances", "members") < 3)
    assert run.column("rebalances", "held")[early].max() > 3
    assert run.column("consumer_windows", "double_owned_us").sum() > 0


def test_a_queue_that_is_added_has_no_owner_from_then_on_alone():
    run = ran_tables(
        duration="100s", producers={"count": 4, "rate": "8/s"}, brokers={"a": TWO["a"]},
        topics={"orders": {"queues": 4}}, consumers={"billing": LATE | {"service": "1ms"}},
        faults=[{"at": "40s", "broker": "a", "topic": "orders", "kind": "queues", "queues": 8}],
    )  # fmt: skip
    unowned = run.column("consumer_windows", "unowned_us")
    before = run.column("consumer_windows", "window_start_us") < 40_000_000
    assert unowned[before].sum() <= 4 * 1_000_000
    assert 0 < unowned[~before].sum() <= 4 * 50_000_000


def test_queues_that_no_name_server_answers_for_have_no_owner_all_the_same():
    run = ran_tables(
        duration="60s", producers={"count": 4, "rate": "8/s"}, brokers={"a": TWO["a"]}, name_servers={"count": 1},
        topics={"orders": {"queues": 4}}, consumers={"billing": LATE | {"service": "1ms"}},
        faults=[{"at": "0s", "for": "20s", "name_server": 1, "kind": "name_server_down"}],
    )  # fmt: skip
    early = run.column("consumer_windows", "window_start_us") < 10_000_000
    assert run.column("consumer_windows", "unowned_us")[early].sum() == 4 * 10_000_000
