"""A slave that copies fewer bytes a second than its set stores."""

from __future__ import annotations

import json

import pytest

from simulator import simulate
from simulator.plan.failover.failover_effects import set_histories
from simulator.plan.failover.replica_states import replica_states
from simulator.plan.failover.slow_copying import Stored, behind, lacks_since
from simulator.scenario import FaultPeriod, ScenarioError, parse_scenario
from tests.says import Says, raises

S, KIB = 1_000_000, 1_024
SLOW = {"at": "20s", "for": "60s", "broker": "a", "kind": "slave_lag", "copied_bytes_per_s": "20KiB"}
KILL = {"at": "30s", "for": "60s", "broker": "a", "kind": "kill"}


def scenario_of(*faults, seed=1, duration="120s", rate="50/s", arrivals="uniform", threads=16, changes=None, **keys):
    """A set that stores 50 KiB a second."""
    broker = {"latency": {"constant": "1ms"}, "slave_latency": {"constant": "5ms"}, "replicas": 3, "mode": "controller"}
    producers = {"count": 1, "threads": threads, "rate": rate, "arrivals": arrivals, "rate_changes": changes or {}}
    own = {
        "name": "s", "client": {"release": "5.3.3"}, "seed": seed, "duration": duration, "producers": producers,
        "faults": list(faults), "topics": {"t": {"queues": 4}}, "brokers": {"a": {**broker, **keys}},
    }  # fmt: skip
    return parse_scenario(json.dumps(own))


def history_of(*faults, **keys):
    return set_histories(scenario_of(*faults, **keys))["a"]


def left_and_back(history, machine):
    """When a machine leaves the sync set, and when it is back, in seconds."""
    members = [(at_us / S, machine in sync) for at_us, sync in history.sync]
    left_s = next(at_s for at_s, is_in in members if not is_in)
    return left_s, next((at_s for at_s, is_in in members if is_in and at_s > left_s), None)


def lost_of(*faults, **keys):
    run = simulate(scenario_of(*faults, **keys), tables=("sends",))
    lost = run.column("sends", "lost")
    return int(lost.sum()), run.column("sends", "end_us")[lost]


def slow_period(at_s, until_s, per_s):
    more = json.dumps({"copied_bytes_per_s": per_s})
    return FaultPeriod(at_s * S, until_s * S, "a", "slave_lag", 2, "", "", more)


def test_it_is_behind_from_when_more_is_stored_than_it_copies_until_it_has_all():
    """It lacks 30 KiB/s for 10 s, and then makes 10 KiB/s of that good."""
    stored = Stored([(0, 10.0 * KIB), (20 * S, 50.0 * KIB), (30 * S, 10.0 * KIB)])
    (own,) = behind([slow_period(5, 90, 20 * KIB)], stored)
    assert (own.at_us, own.until_us) == (20 * S, 60 * S)
    assert lacks_since([own], 2, 30 * S, stored) == pytest.approx(24 * S, abs=1)
    assert lacks_since([own], 2, 50 * S, stored) == pytest.approx(40 * S, abs=1)
    assert lacks_since([own], 3, 50 * S, stored) is None


def test_it_has_all_as_its_lag_ends():
    stored = Stored([(0, 50.0 * KIB)])
    (own,) = behind([slow_period(5, 90, 20 * KIB)], stored)
    assert (own.at_us, own.until_us) == (5 * S, 90 * S)


def test_one_that_copies_as_much_as_is_stored_is_never_behind():
    assert behind([slow_period(5, 90, 50 * KIB)], Stored([(0, 50.0 * KIB)])) == []
    assert history_of({**SLOW, "copied_bytes_per_s": "60KiB"}).sync == [(0, {1, 2, 3})]


def test_it_leaves_the_sync_set_at_a_check_after_fifteen_seconds_and_is_back_once_it_has_all():
    left_s, back_s = left_and_back(history_of({**SLOW, "replica": 2}), 2)
    assert 35 <= left_s < 40
    assert back_s == 80


def test_it_is_back_before_its_lag_ends_where_less_is_stored():
    """From 40 s on the set stores 1 KiB/s: it lacks 600 KiB then, and makes 19 KiB/s of that good."""
    left_s, back_s = left_and_back(history_of({**SLOW, "replica": 2}, changes={"40s": "1/s"}), 2)
    assert (35 <= left_s < 40, back_s) == (True, pytest.approx(40 + 600 / 19, abs=0.1))


