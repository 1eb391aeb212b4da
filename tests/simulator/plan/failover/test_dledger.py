"""How the members of a DLedger set find a leader."""

from __future__ import annotations

import json

import pytest

from simulator import simulate
from simulator.codes import SYSTEM_BUSY
from simulator.plan.failover.failover_effects import set_histories
from simulator.scenario import ScenarioError, parse_scenario
from tests.says import Says, raises

S = 1_000_000


def scenario_of(*faults, seed=1, **keys):
    broker = {"latency": {"constant": "1ms"}, "replicas": 3, "mode": "dledger", **keys}
    return parse_scenario(
        json.dumps(
            {
                "name": "s",
                "client": {"release": "5.3.3"},
                "seed": seed,
                "duration": "200s",
                "producers": {"count": 1, "rate": "1/s"},
                "faults": list(faults),
                "topics": {"t": {"queues": 4}},
                "brokers": {"a": broker},
            }
        )
    )


def kill(at, lasts="60s"):
    return {"at": at, "for": lasts, "broker": "a", "kind": "kill"}


@pytest.mark.parametrize("seed", range(8))
def test_a_leader_is_named_six_to_ten_seconds_after_a_kill(seed):
    found = set_histories(scenario_of(kill("30s"), seed=seed))["a"]
    assert 5.6 * S < found.epochs[1].begins_us - 30 * S < 10 * S
    assert found.epochs[1].machine in (2, 3)


def test_without_a_majority_nobody_leads_until_one_is_back():
    found = set_histories(scenario_of(kill("30s"), kill("50s", "100s")))["a"]
    assert found.elections[1].machine == 0
    assert 90 * S < found.epochs[2].begins_us < 92 * S


def test_members_are_those_that_are_there_whatever_comes_back_in_between():
    found = set_histories(scenario_of(kill("30s", "90s"), kill("60s", "20s"), replicas=5))["a"]
    sizes = [len(members) for _, members in found.sync]
    assert [at_us for at_us, _ in found.sync] == sorted(at_us for at_us, _ in found.sync)
    assert sizes == [5, 4, 3, 4, 5]


def test_a_fault_while_nobody_leads_strikes_a_candidate_and_then_no_majority_is_left_to_vote():
    found = set_histories(scenario_of(kill("30s", "40s"), kill("36500ms", "20s")))["a"]
    struck = {own.machine for own in found.absences}
    assert len(struck) == 2
    assert next(one.machine for one in found.elections) == 0
    assert 57.5 * S < found.epochs[1].begins_us < 58.5 * S  # the candidate is back at 56.5 s


def test_a_leader_without_its_followers_leads_no_more_after_six_seconds_and_is_the_leader_again_with_one():
    lost = {"at": "30s", "for": "30s", "broker": "a", "kind": "slave_lost"}
    found = set_histories(scenario_of(lost))["a"]
    assert 34 * S < found.epochs[0].ends_us <= 36 * S
    assert found.elections[0].machine == 0
    assert 61 * S < found.epochs[1].begins_us < 62 * S


@pytest.mark.parametrize(("seed", "machine", "code"), [(1, 2, None), (2, 1, SYSTEM_BUSY)])
def test_a_leader_that_steps_down_refuses_every_message_and_none_is_lost(seed, machine, code):
    lost = {"at": "30s", "for": "30s", "broker": "a", "kind": "slave_lost"}
    scenario = scenario_of(lost, seed=seed, slave_latency={"constant": "5ms"})
    assert set_histories(scenario)["a"].epochs[1].machine == machine
    run = simulate(scenario, tables=("attempts", "sends"))
    met = [row for row in run.tables["attempts"].to_pylist() if 36 * S < row["begin_us"] < 60 * S]
    assert len(met) > 20
    assert {row["response_code"] for row in met} == {code}
    assert not any(run.column("sends", "lost"))


def test_a_process_that_starts_again_at_once_is_a_candidate_like_the_others():
    found = set_histories(scenario_of(kill("30s", "1s")))["a"]
    assert 5.6 * S < found.epochs[1].begins_us - 30 * S < 10 * S


def test_a_set_may_lose_and_find_its_majority_as_often_as_it_likes():
    faults = [kill(f"{at}s", "25s") for at in range(20, 180, 9)]
    found = set_histories(scenario_of(*faults, seed=5))["a"]
    assert [one.begins_us for one in found.epochs] == sorted(one.begins_us for one in found.epochs)
    assert [at_us for at_us, _ in found.sync] == sorted(at_us for at_us, _ in found.sync)
    for epoch in found.epochs[1:]:
        there = [m for m in (1, 2, 3) if found.state_of(m, epoch.begins_us) is None]
        assert epoch.machine in there
        assert len(there) >= 2


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"replicas": 2}, Says("broker.too-few-replicas", mode="dledger", least=3, got=2)),
        ({"release": "4.4.0"}, Says("broker.no-such-mode", release="4.4.0", first="4.5.0")),
        ({"mode": "controller", "release": "4.9.8"}, Says("broker.no-such-mode", mode="controller", first="5.0.0")),
        ({"mode": "master_slave"}, Says("broker.nobody-elected")),
        ({"slaves": 1}, Says("broker.slaves-in-a-set", "...slaves", mode="dledger")),
        ({"role": "sync_master"}, Says("broker.role-of-a-set", "...role", mode="dledger")),
        ({"min_in_sync_replicas": 2}, Says("broker.controller-only", "...min_in_sync_replicas", mode="dledger")),
        ({"ha_max_time_slave_not_catchup": "9s"}, Says("broker.controller-only", mode="dledger")),
        (
            {"mode": "controller", "in_sync_replicas": 4},
            Says("broker.more-than-replicas", "...a.in_sync_replicas", replicas=3),
        ),
        (
            {"mode": "controller", "min_in_sync_replicas": 4},
            Says("broker.more-than-replicas", "...a.min_in_sync_replicas"),
        ),
        (
            {"mode": "controller", "broker_heartbeat_interval": "10s"},
            Says("broker.heartbeats-too-rare", "...a.broker_heartbeat_interval", timeout="10s"),
        ),
    ],
)
def test_what_does_not_fit_together_is_named(keys, says):
    with raises(ScenarioError, says):
        scenario_of(**keys)
