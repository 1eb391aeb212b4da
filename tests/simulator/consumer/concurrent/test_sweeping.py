"""consumeTimeout: what takes too long is sent back by a sweep, and comes again."""

from __future__ import annotations

import pytest

from simulator.plan.consumers.sweep_plan import timeout_us
from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.small import ran_tables, rows, scenario_of

GROUP = {"topic": "orders", "threads": 2, "service": "5ms", "release": "5.3.3"}
STUCK = {"at": "10s", "for": "200s", "consumer": "billing", "kind": "stuck"}
MINUTE = 60_000_000


def billing(faults=(STUCK,), rate="10/s", duration="240s", queues=1, **keys):
    return ran_tables(
        duration=duration, producers={"rate": rate}, topics={"orders": {"queues": queues}},
        consumers={"billing": GROUP | keys}, faults=list(faults),
    )  # fmt: skip


def twice(run):
    """Deliveries of messages that came through the retry topic too, by time."""
    again = {(row["sender"], row["send_seq"]) for row in rows(run, "consumed") if row["reconsume_times"]}
    found = [row for row in rows(run, "consumed") if (row["sender"], row["send_seq"]) in again]
    return sorted(found, key=lambda row: row["begin_us"])


def test_a_message_that_does_not_return_comes_again_10_s_after_a_sweep():
    run = billing(consume_timeout="1m")
    first, second = twice(run)
    (swept,) = rows(run, "consumer_windows", expired=1)
    assert MINUTE <= swept["window_start_us"] + 1_000_000 - first["begin_us"] <= 2 * MINUTE + 1_000_000
    assert 10 <= (second["begin_us"] - swept["window_start_us"]) / 1e6 <= 11.2
    assert (first["result"], second["reconsume_times"], second["result"]) == ("handled", 1, "handled")
    assert run.column("consumer_windows", "consumed_again").sum() == 1
    assert rows(run, "consumer_windows")[-1]["lag"] < 3  # what was sent back is no backlog of its queue


def committed_lag(run, second):
    return sum(row["committed_lag"] for row in rows(run, "stored", window_start_us=second * 1_000_000))


def test_the_committed_offset_moves_on_after_the_sweep():
    assert committed_lag(billing(consume_timeout="1m"), 150) < 60
    assert committed_lag(billing(), 150) > 400


@pytest.mark.parametrize(("release", "swept"), [("4.9.2", 0), ("4.9.3", 1), ("5.3.3", 1)])
def test_up_to_4_9_2_a_sweep_that_meets_a_message_no_thread_has_taken_is_the_last(release, swept):
    late = STUCK | {"at": "130s", "for": "150s"}
    run = billing([late], "60/s", "300s", 8, consume_timeout="1m", release=release, threads=2, service="100ms")
    assert min(run.column("consumer_windows", "lag")[60:]) > 1000
    assert (run.column("consumer_windows", "expired").sum() > 0) == swept


def test_16_messages_of_a_queue_are_sent_back_by_a_sweep_at_most():
    run = billing((), "1/s", "200s", consume_timeout="1m", threads=200, service="150s")
    assert max(run.column("consumer_windows", "expired")) == 3 * 16  # a queue on each of three brokers


def test_what_was_sent_back_too_often_is_a_dead_letter():
    run = billing(consume_timeout="1m", max_reconsume_times=0)
    assert run.column("consumer_windows", "dead_letters").sum() == 1
    assert len(rows(run, "consumed", reconsume_times=1)) == 0


@pytest.mark.parametrize(
    ("keys", "faults", "limit_us"),
    [
        ({}, [], 0),
        ({}, [STUCK | {"for": "20m"}], 15 * MINUTE),
        ({}, [STUCK | {"for": "14m"}], 0),
        ({}, [STUCK | {"for": "20m", "kind": "hang"}], 15 * MINUTE),
        ({"service": "8m", "consume_message_batch_max_size": 2}, [], 15 * MINUTE),
        ({"consume_timeout": "2m"}, [], 2 * MINUTE),
        ({"consume_timeout": "40m"}, [], 0),
    ],
)  # fmt: skip
def test_a_group_sweeps_where_something_can_take_so_long(keys, faults, limit_us):
    scenario = scenario_of(duration="30m", consumers={"billing": GROUP | keys}, faults=faults)
    assert timeout_us(scenario, "billing") == limit_us


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"consume_timeout": "90s"}, Says("consumer.whole-minutes", got="90s")),
        ({"consume_timeout": "1m", "message_model": "BROADCASTING"}, Says("consumer.broadcast-sends-back")),
    ],
)
def test_a_wrong_timeout_is_refused(keys, says):
    with raises(ScenarioError, says):
        scenario_of(consumers={"billing": GROUP | keys})
