"""Whom the controller elects, and when."""

from __future__ import annotations

import json

import pytest

from simulator.plan.failover.failover_effects import set_histories
from simulator.scenario import parse_scenario

S = 1_000_000
KILL = {"at": "30s", "for": "60s", "broker": "a", "kind": "kill"}


def history_of(*faults, seed=1, duration="200s", **keys):
    broker = {"latency": {"constant": "1ms"}, "replicas": 3, "mode": "controller", **keys}
    return set_histories(
        parse_scenario(
            json.dumps(
                {
                    "name": "s",
                    "client": {"release": "5.3.3"},
                    "seed": seed,
                    "duration": duration,
                    "producers": {"count": 1, "rate": "1/s"},
                    "faults": list(faults),
                    "topics": {"t": {"queues": 4}},
                    "brokers": {"a": broker},
                }
            )
        )
    )["a"]


def sync_at(history, at_us):
    """The sync set at a moment."""
    return [members for from_us, members in history.sync if from_us <= at_us][-1]


def test_a_killed_master_is_replaced_as_its_connection_closes():
    found = history_of(KILL)
    assert [(e.machine != 1, e.epoch) for e in found.elections] == [(True, 2)]
    assert 30.08 * S <= found.elections[0].at_us < 30.17 * S
    assert found.epochs[0].delisted_us < 30.13 * S < 30.3 * S > found.epochs[1].listed_us


@pytest.mark.parametrize("seed", range(12))
def test_a_hang_is_found_nine_to_fourteen_seconds_after_it_began(seed):
    found = history_of({**KILL, "kind": "hang"}, seed=seed)
    assert 9 * S < found.elections[0].at_us - 30 * S < 14 * S
    assert found.epochs[0].delisted_us == found.epochs[1].listed_us  # named until the new master overwrites it


def test_a_hang_of_eight_seconds_elects_nobody():
    assert history_of({**KILL, "kind": "hang", "for": "8s"}).elections == []


def test_a_graceful_stop_leaves_the_route_seconds_before_another_is_elected():
    found = history_of({**KILL, "kind": "restart"})
    assert found.epochs[0].delisted_us < 30.2 * S
    assert 35.3 * S <= found.epochs[1].begins_us < 35.6 * S


def test_the_new_master_is_alone_and_the_old_one_comes_back_as_a_slave():
    found = history_of(KILL)
    elected = found.elections[0]
    assert sync_at(found, elected.at_us) == {elected.machine}
    assert sync_at(found, 95 * S) < {1, 2, 3}
    assert sync_at(found, 90 * S + 5_700_000) == {1, 2, 3}


def test_a_second_kill_before_a_slave_is_in_sync_leaves_nobody_until_the_dead_one_is_back():
    found = history_of(KILL, {**KILL, "at": "33s", "for": "80s"})
    assert [e.machine for e in found.elections][1] == 0
    assert found.elections[-1].machine == found.elections[0].machine
    assert found.epochs[-1].begins_us == 113 * S + 30_000


def test_an_unclean_election_takes_any_machine_that_is_there():
    found = history_of(KILL, {**KILL, "at": "33s", "for": "80s"}, enable_elect_unclean_master=True)
    assert 33 * S < found.epochs[2].begins_us < 34 * S


def test_slaves_that_lag_leave_the_sync_set_at_a_check_after_fifteen_seconds():
    found = history_of({"at": "20s", "for": "60s", "broker": "a", "kind": "slave_lag"})
    left_us = [at_us for at_us, members in found.sync if members == {1}]
    assert 35 * S <= left_us[0] < 40 * S
    assert sync_at(found, 86 * S) == {1, 2, 3}


def test_a_machine_that_just_froze_may_be_elected():
    """The heartbeat of lagging slaves is younger than 10 s: they are members, and electable."""
    lag = {"at": "22s", "for": "8300ms", "broker": "a", "kind": "slave_lag"}
    assert history_of(lag, KILL).elections[0].at_us < 30.2 * S


def test_a_frozen_master_that_is_killed_is_missed_as_its_connection_closes():
    found = history_of({**KILL, "kind": "hang"}, {**KILL, "at": "34s", "for": "90s"})
    assert 34.08 * S <= found.elections[0].at_us < 34.17 * S
    assert [(one.at_us // S, one.until_us // S) for one in found.absences] == [(30, 34), (34, 124)]


def test_a_machine_that_is_killed_twice_is_away_until_both_are_over():
    found = history_of(KILL, {**KILL, "at": "30050ms", "for": "90s"})
    assert [(one.machine, one.until_us) for one in found.absences] == [(1, 120_050_000)]


def test_a_set_that_is_scaled_in_elects_nobody():
    assert history_of({"at": "30s", "drain": "10s", "broker": "a", "kind": "scale_in"}).elections == []
