"""A figure over many runs: within tolerance, decided by chance, or missed."""

from __future__ import annotations

import pytest

from simulator.scenario import load_scenario
from streaming.proof.predictions.predicted import Branch, counted, over_branch, over_runs, summed_up
from streaming.proof.predictions.prediction import Compared
from tests.house.tree import ROOT
from tests.says import Says

NEVER = float("inf")


def figure(values, recorded, tolerance=2.0, unit="s"):
    return summed_up([Compared("return of broker-b", unit, value, recorded, tolerance) for value in values])


@pytest.mark.parametrize(
    ("recorded", "verdict"),
    [(1.9, "within tolerance"), (2.3, "missed"), (NEVER, "missed")],
)
def test_what_the_runs_agree_on_is_held_against_the_tolerance(recorded, verdict):
    assert figure([0.0, 0.1, 0.2, 0.1], recorded).verdict == verdict


@pytest.mark.parametrize(
    ("recorded", "verdict"),
    [
        (2.05, "by chance: inside"),
        (4.1, "by chance: inside"),
        (4.2, "by chance: outside"),
        (NEVER, "by chance: outside"),
        (-0.1, "by chance: outside"),
    ],
)
def test_where_chance_decides_the_recording_must_lie_inside_the_runs(recorded, verdict):
    found = figure([0.0] * 30 + [2.1] * 5 + [4.1] * 4, recorded)
    assert (found.verdict, found.is_missed) == (verdict, verdict.endswith("outside"))


def test_even_what_is_near_the_mean_is_missed_outside_of_the_runs():
    found = figure([20.0] * 36 + [30.0] * 4, 18.0, tolerance=5.0, unit="%")
    assert (found.typical.is_met, found.verdict) == (True, "by chance: outside")


@pytest.mark.parametrize(("apart", "by_chance"), [(1, False), (2, True)])
def test_chance_decides_where_more_than_one_run_in_twenty_would_be_missed(apart, by_chance):
    assert figure([0.0] * (20 - apart) + [NEVER] * apart, 0.0).is_by_chance == by_chance


@pytest.mark.parametrize(("runs", "central"), [(4, (0, 3)), (39, (0, 38)), (79, (1, 77)), (199, (4, 194))])
def test_the_central_95_percent_leave_out_what_a_draw_more_is_beyond_once_in_forty(runs, central):
    assert figure(range(runs), 0.0).central == central


def test_a_figure_that_chance_decides_is_run_more_often_unless_it_is_said_how_often():
    scenario = load_scenario(ROOT / "conf" / "scenarios" / "live" / "cluster.yaml")

    def tossed(one):
        return [Compared("steady", "s", 1.0, 1.0, 2.0), Compared("tossed", "s", one.seed % 2 * 9.0, 0.0, 2.0)]

    assert [len(each.of_runs) for each in over_runs(scenario, None, tossed)] == [199, 199]
    assert [len(each.of_runs) for each in over_runs(scenario, 8, tossed)] == [8, 8]
    assert len(over_runs(scenario, None, lambda one: tossed(one)[:1])[0].of_runs) == 20


def branched(one, recorded=1.0):
    """Odd seeds take branch 1, and what follows is 9 s there."""
    side = one.seed % 2
    return Compared("branch", "", float(side), recorded, 0.0), [Compared("follows", "s", side * 9.0, 9.0, 2.0)]


def test_figures_that_follow_from_a_branch_are_of_the_runs_that_take_the_recorded_one():
    scenario = load_scenario(ROOT / "conf" / "scenarios" / "live" / "cluster.yaml")
    branch, follows = over_branch(scenario, 8, branched)
    assert isinstance(branch, Branch)
    assert (branch.as_recorded, branch.of_runs.count(0.0), branch.verdict) == (
        8,
        len(branch.of_runs) - 8,
        "by chance: inside",
    )
    assert (set(follows.of_runs), follows.verdict) == ({9.0}, "within tolerance")


def test_a_recorded_branch_that_no_run_takes_is_missed_and_all_runs_count():
    scenario = load_scenario(ROOT / "conf" / "scenarios" / "live" / "cluster.yaml")
    branch, follows = over_branch(scenario, 4, lambda one: branched(one, recorded=7.0))
    assert (branch.as_recorded, branch.is_missed, len(branch.of_runs)) == (0, True, 20)
    assert set(follows.of_runs) == {0.0, 9.0}


def test_what_chance_decides_is_not_counted_as_within_tolerance():
    found = [figure([0.0], 0.0), figure([0.0, 9.0], 9.0), figure([0.0], 9.0), figure([0.0, 9.0], NEVER)]
    within, by_chance, missed = counted(found).parts
    assert within == Says("proof.figures-counted", within=1, figures=4)
    assert by_chance == Says("proof.figures-by-chance", count=1)
    assert missed == Says("proof.figures-missed", count=2)
