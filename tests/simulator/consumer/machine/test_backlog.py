"""Messages that were stored before the run begins, and that a group has not consumed."""

from __future__ import annotations

import pytest

from simulator.experiments.experiment_measures import MeasuredRun, measures_of
from simulator.run.run_totals import total_run
from simulator.scenario import ScenarioError
from tests.says import Said, Says, raises
from tests.simulator.small import ran_tables, rows, scenario_of

TWO = {name: {"latency": {"constant": "1ms"}} for name in ("a", "b")}
GROUP = {"topic": "orders", "service": "10ms", "threads": 1, "release": "5.3.3"}
LOAD = {"brokers": TWO, "topics": {"orders": {"queues": 2}}, "producers": {"rate": "20/s", "threads": 4}}


def behind(backlog, duration="30s", more=None, **changes):
    """A group of 100 messages a second at 20 a second that is behind as the run begins."""
    groups = {"billing": GROUP | {"backlog": backlog}} | (more or {})
    return ran_tables(**LOAD | {"duration": duration, "consumers": groups} | changes)


def lag_by_queue(run):
    """What each queue had at the begin of the run: its end less what the run appended."""
    first = rows(run, "stored", window_start_us=0, consumer_group="billing")
    return {(row["broker"], row["queue_id"]): row["max_offset"] - row["appended"] for row in first}


@pytest.mark.parametrize(
    ("backlog", "found"),
    [
        (803, [201, 201, 201, 200]), ("1,203", [301, 301, 301, 300]), ("10s", [50, 50, 50, 50]),
        ({"a": 800, "b": [7]}, [400, 400, 7, 0]), ({"orders": {"a": {1: 5}, "b": "10s"}}, [0, 5, 50, 50]),
    ],
)  # fmt: skip
def test_a_backlog_is_a_number_a_time_or_by_broker_or_queue(backlog, found):
    assert list(lag_by_queue(behind(backlog, duration="2s")).values()) == found


def test_it_is_consumed_first_and_gone_when_load_and_capacity_say():
    run = behind(800)
    lag = run.column("consumer_windows", "lag")
    assert lag[0] == pytest.approx(800 - 80, abs=5)
    assert lag[8] > 40
    assert lag[12] <= 20
    assert run.column("consumer_windows", "consumed").sum() == 800 + run.sends.num_rows - lag[-1]
    assert run.column("consumer_windows", "consumed_again").sum() == 0


def test_its_messages_are_as_old_as_the_load_says_and_nobody_of_the_run_sent_them():
    old = [row for row in rows(behind(800), "consumed") if row["sender"] < 0]
    assert len({row["send_seq"] for row in old}) == len(old) == 800
    assert min(row["stored_us"] for row in old) == -40_000_000
    assert max(row["stored_us"] for row in old) == -200_000


def test_groups_that_run_have_consumed_what_another_is_behind_with():
    run = behind(800, more={"audit": GROUP | {"service": "1ms"}, "slow": GROUP | {"backlog": 80}})
    ends = {row["consumer_group"]: row for row in rows(run, "consumer_windows", window_start_us=0)}
    assert ends["audit"]["lag"] <= 2
    assert ends["slow"]["lag"] <= 20
    assert len(rows(run, "consumed", consumer_group="audit")) <= run.sends.num_rows


def test_a_group_that_starts_later_with_a_backlog_is_behind_until_then():
    joins = [{"at": "10s", "consumer": "billing-1", "kind": "scale_out"}]
    run = behind(800, faults=joins)
    assert run.column("consumer_windows", "lag")[9] == pytest.approx(800 + 200, abs=3)
    assert run.column("consumer_windows", "skipped")[-1] == 0


def test_old_messages_are_read_from_the_disk_and_expire_like_others():
    small = {"a": TWO["a"] | {"memory": "640KiB", "disk_read": "1ms"}}
    assert behind(800, brokers=small).column("consumer_windows", "from_disk").sum() > 500
    hours = ";".join(map(str, range(24)))
    short = TWO["a"] | {"file_reserved_time": "1h", "delete_when": hours, "mapped_file_size_commit_log": "64KiB"}
    load = {"rate": "1/min", "threads": 1}
    run = behind(180, brokers={"a": short}, producers=load, consumers={"billing": GROUP | {
        "backlog": 180, "service": "10m"}})  # fmt: skip
    assert run.column("consumer_windows", "missed")[-1] == pytest.approx(120, abs=60)


def test_the_drain_of_a_backlog_counts_from_the_begin_of_the_run():
    scenario = scenario_of(**LOAD, duration="30s", consumers={"billing": GROUP | {"backlog": 800}})
    found = measures_of(MeasuredRun(total_run(scenario), scenario, 0))
    assert found["drain_s[billing]"] == pytest.approx(800 / 80, abs=1)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"backlog": {"c": 5}}, Says("reading.not-known", name="c", known="orders, a, b")),
        ({"backlog": {"a": [1, 2, 3]}}, Says("consumer.more-numbers-than-queues", "...backlog.a", most=2, got=3)),
        ({"backlog": [1, 2]}, Says("consumer.list-without-broker")),
        ({"backlog": "many"}, Says("field.expected")),
        ({"backlog": -1}, Says("field.expected", expected="0 to 100,000,000 messages", got="-1")),
        ({"backlog": 5, "message_model": "BROADCASTING"}, Says("consumer.broadcast-backlog")),
        ({"backlog": 5, "new_group": True}, Says("consumer.new-group-backlog")),
    ],
)
def test_a_backlog_that_cannot_be_is_refused_in_a_sentence(changes, sentence):
    with pytest.raises(ScenarioError) as error:
        scenario_of(**LOAD, consumers={"billing": GROUP | changes})
    assert sentence in Said(error.value)


def test_a_time_needs_a_rate():
    topics = {name: {"queues": 2} for name in ("orders", "refunds")}
    load = LOAD | {"topics": topics, "producers": {"topics": ["refunds"]}}
    with raises(ScenarioError, Says("consumer.no-rate-at-the-start", topic="orders")):
        scenario_of(**load, consumers={"billing": GROUP | {"backlog": "10s"}})
