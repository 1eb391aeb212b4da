"""Advice about replica sets: which modes and acknowledgements are tried, in what situations, and what to paste."""

from __future__ import annotations

import pytest
import yaml

from simulator.advice.advice import Advice
from simulator.advice.replica_candidates import broker_conf
from simulator.advice.standing import HARMLESS, Standing
from simulator.advice.trial import arm_name, trial_of
from simulator.experiments.study import Study
from simulator.scenario import ScenarioError
from tests.says import Said, Says, raises
from tests.simulator.experiments.small import SCENARIO

FAST = {"latency": {"constant": "2ms"}, "release": "5.3.3"}
CONTROLLER = {"replicas": 3, "mode": "controller"}
GROUP = {"billing": {"topic": "orders", "count": 1, "threads": 4, "service": "2ms"}}


@pytest.fixture
def trial(tmp_path):
    def of(which="usual", consumers=GROUP, faults=(), **keys):
        brokers = {"broker-a": FAST | (keys or CONTROLLER), "broker-b": {"like": "broker-a"}}
        file = tmp_path / "small.yaml"
        own = SCENARIO | {"brokers": brokers, "consumers": consumers, "faults": list(faults)}
        file.write_text(yaml.safe_dump(own))
        return trial_of(file, which, replicas=True)

    return of


def test_modes_are_tried_and_acknowledgements_where_a_controller_elects(trial):
    assert list(trial().candidates) == [
        "as it is", "dledger", "nobody takes over", "acting master", "allAckInSyncStateSet", "inSyncReplicas 2",
        "minInSyncReplicas 2", "haMaxTimeSlaveNotCatchup 5s", "enableElectUncleanMaster",
    ]  # fmt: skip


def test_a_set_with_plain_slaves_tries_a_controller_with_each_acknowledgement(trial):
    names = list(trial(slaves=1).candidates)
    assert names[:4] == ["as it is", "controller", "dledger", "acting master"]
    assert names[4] == "controller, allAckInSyncStateSet"
    own = trial(slaves=1)
    assert own.scenario_of(own.candidates["controller"]).brokers["broker-b"].replicas == 2
    assert own.scenario_of(own.candidates["dledger"]).brokers["broker-b"].replicas == 3


def test_keys_of_controllers_alone_are_taken_back_for_other_modes(trial):
    own = trial(**CONTROLLER, all_ack_in_sync_state_set=True, ha_max_time_slave_not_catchup="7s")
    assert own.impossible == {}
    assert "allAckInSyncStateSet" not in own.candidates
    found = own.scenario_of(own.candidates["dledger"]).brokers["broker-a"]
    assert (found.all_ack_in_sync_state_set, found.ha_max_time_slave_not_catchup_us) == (False, 15_000_000)


def test_a_release_without_a_mode_says_so(trial):
    own = trial(slaves=1, release="4.9.8")
    assert "controller" in own.impossible
    assert "dledger" in own.candidates


def test_situations_strike_the_first_set_and_one_is_calm(trial):
    found = {one.name: [fault["kind"] for fault in one.changes["faults"]] for one in trial().situations}
    assert found == {
        "calm": [], "kill": ["kill"], "hang": ["hang"], "stop": ["restart"], "disk_loss": ["disk_loss"],
        "two_kills": ["kill", "kill"], "lag": ["slave_lag", "kill"],
    }  # fmt: skip
    assert {arm.brokers["broker-a"].is_elected for arm in trial().experiment().arms.values()} == {True, False}


def test_brokers_with_a_count_are_sets_by_their_own_names(tmp_path):
    file = tmp_path / "small.yaml"
    brokers = {"broker": FAST | CONTROLLER | {"count": 2}}
    file.write_text(yaml.safe_dump(SCENARIO | {"brokers": brokers}))
    arms = trial_of(file, "usual", replicas=True).experiment().arms
    assert arms[arm_name("dledger", "kill")].brokers["broker-2"].mode == "dledger"


def test_a_scenario_without_sets_is_refused(tmp_path):
    file = tmp_path / "small.yaml"
    file.write_text(yaml.safe_dump(SCENARIO))
    with raises(ScenarioError, Says("advice.no-replicas", "...brokers")):
        trial_of(file, "usual", replicas=True)


def advised(trial, figures):
    """The advice where those candidates measured that, and all others what is usual."""
    own = trial()
    study = Study(own.experiment())
    usual = {
        "messages": 1000.0, "lost": 3.0, "skipped[billing]": 2.0, "failed_percent": 0.1, "p99_ms": 12.0,
        "no_master_s": 5.0, "end_to_end_p99_ms[billing]": 900.0,
    }  # fmt: skip
    for name in own.candidates:
        for situation in own.situations:
            for seed in range(1, own.seeds + 1):
                run = {key: value * (1 + seed / 1000) for key, value in (usual | figures.get(name, {})).items()}
                study.take(arm_name(name, situation.name), seed, run)
    return Advice(Standing(own, study))


def test_it_is_judged_by_what_is_lost_skipped_failed_late_and_without_a_master(trial):
    found = advised(trial, {})
    names = [one.name for one in found.standing.criteria]
    assert names == ["lost_percent", "p99_ms", "failed_percent", "no_master_s", "skipped_percent", "end_to_end_p99_ms"]
    lost = found.standing.figure("as it is", found.standing.criteria[0])
    assert lost is not None
    assert lost.mean == pytest.approx(0.3)


def test_what_loses_nothing_and_is_no_worse_is_the_advice(trial):
    better = {"lost": 0.0, "skipped[billing]": 0.0}
    found = advised(trial, {"inSyncReplicas 2": better})
    (pick,) = [one for one in found.picks if one.name == "inSyncReplicas 2"]
    assert HARMLESS in pick.best_in
    assert Says("advice.pick", name="inSyncReplicas 2") in found.verdict
    (lost,) = [one for one in pick.gains if Says("advice.difference", criterion="lost", ours="0 %") in Said(one)]
    assert lost.facts["theirs"].startswith("0.3")


def test_what_to_paste_is_for_brokers_name_servers_and_controllers(trial):
    own = trial()

    def lines(name):
        return broker_conf(own.scenario_of(own.candidates[name]), own.scenario).splitlines()

    assert lines("minInSyncReplicas 2") == [
        "# broker.conf of each machine of broker-a and 1 more", "inSyncReplicas=2", "minInSyncReplicas=2",
    ]  # fmt: skip
    assert lines("haMaxTimeSlaveNotCatchup 5s")[1:] == ["haMaxTimeSlaveNotCatchup=5000"]
    assert lines("enableElectUncleanMaster")[1:] == ["# of each controller", "enableElectUncleanMaster=true"]
    assert lines("acting master")[1:] == [
        "enableSlaveActingMaster=true", "slaveReadEnable=true", "# of each name server", "supportActingMaster=true",
    ]  # fmt: skip
    assert "dLegerPeers=n0-HOST0:40911;n1-HOST1:40911;n2-HOST2:40911" in lines("dledger")
