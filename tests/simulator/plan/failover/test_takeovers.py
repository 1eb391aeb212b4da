"""A replica set loses its master while clients are at work."""

from __future__ import annotations

import json

import pyarrow.compute as pc
import pytest

from simulator import simulate
from simulator.plan.compile import compile_scenario
from simulator.plan.failover import failover_effects
from simulator.plan.failover.controller import controller_history
from simulator.scenario import parse_scenario

KILL = {"at": "30s", "for": "60s", "broker": "a", "kind": "kill"}
LAG = {"at": "22s", "for": "8300ms", "broker": "a", "kind": "slave_lag"}


def scenario_of(*faults, consumer="5.3.3", duration="110s", seed=4, **keys):
    constant = {"latency": {"constant": "1ms"}, "slave_latency": {"constant": "5ms"}}
    return parse_scenario(
        json.dumps(
            {
                "name": "s",
                "seed": seed,
                "duration": duration,
                "faults": list(faults),
                "client": {"release": "5.3.3"},
                "producers": {"count": 1, "threads": 64, "rate": "50/s", "arrivals": "uniform"},
                "topics": {"t": {"queues": 2}},
                "brokers": {"a": {**constant, "replicas": 3, "mode": "controller", **keys}, "b": constant},
                "consumers": {"g": {"topic": "t", "count": 1, "service": {"constant": "1ms"}, "release": consumer}},
            }
        )
    )


def run(*args, **keys):
    found = simulate(scenario_of(*args, **keys), tables=("attempts", "sends", "consumed", "stored"))
    return {name: found.tables[name].to_pandas() for name in ("attempts", "sends", "consumed", "stored")}


def silence_s(consumed, broker="a"):
    """The longest time without a message of a queue of the broker, the least of its queues."""
    of = consumed[consumed.broker == broker]
    return min(own.begin_us.sort_values().diff().max() / 1e6 for _, own in of.groupby("queue_id") if len(own))


@pytest.fixture(scope="module")
def killed():
    return run(KILL)


def test_producers_go_on_at_the_new_master_from_their_next_poll(killed):
    of = killed["attempts"][killed["attempts"].broker == "a"]
    failed = of[of.outcome == "RemotingConnectException"]
    back_us = of[(of.outcome == "SEND_OK") & (of.begin_us > 30_000_000)].begin_us.min()
    assert failed.begin_us.min() >= 30_000_000
    assert failed.begin_us.max() < back_us
    assert len(failed) > 10
    assert killed["sends"].acknowledged.all()


def test_a_client_of_5_3_3_consumes_again_from_its_poll_and_one_of_4_9_8_waits_out_its_held_pull(killed):
    assert silence_s(killed["consumed"]) < 31
    older = run(KILL, consumer="4.9.8")["consumed"]
    assert 31 <= silence_s(older) < 62


def lost_and_skipped(seed):
    found = run(LAG, KILL, seed=seed)
    last = found["stored"][found["stored"].window_start_us == found["stored"].window_start_us.max()]
    return found["sends"].lost.sum(), last.skipped.sum()


def test_what_slaves_had_not_copied_is_lost_and_as_many_new_messages_are_skipped():
    lost, skipped = lost_and_skipped(seed=1)
    assert 150 < lost < 230
    assert skipped == lost


def test_a_consumer_that_asks_before_anything_new_is_stored_goes_back_and_skips_nothing():
    lost, skipped = lost_and_skipped(seed=4)
    assert 150 < lost < 230
    assert skipped == 0


def test_all_ack_in_sync_state_set_loses_nothing_and_stops_the_broker_while_slaves_lag():
    found = run(LAG, KILL, all_ack_in_sync_state_set=True)
    of = found["attempts"][(found["attempts"].broker == "a") & (found["attempts"].outcome == "SEND_OK")]
    assert found["sends"].lost.sum() == 0
    assert not of.begin_us.between(22_000_000, 30_000_000).any()
    assert silence_s(found["consumed"]) > 8


def test_a_leader_of_dledger_loses_nothing_that_a_majority_has_not():
    found = run(LAG, KILL, mode="dledger")
    last = found["stored"][found["stored"].window_start_us == found["stored"].window_start_us.max()]
    assert (found["sends"].lost.sum(), last.skipped.sum()) == (0, 0)


