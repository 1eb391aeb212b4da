"""A hunt by a known rule: it finds what loses messages, makes it small, and tells causes apart."""

from __future__ import annotations

import pytest

from simulator.hunt.cases.case_words import how_often
from simulator.hunt.cases.found_case import likely_a_year
from simulator.hunt.goal import RUNS, Goal
from simulator.hunt.hunt import Hunt
from simulator.hunt.schedule import Schedule, Strike
from simulator.hunt.schedule_outcome import HuntOutcome
from tests.says import Said, Says
from tests.simulator.hunt.hunted import LOST, SCENARIO, TEMPLATES, hunt_with, longest, ruled_runs, small_space


def test_a_case_is_the_least_that_misses():
    (case,) = hunt_with(lambda one: longest(one, "hang") > 20).cases
    (strike,) = case.schedule.strikes
    assert (strike.kind, 20 < strike.length_us / 1e6 <= 22) == ("hang", True)


def test_a_case_names_what_happens():
    (case,) = hunt_with(lambda one: 312.0 * (longest(one, "hang") > 20)).cases
    struck = Says("case.struck", place=case.schedule.strikes[0].place, happens="hangs", length="21 s")
    assert case.sentence == Says("case.case")
    assert struck in Said(case.sentence)
    assert Says("case.lost", figure=312) in Said(case.sentence)


def test_two_faults_that_need_each_other_are_one_case():
    hunt = hunt_with(lambda one: longest(one, "hang") > 2 and longest(one, "kill") > 2, steps=3)
    assert [sorted(kind for kind, _ in case.pattern) for case in hunt.cases] == [["hang", "kill"]]


def test_a_pair_with_a_harmless_fault_is_the_case_of_the_other():
    hunt = hunt_with(lambda one: longest(one, "hang") > 5)
    assert len(hunt.cases) == 1
    assert len(hunt.cases[0].met) == hunt.missed["lost == 0"]


def test_a_setting_that_misses_by_itself_is_one_case_beside_that_of_a_fault():
    key = "client.send_latency_fault_enable"

    def loses(schedule):
        return float(dict(schedule.settings).get(key) is False or longest(schedule, "hang") > 5)

    hunt = Hunt(SCENARIO, small_space(settings=[(key, (False,))]), (LOST,), ruled_runs(loses))
    hunt.begin()
    hunt.step()
    assert sorted([kind for kind, _ in case.pattern] for case in hunt.cases) == [[], ["hang"]]
    assert all((not case.pattern) == (key in dict(case.schedule.settings)) for case in hunt.cases)
    (alone,) = [case for case in hunt.cases if not case.pattern]
    assert Says("case.with-settings", settings=f"{key}=False") in Said(alone.sentence)


def test_what_only_longer_faults_miss_is_not_said_of_the_least():
    goals = (LOST, Goal("not_stored", "==", 0.0))

    def runs(schedules):
        lengths = [longest(one, "hang") for one in schedules]
        return [HuntOutcome({"lost": float(one > 5), "not_stored": float(one > 30)}) for one in lengths]

    hunt = Hunt(SCENARIO, small_space(), goals, runs)
    hunt.begin()
    hunt.step()
    (case,) = hunt.cases
    assert (str(case.goal), case.also, case.others) == ("lost == 0", [], ["not_stored == 0"])


def test_causes_that_differ_are_cases_of_their_own():
    hunt = hunt_with(lambda one: max(longest(one, "hang"), longest(one, "kill")) > 10, steps=2)
    assert {case.pattern[0][0] for case in hunt.cases} == {"hang", "kill"}


def test_nothing_is_found_where_nothing_misses():
    hunt = hunt_with(lambda one: 0.0, steps=2)
    assert (hunt.cases, hunt.done, hunt.missed["lost == 0"]) == ([], 128, 0)


def test_what_the_scenario_misses_by_itself_is_said_and_not_searched():
    hunt = hunt_with(lambda one: 7.0, steps=0)
    (case,) = hunt.cases
    assert Says("case.nothing-added") in Said(case.sentence)
    assert Says("case.lost", figure=7) in Said(case.sentence)
    assert hunt.goals == []


def test_the_same_seed_gives_the_same_hunt():
    found = [hunt_with(lambda one: longest(one, "kill") > 60, steps=4, seed=9) for _ in range(2)]
    assert len({tuple(case.schedule.key for case in hunt.cases) for hunt in found}) == 1
    assert list(found[0].search.archive) == list(found[1].search.archive)


