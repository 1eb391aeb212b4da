"""Failed messages are in every latency: where arms differ in how many fail, the verdict says so."""

from __future__ import annotations

import pytest

from simulator.experiments.verdict import verdict
from tests.says import Says
from tests.simulator.experiments.small import study_of

ONE, ANOTHER = "verdict.failed-messages-lower", "verdict.failed-messages-count"


def runs(failed, mean):
    return [{"failed_percent": failed + seed / 100, "mean_ms": mean + seed / 10} for seed in range(3)]


def said_of(arms):
    return [said for said in verdict(study_of(arms, seeds=3)) if said.id in (ONE, ANOTHER)]


def test_an_arm_whose_calls_fail_fast_is_not_praised_for_its_mean():
    arms = {"one host": runs(12, 4), "four proxies": runs(6, 5), "a host each": runs(0, 7)}
    expected = Says(ONE, worst="one host", best="a host each", ours="4.1 ms", theirs="7.1 ms", most="12 %")
    assert said_of(arms) == [expected]


def test_of_arms_that_fail_alike_the_slowest_is_named():
    arms = {"one host": runs(12, 4), "ports": runs(0, 5), "a host each": runs(0, 7)}
    assert said_of(arms) == [Says(ONE, worst="one host", best="a host each")]


def test_failures_that_wait_are_in_the_mean_too():
    assert said_of({"old": runs(5, 900), "new": runs(0, 7)}) == [
        Says(ANOTHER, worst="old", best="new", most="5.01 %", least="0.01 %")
    ]


@pytest.mark.parametrize("arms", [{"old": runs(5, 9), "new": runs(5, 7)}, {"old": runs(0, 9), "new": runs(0, 7)}])
def test_nothing_is_said_where_as_many_messages_fail(arms):
    assert said_of(arms) == []


def test_few_runs_that_show_nothing_do_not_hide_that_many_messages_fail():
    old = [{"failed_percent": share, "mean_ms": 3.0} for share in (1.0, 12.0, 24.0)]
    (said,) = said_of({"one host": old, "a host each": runs(0, 7)})
    assert said == Says(ONE, worst="one host", most="12.3 %", least="0.01 %")


def test_nothing_is_said_of_a_small_difference_that_the_runs_do_not_show():
    old, new = ([{"failed_percent": share, "mean_ms": 9.0} for share in shares] for shares in ((1, 5, 9), (9, 5, 2)))
    assert said_of({"old": old, "new": new}) == []