def test_one_that_lags_twice_leaves_the_sync_set_twice():
    lag = {"for": "30s", "broker": "a", "kind": "slave_lag", "replica": 2}
    history = history_of({"at": "10s", **lag}, {"at": "60s", **lag})
    assert [2 in members for _, members in history.sync] == [True, False, True, False, True]


def test_nobody_joins_the_sync_set_of_a_new_master_while_it_lags():
    history = history_of({**SLOW, "replica": 2, "for": "90s"}, KILL)
    assert history.epochs[1].machine == 3
    joined_us = [at_us for at_us, members in history.sync if 2 in members and at_us > 31 * S]
    assert joined_us[0] == 110 * S


@pytest.mark.parametrize("seed", range(4))
def test_one_of_three_that_is_slow_is_not_elected_and_nothing_is_lost(seed):
    assert history_of({**SLOW, "replica": 2}, KILL, seed=seed).epochs[1].machine == 3
    assert lost_of({**SLOW, "replica": 2}, KILL, seed=seed)[0] <= 2


@pytest.mark.parametrize("faults", [[SLOW], [{**SLOW, "replica": 2}]])
def test_what_the_one_that_is_elected_had_not_copied_is_lost(faults):
    """Of the 10 s before the kill it has 200 KiB of 500."""
    count, ends_us = lost_of(*faults, KILL, replicas=2)
    assert 290 <= count <= 310
    assert 23.8 * S < ends_us.min() < 24.2 * S


def test_one_that_has_left_is_not_elected_unless_elections_are_unclean():
    killed = {**KILL, "at": "50s", "for": "30s"}
    assert history_of(SLOW, killed, replicas=2).elections[0].machine == 0
    count, _ = lost_of(SLOW, killed, replicas=2, enable_elect_unclean_master=True)
    assert 880 <= count <= 920


def test_sends_wait_for_it_until_it_has_left_where_the_whole_sync_set_must_have_them():
    run = simulate(scenario_of({**SLOW, "replica": 2}, all_ack_in_sync_state_set=True), tables=("attempts",))
    took_s = {row["begin_us"] / S: (row["end_us"] - row["begin_us"]) / S for row in run.tables["attempts"].to_pylist()}
    assert min(took for at_s, took in took_s.items() if 23 < at_s < 35) > 0.7  # 16 threads wait for 50 ms each
    assert max(took for at_s, took in took_s.items() if at_s < 20 or at_s > 41) < 0.01


def test_a_synchronous_master_without_elections_waits_for_it_in_its_turn():
    """Each message takes 50 ms to be sent, and one comes every 100 ms: none waits for another."""
    master = {"mode": "master_slave", "replicas": 1, "slaves": 1, "role": "sync_master", "in_sync_replicas": 2}
    run = simulate(scenario_of(SLOW, rate="10/s", arrivals="steady", threads=1, **master), tables=("attempts",))
    took_us = {row["begin_us"]: row["end_us"] - row["begin_us"] for row in run.tables["attempts"].to_pylist()}
    assert {took for at_us, took in took_us.items() if 20 * S < at_us < 79 * S} == {
        1_000 + KIB * S // (20 * KIB) + 5_000
    }
    assert {took for at_us, took in took_us.items() if at_us < 20 * S} == {1_000 + 5_000}


def test_the_table_says_each_second_up_to_when_it_has_copied():
    scenario = scenario_of({**SLOW, "replica": 2})
    rows = [row for row in replica_states(scenario, set_histories(scenario)) if row.machine == 2]
    lacks = {row.at_us // S: row.lacks_since_us for row in rows}
    assert (lacks[20], lacks[80]) == (20 * S, -1)
    assert [lacks[at_s] for at_s in (25, 50, 75)] == pytest.approx([22 * S, 32 * S, 42 * S], abs=1)


def test_only_a_lag_has_a_rate():
    owners = "kind slave_lag has"
    says = Says("fault.not-of-this-kind", "...faults[0].copied_bytes_per_s", owners=owners, kind="kill")
    with raises(ScenarioError, says):
        scenario_of({**KILL, "copied_bytes_per_s": "1KiB"})
