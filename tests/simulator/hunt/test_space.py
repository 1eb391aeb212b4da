"""What is drawn: within the space, the same from the same seed, and never what the scenario cannot have."""

from __future__ import annotations

import pytest

from simulator.hunt.drawn_values import Draws, ValueChoice, ValueRange, read_drawn
from simulator.hunt.fault_template import read_template, unknown_places
from simulator.hunt.schedule import Schedule, scenario_with
from simulator.hunt.space import space_of
from simulator.scenario.reading.scenario_error import ProblemsError
from tests.says import Says, raises
from tests.simulator.hunt.hunted import SCENARIO, TEMPLATES, small_space


def test_the_same_seed_and_number_draw_the_same_schedule():
    space = small_space()
    drawn = [space.random(Draws(5, number)).key for number in range(40)]
    assert drawn == [space.random(Draws(5, number)).key for number in range(40)]
    assert len(set(drawn)) == 40
    assert drawn[0] != space.random(Draws(6, 0)).key


def test_schedules_begin_and_end_within_the_space():
    space = small_space(most=3)
    found = [one for number in range(200) for one in space.random(Draws(1, number)).strikes]
    assert min(one.at_us for one in found) >= SCENARIO.duration_us // 8
    assert max(one.at_us for one in found) <= 0.6 * SCENARIO.duration_us
    assert max(one.until_us for one in found) <= 0.9 * SCENARIO.duration_us
    assert {one.kind for one in found} == {one["kind"] for one in TEMPLATES}


def test_a_schedule_has_one_to_most_faults():
    counts = {len(small_space(most=3).random(Draws(1, number)).strikes) for number in range(100)}
    assert counts == {1, 2, 3}


def test_a_range_is_drawn_evenly_by_its_logarithm():
    lengths = ValueRange(1e6, 100e6, is_time=True)
    assert (lengths.at(0.0), lengths.at(0.5), lengths.at(1.0)) == (1_000_000, 10_000_000, 100_000_000)
    assert lengths.part_above(10e6) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("text", "is_time", "found"),
    [
        ("1s..60s", True, ValueRange(1e6, 6e7, is_time=True)),
        ("2..50", False, ValueRange(2.0, 50.0)),
        ([1, 2], False, ValueChoice((1, 2))),
        ("400ms", True, ValueChoice((400_000,))),
    ],
)
def test_values_are_read(text, is_time, found):
    assert read_drawn(text, is_time=is_time) == found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("60s..1s", Says("hunt.rising-range-expected", example="1s..60s")),
        ("1s..x", Says("unit.expected", noun="duration", got='"x"')),
        ([], Says("hunt.no-values")),
    ],
)
def test_what_is_no_range_is_refused(text, says):
    with raises(ValueError, says):
        read_drawn(text, is_time=True)


def test_the_faults_of_a_schedule_stand_beside_the_scenarios_own():
    schedule = small_space().random(Draws(1, 1))
    made = scenario_with(SCENARIO.to_yaml(), schedule)
    assert len(made.faults) == len(SCENARIO.faults) + len(schedule.strikes)
    assert [fault.at_us for fault in made.faults] == [one.at_us for one in schedule.strikes]


def test_a_setting_and_a_dropped_broker_are_those_of_the_scenario():
    made = scenario_with(SCENARIO.to_yaml(), Schedule((), (("producers.0.count", 2),), ("c",)))
    assert (made.producer_count, list(made.brokers)) == (2, ["a", "b"])


def test_a_repetition_goes_on_for_a_while():
    template = read_template({"kind": "pause", "broker": "a", "for": "1s", "every": "4s", "during": "20s..40s"})
    fault = space_of(SCENARIO, [template]).random(Draws(1, 0)).strikes[0].as_fault()
    assert (fault["for"], fault["every"], fault["kind"]) == ("1s", "4s", "pause")
    assert "until" in fault
    assert "during" not in fault


def test_a_kind_that_strikes_nobody_is_left_out():
    templates = [{"kind": "hang", "consumer": "each", "for": "1s..9s"}, TEMPLATES[0]]
    assert [one.target for one in small_space(templates).templates] == ["broker"]


def test_brokers_that_are_alike_have_one_role():
    space = small_space()
    assert {space.roles["broker", name] for name in ("a", "b", "c")} == {"a"}


@pytest.mark.parametrize(
    ("template", "key", "says"),
    [
        ({"kind": "hnag", "broker": "a"}, "kind", Says("reading.not-known", name="hnag", near="hang")),
        ({"kind": "hang", "for": "1s"}, "", Says("hunt.place-expected", got='"none"')),
        ({"kind": "hang", "broker": "a", "fro": "1s"}, "fro", Says("reading.unknown-instead", name="fro", near="for")),
        ({"kind": "slow", "broker": "a", "for": "9s..1s"}, "for", Says("hunt.rising-range-expected")),
        ({"kind": "hang", "broker": "a", "a_year": -1}, "a_year", Says("hunt.a-year-expected", got=-1)),
    ],
)
def test_what_is_no_template_gets_a_sentence(template, key, says):
    with pytest.raises(ProblemsError) as error:
        read_template(template)
    (problem,) = error.value.problems
    assert (problem.text, problem.path) == (says, (key,) if key else ())


def test_a_place_that_is_not_there_is_told_with_the_nearest():
    wrong = read_template({"kind": "hang", "broker": "aa", "for": "1s"})
    assert unknown_places(wrong, SCENARIO) == Says("reading.not-known", what="broker", name="aa", near="a")
