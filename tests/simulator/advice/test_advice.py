"""Who is among the few that are not beaten, and what is said of them."""

import math

import pytest

from simulator.advice.advice import told
from simulator.advice.standing import CRITERIA
from simulator.experiments.intervals import Interval
from simulator.experiments.words import number
from tests.simulator.advice.made import advice

BETTER = {"failed_percent": 0.5}
FAST, SURE = {"p99_ms": 10.0, "failed_percent": 2.0}, {"p99_ms": 300.0, "failed_percent": 0.1}


def names(found):
    return [pick.name for pick in found.picks]


def test_a_setting_that_is_better_in_one_thing_and_worse_in_none_beats_the_client_as_it_is(tmp_path):
    found = advice(tmp_path, {"strategy on": BETTER})
    assert found.standing.beaten_by == {"as it is": "strategy on"}
    assert "strategy on: better than now without a loss" in found.verdict[0]


def test_what_is_as_good_with_more_changes_is_not_named(tmp_path):
    found = advice(tmp_path, {"strategy on": BETTER, "5.3.3, strategy on": BETTER})
    assert names(found) == ["strategy on"]


def test_what_measured_better_is_not_as_good_as_what_varies_much(tmp_path):
    found = advice(tmp_path, {"retries 5": {"failed_percent": [0.1, 0.1, 0.9]}, "time-out 1s": {"failed_percent": 0.0}})
    assert "time-out 1s" not in found.standing.beaten_by


def test_settings_that_win_in_different_things_are_all_named(tmp_path):
    assert {"time-out 1s", "retries 5"} <= set(names(advice(tmp_path, {"time-out 1s": FAST, "retries 5": SURE})))


def test_a_difference_of_less_than_two_percent_beats_nobody(tmp_path):
    found = advice(tmp_path, {"strategy on": {"failed_percent": 0.99}})
    assert names(found) == ["as it is"]
    assert found.verdict[0].startswith("Leave the client as it is")


def test_with_objectives_the_few_hold_them_if_any_does(tmp_path):
    found = advice(tmp_path, {"time-out 1s": FAST, "retries 5": SURE}, objectives=["failed_percent < 0.5"])
    assert names(found) == ["retries 5"]
    assert found.holds


def test_what_holds_the_objectives_is_named_though_another_beats_it_that_may_miss_them(tmp_path):
    figures = {"time-out 1s": {"p99_ms": 80.0}, "retries 5": BETTER | {"p99_ms": [50.0, 50.0, 100.0]}}
    found = advice(tmp_path, figures, objectives=["p99_ms < 90"])
    assert found.standing.beaten_by["time-out 1s"] == "retries 5"
    assert (names(found), found.holds) == (["time-out 1s"], True)


def test_an_objective_that_nobody_holds_is_said(tmp_path):
    found = advice(tmp_path, {"strategy on": BETTER}, objectives=["p99_ms < 1"])
    assert not found.holds
    assert "no setting is shown to hold" in " ".join(found.verdict)


def test_what_a_pick_is_worse_in_stands_among_its_losses(tmp_path):
    (pick,) = [one for one in advice(tmp_path, {"retries 5": SURE}).picks if one.name == "retries 5"]
    assert pick.losses[0].startswith("p99 301 ms instead of 100 ms")


def test_a_figure_has_the_digits_that_its_interval_tells():
    assert told(Interval(0.1257, 0.1196, 0.1318, 2, ""), CRITERIA[0]) == "0.1257 % ± 0.0061"


def test_unbeaten_changes_of_one_ground_are_tried_in_pairs(tmp_path):
    found = advice(tmp_path, {"time-out 1s": FAST, "retries 5": SURE})
    assert [one.name for one in found.next_round()] == ["retries 5, time-out 1s"]


@pytest.mark.parametrize("key", ["verdict", "picks", "settings", "unknown", "holds", "objectives"])
def test_the_result_has_what_the_document_says(tmp_path, key):
    assert key in advice(tmp_path, {"strategy on": BETTER}).as_json()


def test_none_in_these_runs_is_told_with_the_most_that_it_can_be(tmp_path):
    standing = advice(tmp_path, {"strategy on": {"failed_percent": 0.0}}).standing
    sent = len(standing.trial.situations) * (1001 + 1002 + 1003)
    most = -math.log(0.025) / sent * 100
    assert told(standing.figure("strategy on", CRITERIA[0]), CRITERIA[0]) == f"0 % (below {number(most)})"