def test_with_too_few_replicas_in_sync_every_put_is_refused_with_code_1():
    found = run(KILL, replicas=2, in_sync_replicas=2, min_in_sync_replicas=2)
    refused = found["attempts"][found["attempts"].response_code == 1]
    assert len(refused) > 500
    assert refused.begin_us.max() > 90_000_000
    assert found["sends"].acknowledged.all()


def test_attempts_at_a_frozen_master_time_out_until_the_route_names_another():
    found = run({**KILL, "kind": "hang"})["attempts"]
    failed = found[(found.broker == "a") & (found.outcome != "SEND_OK")]
    assert {"RemotingTimeoutException", "RemotingSendRequestException"} == set(failed.outcome)
    assert failed.begin_us.max() > 39_000_000


def test_who_still_has_the_address_of_a_machine_that_is_a_slave_again_is_refused():
    found = run({**KILL, "for": "3s"}, duration="60s")["attempts"]
    refused = found[found.response_code == 2]
    assert len(refused) > 10
    assert refused.begin_us.min() >= 33_000_000


def test_the_same_cluster_without_faults_is_one_with_slaves():
    of_set = simulate(scenario_of(duration="20s"), tables=("attempts",)).tables["attempts"]
    plain = simulate(
        scenario_of(duration="20s", replicas=1, mode="master_slave", slaves=2), tables=("attempts",)
    ).tables["attempts"]
    assert pc.all(pc.equal(of_set["end_us"], plain["end_us"])).as_py()


def test_slaves_that_lag_for_a_moment_copy_later_though_nobody_is_elected():
    lag = LAG | {"at": "5s", "for": "4s"}
    slow = run(lag, duration="20s", all_ack_in_sync_state_set=True)["attempts"]
    of = slow[(slow.broker == "a") & slow.begin_us.between(5_000_000, 9_000_000)]
    assert not (of.outcome == "SEND_OK").head(len(of) // 4).any()


def test_a_set_joins_and_leaves_as_any_broker_does():
    joins, leaves = {"at": "20s", "broker": "a", "kind": "scale_out"}, {"at": "60s", "drain": "10s", "broker": "a"}
    found = run(joins, {**leaves, "kind": "scale_in"}, duration="150s")["attempts"]
    of_set = found[found.broker == "a"]
    assert of_set.begin_us.min() > 20_000_000
    assert of_set.begin_us.max() < 100_000_000


def test_a_new_master_does_not_stand_still_for_the_one_that_was_frozen_and_killed():
    found = run({**KILL, "kind": "hang"}, {**KILL, "at": "34s", "for": "90s"})["attempts"]
    stored = found[(found.broker == "a") & (found.outcome == "SEND_OK") & (found.begin_us > 34_000_000)]
    assert stored.begin_us.min() < 65_000_000


def test_a_machine_that_comes_back_as_master_itself_has_lost_nothing():
    lost = {"at": "5s", "broker": "a", "kind": "slave_lost"}
    found = run(lost, {**KILL, "at": "40s", "for": "5s"}, duration="80s", replicas=2)
    stored = found["attempts"][(found["attempts"].broker == "a") & (found["attempts"].outcome == "SEND_OK")]
    assert found["sends"].lost.sum() == 0
    assert stored.begin_us.max() > 70_000_000


def test_a_master_that_loses_its_disk_while_it_is_alone_loses_what_it_stored():
    alone = {"at": "5s", "broker": "a", "kind": "slave_lost"}
    found = run(alone, {**KILL, "at": "60s", "for": "5s", "kind": "disk_loss"}, duration="80s", replicas=2)
    assert found["sends"].lost.sum() > 500


def test_the_history_of_a_set_is_worked_out_once_a_compile(monkeypatch):
    calls = []

    def noted(*args):
        calls.append(args)
        return controller_history(*args)

    monkeypatch.setattr(failover_effects, "controller_history", noted)
    compile_scenario(scenario_of(KILL))
    assert len(calls) == 1


def test_a_set_may_elect_as_often_as_it_likes():
    found = run({"at": "2s", "for": "1s", "every": "12s", "broker": "a", "kind": "kill"}, duration="400s")
    assert found["sends"].acknowledged.all()


def test_a_set_counts_its_sync_set_also_where_a_slave_would_act_for_a_master():
    keys = {"replicas": 2, "in_sync_replicas": 2, "duration": "40s"}
    plain, acting = (run(KILL, **keys, slave_acting_master=acts)["attempts"] for acts in (False, True))
    assert not (acting.response_code == 1).any()
    assert plain.outcome.tolist() == acting.outcome.tolist()
