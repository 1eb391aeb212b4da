"""Groups that are broadcasting: every instance reads every queue, from offsets of its own."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.small import ran_tables, rows, scenario_of

BROKER = {"a": {"latency": {"constant": "1ms"}}}
GROUP = {"topic": "orders", "count": 2, "service": "1ms", "release": "5.3.3", "message_model": "BROADCASTING"}
LOAD = {"brokers": BROKER, "topics": {"orders": {"queues": 4}}, "producers": {"rate": "16/s"}}


def test_every_instance_consumes_every_message():
    run = ran_tables(duration="10s", **LOAD, consumers={"cache": GROUP})
    for instance in ("cache-1", "cache-2"):
        assert len(rows(run, "assignments", instance=instance)) == 4
        own = rows(run, "consumed", instance=instance)
        assert run.sends.num_rows - 2 <= len(own) <= run.sends.num_rows
    assert set(run.column("consumed", "times")) == {1}


def test_lag_and_offsets_are_those_of_each_instance():
    away = [{"at": "5s", "consumer": "cache-2", "kind": "kill"}]
    run = ran_tables(duration="20s", **LOAD, consumers={"cache": GROUP}, faults=away)
    lags = {
        name: sum(row["lag"] for row in rows(run, "stored", instance=name, window_start_us=19_000_000))
        for name in ("cache-1", "cache-2")
    }
    assert lags["cache-1"] <= 1
    assert lags["cache-2"] == pytest.approx(15 * 16, abs=3)


def test_a_killed_instance_goes_on_from_what_its_file_says():
    # recorded (where-r1): 39 to 41 messages of 16 a second again, none missed; the file is written every 5 s
    away = [{"at": "32s", "for": "10s", "consumer": "cache-2", "kind": "kill"}]
    run = ran_tables(duration="60s", **LOAD, consumers={"cache": GROUP}, faults=away)
    own = rows(run, "consumed", instance="cache-2")
    again = sum(row["times"] > 1 for row in own)
    assert 0 < again <= 5 * 16 + 4
    assert len(own) - again >= run.sends.num_rows - 2


def test_a_group_that_broadcasts_is_never_without_an_owner():
    away = [{"at": "5s", "consumer": "cache-2", "kind": "kill"}]
    run = ran_tables(duration="10s", **LOAD, consumers={"cache": GROUP}, faults=away)
    assert run.column("consumer_windows", "unowned_us").sum() == 0
    assert run.column("consumer_windows", "double_owned_us").sum() == 0


def test_more_readers_than_a_message_can_count_are_refused_in_a_sentence():
    with raises(ScenarioError, Says("consumer.too-many-readers", topic="orders")):
        scenario_of(consumers={"billing": {"topic": "orders", "service": "1ms"}, "cache": GROUP | {"count": 30}})
