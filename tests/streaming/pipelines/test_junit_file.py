from dataclasses import replace
from xml.etree import ElementTree as Xml

import pytest

from simulator.experiments.experiment_runner import experiment
from streaming.pipelines.junit_file import junit
from tests.says import Printed, Says

SCENARIO = """name: small
seed: 1
duration: 20s
client: {release: 4.9.8}
producers: {count: 2, rate: 50/s}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {exponential: {mean: 2ms}}}, broker-b: {like: broker-a}}
"""


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    folder = tmp_path_factory.mktemp("experiment")
    (folder / "small.yaml").write_text(SCENARIO)

    def run(*objectives, seeds=4):
        text = f"name: e\nscenario: small.yaml\narms: {{now: {{}}}}\nseeds: {seeds}\nobjectives: {list(objectives)}\n"
        (folder / "e.yaml").write_text(text)
        return experiment(folder / "e.yaml")

    return run


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """Results of two arms, of which the second is slow."""
    folder = tmp_path_factory.mktemp("compared")
    (folder / "small.yaml").write_text(SCENARIO)
    arms = "{now: {}, slow: {brokers.broker-a.latency: {constant: 40ms}}}"

    def run(objective="p99_ms < 30", more="", seeds=4):
        text = f"name: e\nscenario: small.yaml\narms: {arms}\nseeds: {seeds}\nobjectives: [{objective}]\n{more}\n"
        (folder / "e.yaml").write_text(text)
        return experiment(folder / "e.yaml")

    return run


def of_arm(result, arm):
    return next(
        case for case in Xml.fromstring(junit(result)).iter("testcase") if case.get("classname") == f"arm {arm}"
    )


def cases(result):
    return {case.get("name"): case for case in Xml.fromstring(junit(result)).iter("testcase")}


def test_an_interrupted_experiment_passes_no_gate_though_its_runs_so_far_hold(outcome):
    result = outcome("p99_ms < 1000")
    assert result.holds is True
    cut = replace(result, interrupted=True)
    assert cut.holds is None
    assert cut.as_json()["holds"] is None
    assert Says("experiment.stopped") in Printed(cases(cut)["all runs"].find("error").get("message"))
    assert Xml.fromstring(junit(cut)).get("errors") == "1"
    assert replace(outcome("p99_ms < 1"), interrupted=True).holds is False


def test_an_objective_that_is_missed_is_a_failure_with_its_interval(outcome):
    result = outcome("p99_ms < 1", "failed_percent < 0.1")
    found = cases(result)
    message = found["p99_ms < 1"].find("failure").get("message")
    assert message.startswith("missed: p99_ms is ")
    assert message.endswith("95 %, 4 runs)")
    assert found["failed_percent < 0.1"].find("failure") is None
    assert result.holds is False


def test_what_one_run_cannot_tell_is_an_error_and_not_a_miss(outcome):
    result = outcome("p99_ms < 1000", seeds=1)
    case = cases(result)["p99_ms < 1000"]
    assert case.find("failure") is None
    assert case.find("error").get("message").startswith("cannot tell: p99_ms is ")
    assert result.holds is None


def test_the_suite_counts_its_cases(outcome):
    suite = Xml.fromstring(junit(outcome("p99_ms < 1", "p99_ms < 1000")))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")


def test_an_objective_that_an_arm_misses_is_a_failed_case_and_decides(compared):
    result = compared()
    assert of_arm(result, "slow").find("failure").get("message").startswith("missed: p99_ms is ")
    assert of_arm(result, "now").find("failure") is None
    assert result.holds is False


def test_the_base_does_not_decide_where_there_is_an_arm_to_compare_it_with(compared):
    result = compared("p99_ms > 30")
    assert of_arm(result, "now").find("failure") is not None
    assert result.holds is True


@pytest.mark.parametrize(("judged", "holds"), [("[now]", True), ("[slow]", False), ("all", False)])
def test_the_arms_that_decide_can_be_named(compared, judged, holds):
    result = compared(more=f"judged: {judged}")
    assert result.holds is holds
    assert of_arm(result, "slow").find("failure") is not None


def test_what_cannot_be_decided_of_an_arm_that_is_not_judged_is_skipped(compared):
    result = compared("p99_ms < 1000", more="judged: [slow]", seeds=1)
    assert of_arm(result, "now").find("skipped").get("message").startswith("cannot tell: ")
    assert of_arm(result, "slow").find("error").get("message").startswith("cannot tell: ")
    assert result.holds is None


def test_a_run_that_could_not_be_measured_cannot_tell(compared):
    result = compared("p99_ms < 1000")
    del next(iter(result.study.values["slow"].values()))["p99_ms"]
    message = of_arm(result, "slow").find("error").get("message")
    assert Says("command-result.not-measured-in", measure="p99_ms", missing=1, runs=4) in Printed(message)
    assert result.holds is None


def test_what_does_not_happen_within_the_run_is_said_so(tmp_path):
    consumers = "consumers: {billing: {topic: orders, threads: 1, service: 100ms}}\n"
    stopped = "faults: [{at: 5s, for: 5s, consumer: billing, kind: stop}]\n"
    (tmp_path / "small.yaml").write_text(SCENARIO + consumers + stopped)
    (tmp_path / "e.yaml").write_text(
        'name: e\nscenario: small.yaml\narms: {now: {}}\nseeds: 3\nobjectives: ["drain_s[billing] < 5"]\n'
    )
    failure = cases(experiment(tmp_path / "e.yaml"))["drain_s[billing] < 5"].find("failure")
    assert failure.get("message").startswith("missed: drain_s[billing] is not within")
