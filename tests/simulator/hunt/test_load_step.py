"""A step of the load: what the scenario has of it, and what it is called."""

from __future__ import annotations

import pytest

from simulator.hunt.cases.case_words import happening
from simulator.hunt.drawn_values import Draws
from simulator.hunt.fault_template import read_template, unknown_places
from simulator.hunt.hunt_file import load_rates
from simulator.hunt.schedule import Schedule, Strike, scenario_with
from simulator.hunt.space import space_of
from simulator.scenario.reading.scenario_error import ProblemsError
from tests.house.tree import ROOT
from tests.says import Said, Says
from tests.simulator.hunt.hunted import SCENARIO
from tests.simulator.small import scenario_of

MORE = {"kind": "load", "producers": "each", "for": "10s..2m", "factor": "1.5..4", "a_year": 50}
HANG = {"kind": "hang", "broker": "each", "for": "5s"}


def step(at_s: int, for_s: int, factor: float, place: str = "producers") -> Strike:
    return Strike(0, "load", "producers", place, at_s * 1_000_000, (("factor", factor), ("for", for_s * 1_000_000)))


def rates(scenario, *steps: Strike) -> dict[int, float]:
    (group,) = scenario_with(scenario.to_yaml(), Schedule(steps)).producers
    return {at_us // 1_000_000: float(rate) for at_us, rate in group.rate_changes}


def test_a_step_multiplies_the_rate_for_a_while():
    assert rates(scenario_of(producers={"rate": "40/s"}, duration="5m"), step(60, 30, 2.5)) == {60: 100.0, 90: 40.0}


def test_steps_stand_beside_the_changes_of_the_scenario_and_multiply_each_other():
    scenario = scenario_of(producers={"rate": "40/s", "rate_changes": {"70s": "10/s"}}, duration="5m")
    found = rates(scenario, step(60, 30, 2.0), step(80, 20, 3.0))
    assert found == {60: 80.0, 70: 20.0, 80: 60.0, 90: 30.0, 100: 10.0}


def test_a_step_is_no_fault_and_is_told_in_words():
    schedule = Schedule((step(60, 30, 2.5),))
    assert scenario_with(SCENARIO.to_yaml(), schedule).faults == SCENARIO.faults
    assert Says("case.more-load", who="producers", times=2.5, length="30 s") in Said(happening(schedule))


def test_steps_are_drawn_beside_faults():
    space = space_of(SCENARIO, [read_template(MORE), read_template(HANG)])
    found = {one.kind for number in range(20) for one in space.random(Draws(1, number)).strikes}
    assert found == {"load", "hang"}


def test_a_closed_loop_has_no_load_that_could_rise():
    loop = scenario_of(producers={"rate": None, "arrivals": "closed", "think": "10ms"})
    assert space_of(loop, [read_template(MORE), read_template(HANG)]).places == (("a", "b", "c"),)
    assert unknown_places(read_template(MORE), loop) == Says("hunt.nobody-to-strike", what="producers")


@pytest.mark.parametrize(
    "wrong", [MORE | {"kind": "hang"}, {"kind": "load", "broker": "a", "factor": 2}, MORE | {"every": "5s"}]
)
def test_only_producers_have_a_load_and_only_a_load_is_of_producers(wrong):
    with pytest.raises(ProblemsError):
        read_template(wrong)


def test_the_bundled_table_has_a_step_of_the_load():
    assert [one.target for one in load_rates(ROOT / "conf" / "fault-rates.yaml") if one.kind == "load"] == ["producers"]
