"""Slaves of one set that have a message after latencies of their own."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

from simulator import simulate
from simulator.plan.failover.failover_effects import set_histories
from simulator.scenario import ScenarioError, parse_scenario
from tests.says import Says, raises

S, MS = 1_000_000, 1_000
KILL = {"at": "20s", "for": "60s", "broker": "a", "kind": "kill"}
PLAIN = {"mode": "master_slave", "replicas": 1, "slaves": 2, "role": "sync_master"}


def scenario_of(latencies, *faults, seed=1, **keys):
    broker = {
        "latency": {"constant": "1ms"}, "slave_latency": {"constant": "5ms"}, "release": "5.3.3", "replicas": 3,
        "mode": "controller", "slave_latency_of_replica": {k: {"constant": v} for k, v in latencies.items()},
    }  # fmt: skip
    own = {
        "name": "s", "client": {"release": "5.3.3"}, "seed": seed, "duration": "60s", "faults": list(faults),
        "producers": {"count": 1, "threads": 16, "rate": "200/s"}, "topics": {"t": {"queues": 4}},
        "brokers": {"a": {**broker, **keys}},
    }  # fmt: skip
    return parse_scenario(json.dumps(own))


def took_us(scenario):
    run = simulate(scenario, tables=("attempts",))
    return Counter((run.column("attempts", "end_us") - run.column("attempts", "begin_us")).tolist()).most_common(1)[0][
        0
    ]


@pytest.mark.parametrize(("in_sync", "waits_ms"), [(1, 0), (2, 2), (3, 40)])
def test_a_master_waits_for_the_fastest_of_its_slaves_and_then_for_the_next(in_sync, waits_ms):
    scenario = scenario_of({2: "40ms", 3: "2ms"}, in_sync_replicas=in_sync, **PLAIN)
    assert took_us(scenario) == MS + waits_ms * MS + took_us(scenario_of({}, in_sync_replicas=1, **PLAIN)) - MS


def test_the_whole_sync_set_is_as_late_as_its_slowest_replica():
    both = [took_us(scenario_of(own, all_ack_in_sync_state_set=True)) for own in ({}, {3: "40ms"})]
    assert both[1] - both[0] == 35 * MS


def test_the_first_master_is_as_late_as_its_own_latency_once_it_is_a_slave():
    """From 30 s on machine 1 is back; the two others have 5 ms."""
    keys = {"all_ack_in_sync_state_set": True}
    run = simulate(scenario_of({1: "40ms"}, KILL | {"for": "10s"}, **keys), tables=("attempts",))
    begin, end = run.column("attempts", "begin_us"), run.column("attempts", "end_us")
    waits = [np.median((end - begin)[(begin > at_us) & (begin < at_us + 5 * S)]) for at_us in (10 * S, 55 * S)]
    assert waits[1] - waits[0] == 35 * MS


@pytest.mark.parametrize("seed", range(6))
def test_of_two_slaves_the_one_is_elected_that_has_more(seed):
    """It is 2 s behind, and machines say once a second what they have."""
    history = set_histories(scenario_of({2: "2s"}, KILL, seed=seed))["a"]
    assert history.epochs[1].machine == 3


def lost_of(scenario):
    run = simulate(scenario, tables=("sends",))
    return int(run.column("sends", "lost").sum())


def test_what_the_one_that_is_elected_had_not_copied_is_lost():
    """In 2 s come 400 messages."""
    alone = [lost_of(scenario_of({2: "2s"}, KILL, replicas=2, seed=seed)) for seed in range(3)]
    beside = [lost_of(scenario_of({2: "2s"}, KILL, seed=seed)) for seed in range(3)]
    assert all(350 <= lost <= 450 for lost in alone)
    assert all(lost <= 4 for lost in beside)


def test_a_fast_slave_that_is_not_elected_does_not_help():
    """Machine 3 has everything, and is away as the master goes."""
    away = {"at": "19s", "for": "5s", "broker": "a", "kind": "slave_lost", "replica": 3}
    assert 350 <= lost_of(scenario_of({2: "2s"}, away, KILL)) <= 450


def test_dledger_loses_none_whoever_is_slow():
    assert lost_of(scenario_of({2: "200ms"}, KILL, mode="dledger")) == 0


def test_one_latency_for_all_of_them_is_as_slave_latency():
    alike = dict.fromkeys((1, 2, 3), "5ms")
    tables = [simulate(scenario_of(own, KILL), tables=("attempts", "sends")).tables for own in ({}, alike)]
    assert all(tables[0][name].equals(tables[1][name]) for name in ("attempts", "sends"))


@pytest.mark.parametrize(
    ("number", "changes", "first", "machines"),
    [(4, {}, 1, 3), (1, PLAIN, 2, 3), (2, {"replicas": 1} | PLAIN | {"slaves": 0}, 2, 1)],
)
def test_a_machine_that_the_set_has_not_is_refused(number, changes, first, machines):
    with raises(ScenarioError, Says("broker.no-such-replica", first=first, machines=machines, got=number)):
        scenario_of({number: "5ms"}, **changes)


def test_a_replica_is_a_number():
    with raises(ScenarioError, Says("field.expected", got='"first"')):
        scenario_of({"first": "5ms"})
