"""What each machine of a set is, since when it lacks what the master stores, and one replica that lags by itself."""

from __future__ import annotations

import json

import pytest

from simulator import simulate
from simulator.plan.failover.failover_effects import set_histories
from simulator.plan.failover.replica_states import replica_states
from simulator.scenario import ScenarioError, parse_scenario
from tests.says import Says, raises

S = 1_000_000
KILL = {"at": "30s", "for": "60s", "broker": "a", "kind": "kill"}
LAG = {"at": "22s", "for": "20s", "broker": "a", "kind": "slave_lag"}


def scenario_of(*faults, seed=1, duration="60s", **keys):
    broker = {"latency": {"constant": "1ms"}, "slave_latency": {"constant": "5ms"}, "replicas": 3, "mode": "controller"}
    return parse_scenario(
        json.dumps(
            {
                "name": "s",
                "client": {"release": "5.3.3"},
                "seed": seed,
                "duration": duration,
                "producers": {"count": 1, "threads": 16, "rate": "50/s"},
                "faults": list(faults),
                "topics": {"t": {"queues": 4}},
                "brokers": {"a": {**broker, **keys}, "b": {"latency": {"constant": "1ms"}}},
            }
        )
    )


def states(*faults, **keys):
    """(second, role, second from which on it lacks something) of each machine in order of time."""
    scenario = scenario_of(*faults, **keys)
    found = {1: [], 2: [], 3: []}
    for row in replica_states(scenario, set_histories(scenario)):
        lacks = row.lacks_since_us / S if row.lacks_since_us >= 0 else -1
        found[row.machine].append((row.at_us / S, row.role, lacks))
    return found


def test_a_set_that_no_fault_strikes_has_no_rows():
    assert states({**KILL, "broker": "b"}) == {1: [], 2: [], 3: []}


def test_who_is_no_member_of_the_sync_set_lacks_what_the_new_master_stores_until_it_is():
    found = states(KILL, duration="120s")
    (new,) = (m for m in (2, 3) if found[m][-1][1] == "master")
    assert [role for _, role, _ in found[new]] == ["in sync", "master"]
    assert {since for _, _, since in found[new]} == {-1}
    assert [role for _, role, _ in found[5 - new]] == ["in sync", "not in the sync set", "in sync"]
    assert 30 < found[5 - new][1][2] < 30.3
    assert found[1][0] == (0, "master", -1)
    assert "down" in {role for _, role, _ in found[1]}
    assert found[1][-1][1:] == ("in sync", -1)


def test_a_replica_that_lags_lacks_what_is_stored_meanwhile_and_the_others_do_not():
    found = states({**LAG, "replica": 2}, check_sync_state_set_period="60s")
    assert found[2] == [(0, "in sync", -1), (22, "in sync", 22), (42, "in sync", -1)]
    assert found[3] == [(0, "in sync", -1)]


@pytest.mark.parametrize("mode", ["controller", "dledger"])
def test_whoever_lags_is_not_elected_while_another_replica_copies(mode):
    for seed in range(6):
        history = set_histories(scenario_of({**LAG, "replica": 2}, KILL, seed=seed, mode=mode))["a"]
        assert history.epochs[1].machine == 3


def lost(*faults, **keys):
    run = simulate(scenario_of(*faults, **keys), tables=("sends",))
    return int(run.column("sends", "lost").sum())


def test_one_replica_that_lags_loses_nothing_and_all_of_them_what_the_master_stored_alone():
    assert lost({**LAG, "replica": 2}, KILL) <= 2
    assert lost(LAG, KILL) > 100


def test_the_only_replica_that_is_left_is_elected_though_it_lags():
    gone = {"at": "5s", "for": "50s", "broker": "a", "kind": "slave_lost", "replica": 3}
    assert lost(gone, {**LAG, "replica": 2}, KILL) > 100


def test_sends_wait_for_a_replica_that_lags_where_all_of_the_sync_set_must_have_them():
    def stored(**keys):
        run = simulate(scenario_of({**LAG, "replica": 2}, duration="35s", **keys), tables=("attempts",))
        found = run.tables["attempts"].to_pylist()
        return sum(r["broker"] == "a" and r["outcome"] == "SEND_OK" and 23 * S < r["begin_us"] < 30 * S for r in found)

    assert stored(all_ack_in_sync_state_set=True) == 0
    assert stored(in_sync_replicas=2) > 100


def test_the_table_of_replicas_has_these_rows():
    scenario = scenario_of(KILL)
    table = simulate(scenario).tables["replicas"].to_pylist()
    wanted = replica_states(scenario, set_histories(scenario))
    found = [(r["at_us"], r["machine"], r["role"], r["lacks_since_us"]) for r in table]
    assert len(found) > 6
    assert found == [(own.at_us, own.machine, own.role, None if own.lacks_since_us < 0 else own.lacks_since_us)
                     for own in wanted]  # fmt: skip


@pytest.mark.parametrize(("broker", "number", "count"), [("a", 4, 3), ("b", 2, 1)])
def test_a_replica_that_is_not_there_cannot_lag(broker, number, count):
    says = Says("fault.no-replica", "...faults[0].replica", broker=broker, number=number, count=count)
    with raises(ScenarioError, says):
        scenario_of({**LAG, "broker": broker, "replica": number})


def test_only_slaves_are_struck_one_by_one():
    owners = "kinds slave_lost, slave_lag have"
    with raises(ScenarioError, Says("fault.not-of-this-kind", "...faults[0].replica", owners=owners, kind="kill")):
        scenario_of({**KILL, "replica": 2})
