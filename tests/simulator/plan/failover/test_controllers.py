"""Controllers that are away: who is elected then, and when."""

from __future__ import annotations

import json

import pytest

from simulator.plan.failover.controller import CLOSED, MISSED, NOBODY_LEADS
from simulator.plan.failover.failover_effects import planned_elections, set_control, set_histories
from simulator.releases.ledger import NEWEST
from simulator.scenario import ScenarioError, parse_scenario
from simulator.scenario.faults.fault_kinds import LEADER
from tests.says import Says, raises

S = 1_000_000
KILL = {"at": "30s", "broker": "a", "kind": "kill"}
AWAY = {"at": "20s", "for": "40s", "controller": 1, "kind": "controller_down"}


def scenario_of(*faults, controllers=None, name_servers=None, seed=1, rate="100/s", **keys):
    broker = {"latency": {"constant": "1ms"}, "replicas": 3, "mode": "controller", **keys}
    found = {
        "name": "s", "client": {"release": "5.3.3"}, "seed": seed, "duration": "200s",
        "producers": {"count": 1, "rate": rate}, "faults": list(faults), "topics": {"t": {"queues": 4}},
        "brokers": {"a": broker}, "name_servers": name_servers or {},
    }  # fmt: skip
    return parse_scenario(json.dumps(found | ({} if controllers is None else {"controllers": controllers})))


def elected(*faults, **keys):
    """(seconds, machine) of each election of the set."""
    return [(e.at_us / S, e.machine) for e in set_histories(scenario_of(*faults, **keys))["a"].elections]


ALONE = {"embedded": False}
THREE = {"count": 3, "embedded": False}


@pytest.mark.parametrize("seed", range(6))
def test_nobody_is_elected_until_the_only_controller_is_back_and_scans(seed):
    nobody, new = elected(KILL, AWAY, controllers=ALONE, seed=seed)
    assert nobody[1] == 0
    assert 60.3 <= new[0] < 66
    assert new[1] in (2, 3)


def test_an_election_says_whether_a_connection_or_a_scan_showed_that_the_master_is_gone():
    again = {"at": "150s", "broker": "a", "kind": "kill"}
    elections = set_histories(scenario_of(KILL | {"for": "40s"}, AWAY, again, controllers=ALONE))["a"].elections
    assert [election.why for election in elections] == [NOBODY_LEADS, MISSED, CLOSED]


def test_an_embedded_controller_goes_with_its_name_server_and_another_does_not():
    down = {"at": "20s", "for": "40s", "name_server": 1, "kind": "name_server_down"}
    assert elected(KILL, down)[-1][0] > 60
    assert elected(KILL, down, controllers=ALONE)[0][0] < 30.2


@pytest.mark.parametrize("seed", range(8))
def test_with_one_of_three_away_the_others_elect_and_lead_within_eight_seconds(seed):
    away = AWAY | {"at": "29s"}
    at_s, machine = elected(KILL, away, controllers=THREE, seed=seed)[-1]
    assert machine in (2, 3)
    assert at_s < 30.2 or 33 < at_s < 29 + 8 + 5


JRAFT = THREE | {"type": "jraft"}
LEADER_AWAY = {"at": "29s", "for": "60s", "controller": 1, "kind": "controller_down"}


def gap_s(seed, **controllers):
    """Seconds without a controller that leads, where the first of three goes; 0 where another one led."""
    scenario = scenario_of(LEADER_AWAY, controllers=controllers, seed=seed)
    return sum(until_us - at_us for at_us, until_us in set_control(scenario).gaps) / S


def test_the_others_lead_within_three_seconds_by_jraft_and_within_eight_by_dledger():
    found = {kind: {gap_s(seed, **THREE, type=kind) for seed in range(20)} - {0} for kind in ("jraft", "dledger")}
    assert 1 <= min(found["jraft"]) <= max(found["jraft"]) <= 3.2
    assert min(found["dledger"]) > 4.5


@pytest.mark.parametrize("kind", ["jraft", "dledger"])
def test_the_one_that_leads_can_be_struck_whoever_it_is(kind):
    """The first of three leads in some runs only; who leads next can be struck, too, and then a majority is gone."""
    strikes = LEADER_AWAY | {"controller": "leader", "for": "100s"}
    gaps = [set_control(scenario_of(strikes, controllers=THREE | {"type": kind}, seed=n)).gaps for n in range(12)]
    assert all(len(own) == 1 and own[0][0] == 29 * S < own[0][1] < 38 * S for own in gaps)
    twice = [strikes, strikes | {"at": "80s"}]
    found = [set_control(scenario_of(*twice, controllers=THREE | {"type": kind}, seed=n)).gaps for n in range(12)]
    assert all(len(own) == 2 and own[1][0] == 80 * S and own[1][1] >= 129 * S for own in found)


