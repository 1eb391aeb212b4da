"""A drain that did not happen within the run is never a value that passes."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simulator.experiments.experiment_measures import MeasuredRun, measures_of
from simulator.experiments.experiment_runner import experiment
from simulator.experiments.measures.draining import usual_lag
from simulator.run.consumers.consumer_totals import CONSUMER_COUNTS
from simulator.run.run_totals import total_run
from simulator.scenario import load_scenario
from tests.says import Said, Says
from tests.simulator.small import scenario_of

REPORTED = Path(__file__).parent / "reported"
GROUP = {"topic": "orders", "count": 2, "threads": 11, "service": "200ms"}
# 100 messages a second for a group that handles 110 a second; all that is stored in five minutes is left
STOPPED = {
    "duration": "20m", "producers": {"count": 4, "rate": "25/s"}, "consumers": {"billing": GROUP},
    "faults": [{"at": "0s", "for": "5m", "consumer": "billing", "kind": "stop"}],
}  # fmt: skip


def measured(warm_up_us=0, **changes):
    scenario = scenario_of(**STOPPED | changes)
    return measures_of(MeasuredRun(total_run(scenario, warm_up_us), scenario, warm_up_us))


def test_a_group_that_starts_stopped_and_cannot_catch_up_does_not_drain():
    scenario = load_scenario(REPORTED / "F1-stopped-from-the-start.yaml")
    found = measures_of(MeasuredRun(total_run(scenario), scenario, 0))
    # 30,000 messages were stored while it was stopped, and 10 a second are worked off
    assert found["drain_s[billing]"] == found["end_to_end_p99_ms[billing]"] == math.inf


def test_a_search_for_instances_finds_those_that_drain():
    # 4 instances own two of the eight queues each: 30,000 / (4 x 55 - 100) = 250 s; 3 take 640 s
    found = experiment(REPORTED / "F1-search.yaml")
    assert found.study.found_arm() == "consumers.billing.count=4"
    # 20 of its 44 threads are at work
    headroom = found.verdict[1]
    assert headroom == Says("verdict.utilisation", at_peak="45.5", group="billing", with_gone="60.6", left="39.4")
    assert Says("verdict.instance-gone") in Said(headroom)
    assert found.as_json()["find"]["utilisation"] == {"peak": 0.4545, "one_instance_gone": 0.6061}
    (at_2,) = [step for step in found.search_steps() if step.value == "2"]
    assert at_2.holds is False
    assert at_2.measures["drain_s[billing]"].low == math.inf


STEPS_DOWN = {"producers": {"count": 4, "rate": "50/s", "rate_changes": {"5m": "27/s"}}, "faults": []}
STOPPED_AT_1 = [{"at": "1s", "for": "5m", "consumer": "billing", "kind": "stop"}]


@pytest.mark.parametrize(
    ("changes", "warm_up_us"),
    [
        (STEPS_DOWN, 0),
        (STEPS_DOWN, 400_000_000),
        ({"faults": STOPPED_AT_1}, 0),
        ({"producers": {"count": 4, "rate": "0.1/s"}, "consumers": {"billing": GROUP | {"threads": 20}},
          "faults": [{"at": "0s", "for": "19m", "consumer": "billing", "kind": "stop"}],
          "duration": "19m2s"}, 0),
    ],
    ids=["steps down", "steps down in the warm-up", "stopped after a second", "few for many threads"],
)  # fmt: skip
def test_a_backlog_that_is_there_at_the_end_is_not_drained(changes, warm_up_us):
    assert measured(warm_up_us, **changes)["drain_s[billing]"] == math.inf


def test_a_backlog_from_the_start_drains_when_only_what_arrives_is_left():
    found = measured(consumers={"billing": GROUP | {"count": 6}}, topics={"orders": {"queues": 8}})
    # 24 queues, four an instance: 30,000 / (330 - 100)
    assert found["drain_s[billing]"] == pytest.approx(130, abs=5)


def test_a_lag_that_was_falling_before_the_first_fault_is_no_measure_of_what_is_usual():
    totals, scenario = _totals_with_lag([6000 - 10 * second for second in range(400)] + [2000] * 800)
    scenario = scenario.model_copy(update={"faults": _faults_at("400s")})
    assert measures_of(MeasuredRun(totals, scenario, 0))["drain_s[billing]"] == math.inf


def test_a_steady_lag_before_the_first_fault_is_what_a_group_comes_back_to():
    totals, scenario = _totals_with_lag([500] * 400 + [900] * 200 + [490] * 600)
    scenario = scenario.model_copy(update={"faults": _faults_at("400s")})
    assert measures_of(MeasuredRun(totals, scenario, 0))["drain_s[billing]"] == 190


def test_messages_that_were_deleted_are_not_drained():
    totals, scenario = _totals_with_lag([0] * 400 + [5000] * 10 + [0] * 790)
    scenario = scenario.model_copy(update={"faults": _faults_at("400s")})
    assert measures_of(MeasuredRun(totals, scenario, 0))["drain_s[billing]"] == 0
    totals.consumers[0, CONSUMER_COUNTS.index("missed")] = 5000
    assert measures_of(MeasuredRun(totals, scenario, 0))["drain_s[billing]"] == math.inf


def test_what_arrives_in_a_window_and_while_a_message_is_handled_is_no_backlog():
    scenario = scenario_of(**STOPPED | {"duration": "60s", "faults": []})
    assert usual_lag(total_run(scenario), scenario, 0, 0) == pytest.approx(120 + 3 * math.sqrt(120), rel=0.02)


def _faults_at(at):
    return scenario_of(**STOPPED | {"faults": [{"at": at, "for": "10s", "consumer": "billing", "kind": "stop"}]}).faults


def _totals_with_lag(lag):
    """Totals of a short run whose lag is made up: 100 messages a second, all of them handled."""
    scenario = scenario_of(**STOPPED | {"faults": []})
    totals = total_run(scenario_of(**STOPPED | {"duration": "20s", "faults": []}))
    counts = {name: getattr(totals, name) * 60 for name in ("consumers", "consumer_latency", "queue_attempts")}
    return replace(totals, **counts, consumer_lag=np.array(lag, np.int64)[:, None]), scenario
