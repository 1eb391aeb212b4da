"""What is drawn: within the space, the same from the same seed, and never what the scenario cannot have."""

from __future__ import annotations

import pytest

from simulator.hunt.drawn_values import Draws, ValueChoice, ValueRange, read_drawn
from simulator.hunt.fault_template import read_template, unknown_places
from simulator.hunt.hunt_file import load_rates
from simulator.hunt.schedule import Schedule, Strike, scenario_with, why_refused
from simulator.hunt.space import space_of
from simulator.scenario.reading.scenario_error import ProblemsError
from tests.house.tree import ROOT
from tests.says import Says, raises
from tests.simulator.hunt.hunted import SCENARIO, TEMPLATES, small_space
from tests.simulator.small import scenario_of


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


MIXED = scenario_of(
    duration="2m", client={"release": "5.3.3"}, proxies={"count": 1, "release": "5.3.3"},
    brokers={name: {"latency": {"constant": "2ms"}, "release": "5.3.3"} for name in ("a", "b")},
    consumers={
        "a-pushed": {"topic": "orders", "count": 2, "service": "5ms", "grpc": {"release": "5.0.8"}},
        "pulling": {"topic": "orders", "count": 2, "service": "5ms"},
    },
)  # fmt: skip
CUT_OFF = {"kind": "partition", "consumer": "each", "broker": "all", "for": "5s..9s"}


def test_a_kind_strikes_the_places_where_the_scenario_can_have_it():
    space = space_of(MIXED, [read_template(CUT_OFF)])
    assert space.places == (("pulling-1", "pulling-2"),)
    (left,) = space.left_out
    assert (left.kind, left.places) == ("partition", ("a-pushed-1", "a-pushed-2"))
    assert left.why == Says("proxied.at-brokers", name="a-pushed")


def test_no_drawn_schedule_of_the_table_is_refused():
    space = space_of(MIXED, load_rates(ROOT / "conf" / "fault-rates.yaml"))
    text = MIXED.to_yaml()
    assert {why_refused(text, space.random(Draws(1, number))) for number in range(150)} == {None}


def test_a_kind_that_can_strike_nobody_is_left_out_with_the_reason():
    pushed = CUT_OFF | {"consumer": ["a-pushed"]}
    space = space_of(MIXED, [read_template(pushed), read_template({"kind": "kill", "producer": "each", "for": "5s"})])
    assert space.templates == ()
    assert [one.why for one in space.left_out] == [Says("proxied.at-brokers"), Says("hunt.nobody-to-strike")]


def test_a_kind_of_which_the_first_draw_cannot_be_stays():
    """Of `every` below `for` some draws cannot be: those are refused as they are run."""
    pauses = {"kind": "pause", "broker": "a", "for": "1s..9s", "every": "1s..9s", "during": "20s..40s"}
    assert [one.kind for one in space_of(SCENARIO, [read_template(pauses)]).templates] == ["pause"]


def test_a_reason_does_not_name_the_number_of_the_fault():
    strike = Strike(0, "partition", "consumer", "a-pushed-1", 20_000_000, (("broker", "all"), ("for", 5_000_000)))
    assert why_refused(MIXED.to_yaml(), Schedule((strike,))) == Says("proxied.at-brokers")
    assert not str(why_refused(MIXED.to_yaml(), Schedule((strike,)))).startswith("faults")


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
