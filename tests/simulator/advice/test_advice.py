"""Who is among the few that are not beaten, and what is said of them."""

import math

import pytest

from simulator.advice.advice import interval_text
from simulator.advice.standing import CRITERIA, HARMLESS
from simulator.experiments.intervals import Interval
from simulator.experiments.words import number
from tests.says import Said, Says
from tests.simulator.advice.made import advice

BETTER = {"failed_percent": 0.5}
FAST, SURE = {"p99_ms": 10.0, "failed_percent": 2.0}, {"p99_ms": 300.0, "failed_percent": 0.1}


def names(found):
    return [pick.name for pick in found.picks]


def test_a_setting_that_is_better_in_one_thing_and_worse_in_none_beats_the_client_as_it_is(tmp_path):
    found = advice(tmp_path, {"strategy on": BETTER})
    assert found.standing.beaten_by == {"as it is": "strategy on"}
    assert HARMLESS in found.picks[0].best_in
    assert found.verdict[0] == Says("advice.pick", name="strategy on")


SITUATIONS = "hang, kill, slow, overload and rolling restart"


def test_a_setting_that_is_better_is_named_with_the_situations_in_which_it_is_not_shown_worse(tmp_path):
    found = advice(tmp_path, {"strategy on": BETTER})
    assert found.picks[0].not_shown_worse == Says("advice.not-shown-worse", situations=SITUATIONS, runs=8)
    assert Says("advice.dominated", name="strategy on", situations=SITUATIONS, runs=8) in found.verdict


def test_a_setting_that_is_shown_worse_in_one_situation_beats_nobody_though_its_means_are_better(tmp_path):
    worse = {"strategy on | slow": {"failed_percent": 0.5, "p99_ms": 110.0}}
    found = advice(tmp_path, {"strategy on": BETTER | {"p99_ms": 90.0}, **worse})
    assert found.standing.beaten_by == {}
    (pick,) = [one for one in found.picks if one.name == "strategy on"]
    slow = {"after": "when a broker is slow", "ours": "110 ms", "theirs": "100 ms"}
    assert pick.losses == [Says("advice.worse-after", criterion="p99", **slow)]
    others = "hang, kill, overload and rolling restart"
    assert pick.not_shown_worse == Says("advice.not-shown-worse", situations=others, runs=8)


def test_what_measured_worse_in_one_situation_is_said_though_the_runs_do_not_show_it(tmp_path):
    found = advice(tmp_path, {"strategy on": BETTER, "strategy on | slow": {"p99_ms": [70.0, 150.0]}})
    (pick,) = [one for one in found.picks if one.name == "strategy on"]
    assert Says("advice.not-for-sure", after="when a broker is slow") in pick.losses


def test_fewer_than_eight_seeds_give_a_preview_that_says_so(tmp_path):
    found = advice(tmp_path, {"strategy on": BETTER}, seeds=2)
    assert found.verdict[0] == Says("advice.preview", seeds=2, least=8)
    assert found.as_json()["preview"]
    assert not advice(tmp_path, {"strategy on": BETTER}).as_json()["preview"]


def test_a_trial_that_was_stopped_recommends_nothing_and_says_how_far_it_is(tmp_path):
    found = advice(tmp_path, {})
    assert found.verdict[0] == Says("advice.keep")
    found.interrupted = True
    assert found.verdict[0] == Says("advice.partly", settings=len(found.standing.known))
    assert not [one for one in found.verdict if one == Says("advice.keep")]


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
    assert found.verdict[0] == Says("advice.keep")


def test_with_objectives_the_few_hold_them_if_any_does(tmp_path):
    found = advice(tmp_path, {"time-out 1s": FAST, "retries 5": SURE}, objectives=["failed_percent < 0.5"])
    assert names(found) == ["retries 5"]
    assert found.holds


def test_what_holds_the_objectives_is_named_though_another_beats_it_that_may_miss_them(tmp_path):
    figures = {"time-out 1s": {"p99_ms": 80.0}, "retries 5": BETTER | {"p99_ms": [10.0, 150.0]}}
    found = advice(tmp_path, figures, objectives=["p99_ms < 90"])
    assert found.standing.beaten_by["time-out 1s"] == "retries 5"
    assert (names(found), found.holds) == (["time-out 1s"], True)


def test_an_objective_that_nobody_holds_is_said(tmp_path):
    found = advice(tmp_path, {"strategy on": BETTER}, objectives=["p99_ms < 1"])
    assert not found.holds
    assert Says("advice.in-none", objectives="p99_ms < 1") in found.verdict


def test_what_a_pick_is_worse_in_stands_among_its_losses(tmp_path):
    (pick,) = [one for one in advice(tmp_path, {"retries 5": SURE}).picks if one.name == "retries 5"]
    assert Says("advice.difference", criterion="p99", ours="301 ms", theirs="100 ms") in Said(pick.losses[0])


def test_a_figure_has_the_digits_that_its_interval_tells():
    assert interval_text(Interval(0.1257, 0.1196, 0.1318, 2, ""), CRITERIA[0]) == "0.1257 % ± 0.0061"


def test_unbeaten_changes_of_one_ground_are_tried_in_pairs(tmp_path):
    found = advice(tmp_path, {"time-out 1s": FAST, "retries 5": SURE})
    assert [one.name for one in found.next_round()] == ["retries 5, time-out 1s"]


@pytest.mark.parametrize("key", ["verdict", "picks", "settings", "unknown", "holds", "objectives"])
def test_the_result_has_what_the_document_says(tmp_path, key):
    assert key in advice(tmp_path, {"strategy on": BETTER}).as_json()


def test_none_in_these_runs_is_reported_with_the_most_that_it_can_be(tmp_path):
    standing = advice(tmp_path, {"strategy on": {"failed_percent": 0.0}}).standing
    sent = len(standing.trial.situations) * sum(1000 + seed for seed in range(1, 9))
    most = -math.log(0.025) / sent * 100
    assert interval_text(standing.figure("strategy on", CRITERIA[0]), CRITERIA[0]) == f"0 % (below {number(most)})"