def test_a_schedule_with_which_the_simulator_fails_is_a_case_of_its_own():
    def runs(schedules):
        broken = HuntOutcome({RUNS.measure: 1.0}, failure="it fails at heap.py:12")
        return [broken if longest(one, "kill") > 9 else HuntOutcome({"lost": 0.0}) for one in schedules]

    hunt = Hunt(SCENARIO, small_space(), (LOST,), runs)
    hunt.begin()
    hunt.step()
    (case,) = hunt.cases
    assert case.sentence.endswith(": it fails at heap.py:12")
    assert [one.kind for one in case.schedule.strikes] == ["kill"]


def test_a_scenario_with_which_the_simulator_fails_is_not_searched():
    failed = HuntOutcome({RUNS.measure: 1.0}, failure="it failed with E")
    hunt = Hunt(SCENARIO, small_space(), (LOST,), lambda many: [failed])
    hunt.begin()
    (case,) = hunt.cases
    assert Says("case.nothing-added") in Said(case.sentence)
    assert case.sentence.endswith(": it failed with E")
    assert hunt.goals == []


def test_a_corpus_is_tried_first_and_misses_again():
    strike = Strike(0, "hang", "broker", "a", 120_000_000, (("for", 30_000_000),))
    hunt = Hunt(SCENARIO, small_space(), (LOST,), ruled_runs(lambda one: longest(one, "hang") > 20))
    hunt.begin([Schedule((strike,))])
    assert [(case.from_corpus, case.schedule.strikes) for case in hunt.cases] == [(True, (strike,))]


def test_the_guided_search_finds_what_lies_in_a_corner():
    def corner(schedule: Schedule) -> float:
        hangs = [one for one in schedule.strikes if one.kind == "hang" and one.length_us > 20e6]
        kills = [one for one in schedule.strikes if one.kind == "kill"]
        return float(any(abs(a.until_us - b.at_us) < 2e6 for a in hangs for b in kills))

    hunt = hunt_with(corner, steps=30)
    assert [sorted(kind for kind, _ in case.pattern) for case in hunt.cases] == [["hang", "kill"]]


def test_the_guided_search_needs_few_schedules_where_two_faults_of_many_have_to_meet():
    harmless = [{"kind": "slow", "broker": name, "for": "5s..2m", "factor": "2..100"} for name in "abc"] * 5
    space = small_space([*harmless, *TEMPLATES])

    def runs(schedules):
        pairs = [(longest(one, "hang"), longest(one, "kill")) for one in schedules]
        return [
            HuntOutcome({"lost": float(min(pair) > 3), "not_stored": float(sum(pair)), "failed_messages": 0.0})
            for pair in pairs
        ]

    def schedules_until_a_case(strategy: str, seed: int) -> int:
        hunt = Hunt(SCENARIO, space, (LOST,), runs, seed, strategy)
        hunt.begin()
        while not hunt.cases and hunt.done < 2_000:
            hunt.step()
        return hunt.done

    sums = [sum(schedules_until_a_case(strategy, seed) for seed in range(1, 6)) for strategy in ("guided", "random")]
    assert sums[0] < sums[1] / 2


def test_a_space_of_one_fault_at_a_time_is_searched_by_variations():
    hunt = Hunt(SCENARIO, small_space(most=1), (LOST,), ruled_runs(lambda one: 0.0))
    hunt.begin()
    for _ in range(6):
        hunt.step()
    assert {len(elite.schedule.strikes) for elite in hunt.search.archive.values()} == {1}


def test_a_rate_is_that_of_all_places_and_of_longer_faults():
    strike = Strike(0, "hang", "broker", "a", 120_000_000, (("for", 1_000_000),))
    half = strike.changed(for_=7_745_967)  # the middle of 1 s to 60 s by logarithm
    assert likely_a_year(small_space(), [strike]) == pytest.approx(6.0)  # 2 a year, three brokers
    assert likely_a_year(small_space(), [half]) == pytest.approx(3.0, rel=0.01)


def test_two_faults_together_are_rarer_than_each():
    hang = Strike(0, "hang", "broker", "a", 120_000_000, (("for", 30_000_000),))
    kill = Strike(2, "kill", "broker", "b", 130_000_000, (("for", 30_000_000),))
    alone, both = likely_a_year(small_space(), [hang]), likely_a_year(small_space(), [hang, kill])
    assert alone is not None
    assert both is not None
    assert both < 1e-4 * alone


@pytest.mark.parametrize(
    ("a_year", "says"),
    [
        (None, Says("case.how-often-unknown")),
        (12.3, Says("case.times-a-year", times=10)),
        (1.0, Says("case.once-a-year")),
        (0.02, Says("case.once-in-years", years=50)),
    ],
)
def test_a_rate_in_words(a_year, says):
    assert how_often(a_year) == says
