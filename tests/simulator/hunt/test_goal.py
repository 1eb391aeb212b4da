"""When a run misses a goal, and how near another came."""

from __future__ import annotations

import math

import pytest

from simulator.hunt.cases.found_case import FoundCase
from simulator.hunt.goal import parse_goal, why_no_goal
from simulator.hunt.schedule import Schedule
from simulator.hunt.schedule_outcome import HuntOutcome, outcome_of
from simulator.units import shown
from tests.says import Said, Says, raises
from tests.simulator.small import scenario_of


@pytest.mark.parametrize(
    ("text", "value", "missed"),
    [
        ("lost == 0", 0, False),
        ("lost == 0", 1, True),
        ("p99_ms < 200", 200, True),
        ("p99_ms <= 200", 200, False),
        ("sends_per_s > 10", 9, True),
        ("drain_s[g] < 60", math.inf, True),
    ],
)
def test_a_goal_is_missed_or_not(text, value, missed):
    goal = parse_goal(text)
    assert goal.is_missed({goal.measure: value}) is missed


def test_what_is_not_measured_is_not_missed():
    assert not parse_goal("p99_ms < 1").is_missed({})


def test_a_run_is_as_near_as_its_part_of_the_bound():
    near = [parse_goal("p99_ms < 200").nearness({"p99_ms": value}, {}) for value in (20, 100, 199, 300)]
    assert near == [pytest.approx(0.1), pytest.approx(0.5), 0.99, 1.0]


def test_what_grows_before_a_loss_brings_a_run_nearer():
    goal, calm = parse_goal("lost == 0"), {"lost": 0.0, "not_stored": 2.0}
    near = [goal.nearness({"lost": 0.0, "not_stored": value}, calm) for value in (2.0, 10.0, 1000.0)]
    assert near[0] == 0
    assert near[0] < near[1] < near[2] < 1


@pytest.mark.parametrize("text", ["lost", "lost = 0", "lost == -1", 3])
def test_what_is_no_goal_is_refused(text):
    with raises(ValueError, Says("experiment-file.objective-expected", got=shown(text))):
        parse_goal(text)


def test_a_measure_that_there_is_not_is_named_with_the_nearest():
    with raises(ValueError, Says("reading.not-known", what="measure", name="losst", near="lost")):
        parse_goal("losst == 0")


def test_a_measure_that_the_scenario_has_not_is_told():
    unknown = Says("reading.not-known", what="measure", name="skipped[billing]")
    assert why_no_goal(parse_goal("skipped[billing] == 0"), scenario_of()) == unknown
    assert why_no_goal(parse_goal("lost == 0"), scenario_of()) is None


def test_a_drain_beyond_the_run_is_as_long_as_the_run_goes_on():
    scenario = scenario_of(
        duration="60s", producers={"rate": "100/s"},
        faults=[{"at": "10s", "for": "20s", "consumer": "g", "kind": "hang"}],
        consumers={"g": {"topic": "orders", "count": 1, "threads": 1, "service": {"constant": "12ms"}}},
    )  # fmt: skip
    found = outcome_of(scenario, ["drain_s[g]"])
    assert (found.values, found.at_least) == ({"drain_s[g]": 30.0}, ("drain_s[g]",))


@pytest.mark.parametrize(
    ("bound", "misses", "shows"),
    [
        ("< 60", False, False),
        ("< 20", True, True),
        ("== 20", True, True),
        ("== 60", False, False),
        ("> 20", False, True),
    ],
)
def test_a_time_without_an_end_holds_no_bound_that_was_not_seen_to_pass(bound, misses, shows):
    goal, endless = parse_goal(f"drain_s[g] {bound}"), HuntOutcome({"drain_s[g]": 30.0}, at_least=("drain_s[g]",))
    assert (endless.misses(goal), endless.shows(goal)) == (misses, shows)
    assert HuntOutcome.of_json(endless.as_json()) == endless


def test_a_backlog_that_is_not_drained_is_not_said_to_be():
    case = FoundCase(
        1, parse_goal("drain_s[g] < 20"), Schedule(), {"drain_s[g]": 30.0}, 0, (), at_least=("drain_s[g]",)
    )
    assert Says("case.not-drained", place="g", figure="30") in Said(case.sentence)


def test_the_states_of_a_run_are_named():
    hang = [{"at": "2s", "for": "9s", "broker": "a", "kind": "hang"}]
    marks = outcome_of(scenario_of(duration="20s", faults=hang), ["lost"]).marks
    assert {"isolation", "failures", "waits"} <= set(marks)
    assert outcome_of(scenario_of(duration="20s"), ["lost"]).marks == ()
