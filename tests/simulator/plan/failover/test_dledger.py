"""How the members of a DLedger set find a leader."""

from __future__ import annotations

import json

import pytest

from simulator.plan.failover.failover_effects import set_histories
from simulator.scenario import ScenarioError, parse_scenario

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


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"replicas": 2}, "mode dledger needs 3 or more, got 2"),
        ({"release": "4.4.0"}, "release 4.4.0 has no dledger mode, it came in 4.5.0"),
        ({"mode": "controller", "release": "4.9.8"}, "release 4.9.8 has no controller mode, it came in 5.0.0"),
        ({"mode": "master_slave"}, "mode master_slave elects nobody"),
        ({"slaves": 1}, "mode dledger counts machines in replicas; leave slaves out"),
        ({"role": "sync_master"}, "mode dledger decides the role; leave it out"),
        ({"min_in_sync_replicas": 2}, "only mode controller has it, and this is dledger"),
        ({"ha_max_time_slave_not_catchup": "9s"}, "only mode controller has it, and this is dledger"),
        ({"mode": "controller", "in_sync_replicas": 4}, "in_sync_replicas: expected at most replicas, 3"),
        ({"mode": "controller", "min_in_sync_replicas": 4}, "expected at most replicas, 3"),
    ],
)
def test_what_does_not_fit_together_is_named(keys, said):
    with pytest.raises(ScenarioError, match=said):
        scenario_of(**keys)
