"""When a suspect is a cause of a consequence."""

from __future__ import annotations

import pytest

from simulator.causes.consequence import Consequence
from simulator.causes.judgement import causes_of, drop, likely, possible_causes
from simulator.causes.suspect import Suspect

M = 60_000_000


def suspect(name, from_s=60, until_s=120, only=None):
    return Suspect(name, name, ((from_s * 1_000_000, until_s * 1_000_000),), lambda scenario: scenario, only)


A, B, C = (suspect(name) for name in ("F1", "F2", "F3"))
FAILED = Consequence("failed", "shop", M, 2 * M, 300.0)


@pytest.mark.parametrize(
    ("left", "causes"),
    [(0.0, ("F1",)), (190.0, ("F1",)), (210.0, ()), (300.0, ()), (400.0, ())],
)
def test_a_cause_is_what_makes_it_shrink_to_less_than_two_thirds(left, causes):
    assert causes_of(FAILED, {("F1",): left}, [A]) == (causes, False)


def test_two_of_which_each_is_needed_are_both_causes():
    assert causes_of(FAILED, {("F1",): 0.0, ("F2",): 100.0}, [A, B]) == (("F1", "F2"), False)


def test_two_of_which_either_would_do_are_left_out_together():
    sizes = {("F1",): 290.0, ("F2",): 300.0, ("F1", "F2"): 0.0}
    assert causes_of(FAILED, sizes, [A, B]) == (("F1", "F2"), True)


def test_several_that_each_take_a_part_are_causes_together():
    sizes = {("F1",): 210.0, ("F2",): 205.0, ("F3",): 299.0}
    assert causes_of(FAILED, sizes, [A, B, C]) == (("F1", "F2"), False)


def test_what_is_usual_is_no_part_of_a_backlog():
    backlog = Consequence("backlog", "billing", M, 2 * M, 1_000.0, usual=100.0)
    assert drop(backlog, 100.0) == 1.0
    assert drop(backlog, 550.0) == 0.5


def test_a_difference_within_the_noise_of_a_count_is_none():
    assert drop(Consequence("failed", "shop", 0, M, 9.0), 5.0) == 0.0


def test_what_begins_later_is_no_cause_but_of_what_is_reported_at_the_intended_send_time():
    late = suspect("F1", 125, 130)
    assert possible_causes(Consequence("backlog", "billing", M, 2 * M, 500.0), [late]) == []
    assert possible_causes(FAILED, [late]) == [late]
    assert possible_causes(Consequence("lost", "shop", M, 2 * M, 500.0), [suspect("F1", 400, 500)])


def test_a_candidate_causes_only_its_kinds():
    client = suspect("client", 0, 300, only=("isolation",))
    assert possible_causes(FAILED, [client]) == []


def test_what_is_lost_is_likely_because_of_what_comes_after_it_and_not_of_what_is_always_there():
    always = Suspect("fails billing", "", ((0, 9 * M),), lambda scenario: scenario)
    lost = Consequence("lost", "shop", 0, M, 500.0)
    assert likely(lost, [always, suspect("F1", 70, 80)]) == ("F1",)
    assert likely(Consequence("backlog", "billing", 0, M, 500.0), [always, suspect("F1", 70, 80)]) == ("fails billing",)


def test_a_part_of_the_load_that_grows_without_a_suspect_is_no_more_than_gone():
    assert drop(Consequence("load", "broker-a", M, 2 * M, 30.0, usual=33.0, detail="less"), -20.0) == 1.0


def test_what_is_likely_is_at_work_meanwhile():
    assert likely(FAILED, [suspect("F1", 0, 20), B, suspect("F3", 200, 300)]) == ("F2",)
