"""What is tried: settings that the scenario can have, in its own and the usual situations."""

import pytest
import yaml

from simulator.advice.situations import overload_factor, usual_situations
from simulator.advice.trial import trial_of
from simulator.experiments.experiment_file import load_experiment
from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.advice.made import trial
from tests.simulator.experiments.small import SCENARIO

FAULT = {"at": "1s", "for": "1s", "broker": "broker-b", "kind": "hang"}
ASYNC = {"count": 4, "rate": "20/s", "mode": "async"}
NEWEST = {"release": "5.5.0"}


def test_every_setting_is_tried_in_every_situation(tmp_path):
    found = trial(tmp_path)
    assert len(found.experiment().arms) == len(found.candidates) * 5


def test_own_faults_come_first_where_there_are_any(tmp_path):
    assert trial(tmp_path, "both", faults=[FAULT]).situations[0].name == "its own faults"
    assert trial(tmp_path, "both").situations[0].name == "hang"


def test_own_faults_that_are_not_there_are_reported(tmp_path):
    with raises(ScenarioError, Says("advice.no-faults", "...faults")):
        trial(tmp_path, "own")


def test_a_policy_of_another_system_gets_no_advice(tmp_path):
    with raises(ScenarioError, Says("advice.own-client-only", "...client.policy")):
        trial(tmp_path, client={"release": "5.3.3", "policy": {"choose": "random"}})


@pytest.mark.parametrize(
    ("keys", "name", "tried"),
    [
        ({}, "300ms a request at most", False),
        ({}, "5.5.0, 300ms a request at most", True),
        ({"client": NEWEST}, "strategy on, detector on", True),
        ({"client": NEWEST}, "detector on", False),
        ({"client": NEWEST}, "async back-pressure", False),
        ({"client": NEWEST, "producers": ASYNC}, "async back-pressure", True),
        ({}, "strategy on, tables of 30 s at most", True),
        ({"client": {"release": "4.9.8"}}, "retry SYSTEM_BUSY", True),
        ({"client": {"release": "4.9.1"}}, "retry SYSTEM_BUSY", False),
        ({"client": NEWEST}, "retry SYSTEM_BUSY", False),
        ({"client": NEWEST}, "1s a request at most", True),
    ],
)
def test_a_setting_is_tried_where_its_release_has_it_and_it_has_something_to_do(tmp_path, keys, name, tried):
    assert (name in trial(tmp_path, **keys).candidates) is tried


def test_a_setting_that_the_scenario_cannot_have_is_kept_with_the_reason(tmp_path):
    client = {"release": "4.9.8", "latency_max": ["1s"], "not_available_duration": ["1s"]}
    found = trial(tmp_path, client=client)
    assert "strategy on, tables of 30 s at most" in found.candidates
    assert found.impossible == {}


def test_the_overload_asks_for_more_than_all_brokers_serve(tmp_path):
    scenario = trial(tmp_path).scenario
    asked_per_s, served_per_s = 80, 2 * 4 / 5e-3
    assert overload_factor(scenario) == pytest.approx(1.3 * served_per_s / asked_per_s, rel=0.03)


def test_the_usual_set_is_that_of_the_help(tmp_path):
    names = [one.name for one in usual_situations(trial(tmp_path).scenario)]
    assert names == ["hang", "kill", "slow", "overload", "rolling_restart"]


@pytest.mark.parametrize(
    ("key", "value"), [("producers.rate", "7/s"), ("name", "off"), ("name", "'7'"), ("name", "12:30"), ("name", "=")]
)
def test_what_is_written_to_another_folder_is_the_same_experiment(tmp_path, key, value):
    file, out = tmp_path / "small.yaml", tmp_path / "out" / "advice"
    file.write_text(yaml.safe_dump(SCENARIO))
    out.mkdir(parents=True)
    own = trial_of(file, "usual", given={key: value})
    (out / "experiment.yaml").write_text(own.text(out))
    arms = load_experiment(out / "experiment.yaml").arms
    assert {name: arm.to_yaml() for name, arm in arms.items()} == {
        name: arm.to_yaml() for name, arm in own.experiment().arms.items()
    }
