"""The timers of a group are those of its own release, whatever the producers run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simulator.compiled.records import size_of
from simulator.consumer.memory.consumer_group import ReadingGroup
from simulator.plan.compile import compile_scenario
from simulator.releases.broker_release import BROKERS
from simulator.releases.consumer_release import CONSUMERS
from tests.simulator.small import ran_tables, rows, scenario_of

GROUP = {"topic": "orders", "count": 3, "threads": 8, "service": "50ms", "release": "4.9.8"}


def with_timers(monkeypatch, **timers):
    """Give the groups' release other timers than the producers' has."""
    monkeypatch.setitem(CONSUMERS, "4.9.8", replace(CONSUMERS["4.9.8"], **timers))


@pytest.mark.parametrize(
    ("timer", "field"),
    [
        ("broker_suspend_max_time_millis", "hold_us"),
        ("consumer_timeout_millis_when_suspend", "pull_timeout_us"),
        ("persist_consumer_offset_interval", "persist_us"),
        ("heartbeat_broker_interval", "heartbeat_us"),
        ("poll_name_server_interval", "poll_us"),
        ("pull_max_idle_time", "idle_pull_us"),
    ],
)
def test_a_timer_of_a_group_is_that_of_its_release(monkeypatch, timer, field):
    with_timers(monkeypatch, **{timer: 7_000})
    groups = {"audit": GROUP, "billing": GROUP | {"release": "5.3.3"}}
    scenario = scenario_of(client={"release": "5.3.3"}, consumers=groups)
    cells = compile_scenario(scenario).cells[0].consumers.cluster["groups"].reshape(2, size_of(ReadingGroup))
    own, other = (getattr(ReadingGroup.at(row.copy()), field) for row in cells)
    assert (own, other) == (7_000_000, getattr(CONSUMERS["5.3.3"], timer) * 1000)


@pytest.mark.parametrize(("poll_ms", "taken_s"), [(30_000, 44.6), (2_000, 24.6)])
def test_a_group_takes_a_new_queue_as_soon_as_its_release_polls_the_route(monkeypatch, poll_ms, taken_s):
    with_timers(monkeypatch, poll_name_server_interval=poll_ms)
    run = ran_tables(
        duration="50s", client={"release": "5.3.3"}, producers={"count": 2, "rate": "10/s"},
        consumers={"billing": GROUP}, brokers={"a": {"latency": {"constant": "1ms"}}}, topics={"orders": {"queues": 4}},
        faults=[{"at": "20s", "broker": "a", "kind": "queues", "topic": "orders", "queues": 8}],
    )  # fmt: skip
    (taken,) = rows(run, "assignments", broker="a", queue_id=4)
    assert taken["from_us"] / 1e6 == pytest.approx(taken_s, abs=0.1)


@pytest.mark.parametrize(
    "name",
    ["hold_check_interval", "channel_scan_interval", "channel_expired_timeout", "flush_consumer_offset_interval"],
)
def test_what_stands_once_for_all_brokers_is_the_same_in_every_release(name):
    assert len({getattr(broker, name) for broker in BROKERS.values()}) == 1