UNHEARD = AWAY | {"at": "29.9s", "for": "2s", "controller": "all"}


def test_a_master_that_dies_unheard_is_found_by_a_scan_of_dledger_and_by_none_of_jraft():
    found = {kind: elected(KILL, UNHEARD, controllers=THREE | {"type": kind}) for kind in ("jraft", "dledger")}
    assert [machine for _, machine in found["jraft"]] == [0]
    assert found["dledger"][-1][0] < 39


@pytest.mark.parametrize(("seconds", "machines"), [(60, [0, "another"]), (6, [0])])
def test_by_jraft_its_own_return_replaces_it_unless_its_heartbeats_are_still_young(seconds, machines):
    for seed in range(6):
        found = elected(KILL | {"for": f"{seconds}s"}, UNHEARD, controllers=JRAFT, seed=seed)
        assert [0 if not own else "another" if own != 1 else "itself" for _, own in found] == machines
        assert found[-1][0] == pytest.approx(90.03 if seconds == 60 else 30.1, abs=0.1)


@pytest.mark.parametrize(("kind", "least", "most"), [("jraft", 148.9, 150.1), ("dledger", 39, 45)])
def test_a_silent_master_is_missed_by_jraft_as_its_connection_has_been_idle_for_120_s(kind, least, most):
    hang = {"at": "30s", "for": "150s", "broker": "a", "kind": "hang"}
    assert least < elected(hang, controllers=THREE | {"type": kind})[0][0] < most
    if kind == "jraft":
        assert elected(hang | {"for": "110s"}, controllers=JRAFT) == []


def test_a_master_that_dies_while_jraft_leads_is_replaced_at_once():
    assert elected(KILL, controllers=JRAFT)[0][0] < 30.2


def test_with_two_of_three_away_nobody_is():
    assert elected(KILL, AWAY | {"controller": [1, 2]}, controllers=THREE)[-1][0] > 60
    assert elected(KILL, AWAY | {"controller": "all"}, controllers=THREE)[-1][0] > 60


def test_who_comes_back_before_a_controller_does_stays_master():
    history = set_histories(scenario_of(KILL | {"for": "10s"}, AWAY, controllers=ALONE))["a"]
    assert {epoch.machine for epoch in history.epochs} == {1}
    assert history.absences[-1].until_us > 60 * S


def test_no_machine_joins_the_sync_set_without_a_controller():
    killed = KILL | {"at": "10s", "for": "15s"}
    syncs = set_histories(scenario_of(killed, AWAY, controllers=ALONE))["a"].sync
    assert [members for at_us, members in syncs if 20 * S < at_us < 60 * S] == []
    assert len(syncs[-1][1]) == 3


def test_heartbeats_and_scans_have_their_own_intervals():
    hang = {"at": "30s", "for": "100s", "broker": "a", "kind": "hang"}
    quick = {"scan_not_active_broker_interval": "1s", "scan_inactive_master_interval": "1s"}
    found = elected(hang, controllers=quick, controller_heart_beat_timeout="3s", broker_heartbeat_interval="500ms")
    assert 32.5 < found[0][0] < 34


def test_of_equal_replicas_the_least_priority_is_elected_and_under_load_seldom_are_they_equal():
    still = [elected(KILL, seed=n, rate="0.001/s", broker_election_priority=[1, 9, 2])[0][1] for n in range(12)]
    loaded = [elected(KILL, seed=n, rate="1000/s", broker_election_priority=[1, 9, 2])[0][1] for n in range(12)]
    assert set(still) == {3}
    assert set(loaded) == {2, 3}


def test_once_the_master_is_gone_for_longer_than_a_heartbeat_its_slaves_are_equal_and_the_priority_decides():
    hang = {"at": "30s", "for": "100s", "broker": "a", "kind": "hang"}
    late = [elected(hang, seed=n, rate="1000/s", broker_election_priority=[1, 9, 2])[0][1] for n in range(12)]
    assert set(late) == {3}


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"controllers": {"count": 3}}, Says("broker.embedded-controllers", "...controllers.count")),
        ({"controllers": {"count": 0}}, Says("field.expected", "...controllers.count", low=1, high=9, got=0)),
        (
            {"controllers": JRAFT | {"release": "5.1.4"}},
            Says("broker.no-jraft", "...controllers.type", release="5.1.4", first="5.2.0"),
        ),
        (
            {"controllers": JRAFT | {"scan_inactive_master_interval": "1s"}},
            Says("broker.scan-of-dledger", "...controllers.scan_inactive_master_interval"),
        ),
        ({"broker_election_priority": [1, 2]}, Says("broker.priority-each", replicas=3, got=2)),
    ],
)
def test_what_does_not_fit_is_refused(keys, says):
    with raises(ScenarioError, says):
        scenario_of(**keys)


