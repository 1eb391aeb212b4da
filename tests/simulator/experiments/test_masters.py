"""How long sets have no master, as a measure of runs."""

from __future__ import annotations

import pytest

from simulator.experiments.experiment_measures import MeasuredRun, known_measures, measures_of, why_not_measured
from simulator.run.run_totals import total_run
from tests.says import Says
from tests.simulator.plan.failover.test_takeovers import KILL, scenario_of

ELECTED = "no_master_s[a]"


def measured(*faults, warm_up_s=0, **keys):
    scenario = scenario_of(*faults, **keys)
    return measures_of(MeasuredRun(total_run(scenario, warm_up_s * 10**6), scenario, warm_up_s * 10**6))


def test_a_set_is_without_a_master_until_another_is_elected():
    found = measured(KILL)
    assert 0.08 <= found[ELECTED] < 0.17
    assert found["no_master_s"] == found[ELECTED]
    assert "no_master_s[b]" not in found  # it has no replicas


def test_a_warm_up_discards_the_time_in_it():
    again = {**KILL, "at": "10s", "for": "60s"}
    slaves = {"replicas": 1, "mode": "master_slave", "slaves": 2}
    assert measured(again, **slaves)[ELECTED] == 60
    assert measured(again, warm_up_s=30, **slaves)[ELECTED] == 40


def test_a_master_that_is_frozen_is_none_although_nobody_is_elected():
    short = {**KILL, "kind": "hang", "for": "8s"}
    assert measured(short)[ELECTED] == 8


@pytest.mark.parametrize(
    ("measure", "keys", "why"),
    [
        ("no_master_s[b]", {}, Says("measure.not-a-set", broker="b")),
        ("no_master_s", {"replicas": 1, "mode": "master_slave"}, Says("measure.no-set")),
        (ELECTED, {"replicas": 1, "mode": "master_slave", "slaves": 1}, None),
        (ELECTED, {}, None),
    ],
)
def test_it_is_measured_of_sets_and_left_out_with_a_reason(measure, keys, why):
    scenario = scenario_of(KILL, **keys)
    assert measure in known_measures(scenario)
    assert why_not_measured(measure, scenario, 0) == why