def test_a_controller_that_is_not_there_cannot_fail():
    with raises(ScenarioError, Says("fault.no-controller", "...faults[0].controller", count=1)):
        scenario_of(AWAY | {"controller": 2})


def test_which_controller_is_struck_is_a_number_all_or_the_one_that_leads():
    (period,) = scenario_of(AWAY | {"controller": "leader"}, controllers=THREE).fault_periods()
    assert (period.value, period.title) == (LEADER, "the controller that leads is down")
    with raises(ScenarioError, Says("fault.controller-expected", "...faults[0].controller", got='"leeder"')):
        scenario_of(AWAY | {"controller": "leeder"})


def test_a_master_that_answers_again_before_a_controller_leads_is_master_since_the_beginning():
    hang = {"at": "30s", "for": "14s", "broker": "a", "kind": "hang"}
    silent = {"at": "38s", "for": "8s", "name_server": 1, "kind": "name_server_hang"}
    scenario = scenario_of(hang, silent)
    (nobody,) = planned_elections(scenario, set_histories(scenario))
    assert (nobody.machine, nobody.gone_us) == (0, 30 * S)


OLD = {"count": 3, "embedded": False, "release": "5.0.0"}
LEADER_GOES = {"at": "10s", "for": "5s", "controller": "all", "kind": "controller_down"}


@pytest.mark.parametrize(("release", "machines"), [("5.0.0", [0]), ("5.1.0", [2]), ("5.3.3", [2])])
def test_up_to_5_0_0_a_controller_that_begins_to_lead_knows_no_machine(release, machines):
    found = elected(KILL, LEADER_GOES, controllers=OLD | {"release": release}, replicas=2)
    assert [machine for _, machine in found] == machines


@pytest.mark.parametrize(("release", "elects"), [("5.1.0", False), ("5.1.1", True)])
def test_a_master_that_dies_while_nobody_leads_is_looked_for_since_5_1_1(release, elects):
    found = elected(KILL | {"for": "90s"}, AWAY, controllers=ALONE | {"release": release})
    assert found[0] == (pytest.approx(30.1, abs=0.1), 0)
    assert any(machine for _, machine in found) == elects


def test_a_machine_that_has_started_since_is_known_to_a_leader_of_5_0_0():
    again = {"at": "90s", "broker": "a", "kind": "kill"}
    history = set_histories(scenario_of(KILL | {"for": "20s"}, LEADER_GOES, again, controllers=OLD))["a"]
    assert [election.machine for election in history.elections] == [0]
    assert history.elections[0].at_us < 31 * S


def test_the_release_of_controllers_is_that_of_the_name_servers_if_that_has_any():
    for given, release in (("5.0.0", "5.0.0"), ("5.3.3", "5.3.3"), ("4.9.8", NEWEST)):
        own = scenario_of(name_servers={"release": given})
        assert own.controllers.rules(own.name_servers.release).release == release


@pytest.mark.parametrize(
    ("keys", "name", "facts"),
    [
        ({"release": "4.9.8"}, "broker.no-controllers", {"release": "4.9.8", "first": "5.0.0"}),
        (
            {"release": "5.1.0", "scan_inactive_master_interval": "1s"}, "broker.no-scan",
            {"release": "5.1.0", "first": "5.1.1"},
        ),
    ],
)  # fmt: skip
def test_a_release_without_what_is_asked_for_is_refused(keys, name, facts):
    with raises(ScenarioError, Says(name, **facts)):
        scenario_of(controllers=keys)


@pytest.mark.parametrize(("release", "leaves"), [("5.1.0", True), ("5.1.1", False), ("5.1.3", False), ("5.1.4", True)])
def test_from_5_1_1_to_5_1_3_a_replica_that_lags_stays_in_the_sync_set(release, leaves):
    lag = {"at": "30s", "for": "60s", "broker": "a", "kind": "slave_lag"}
    syncs = set_histories(scenario_of(lag, release=release))["a"].sync
    assert any(len(members) == 1 for _, members in syncs) == leaves


def test_controllers_of_5_0_0_do_not_compare_priorities():
    keys = {"rate": "0.001/s", "broker_election_priority": [1, 9, 2], "controllers": ALONE | {"release": "5.0.0"}}
    assert {elected(KILL, seed=n, **keys)[0][1] for n in range(12)} == {2, 3}
