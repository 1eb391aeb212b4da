"""An experiment asks for the runs that it needs and for no others."""

from __future__ import annotations

import math

import pytest

from simulator.experiments.objective import parse_objective, unmeasured
from simulator.experiments.result import ExperimentResult
from simulator.experiments.study import RunKey
from tests.says import Says
from tests.simulator.experiments.small import loaded, study_of

FIND = {"smallest": "producers.threads", "in": "1..9", "such_that": ["p99_ms < 50"]}


def test_all_arms_share_their_seeds():
    from simulator.experiments.study import Study

    wanted = Study(loaded(seeds=2)).wanted()
    assert wanted == [RunKey("old", 1), RunKey("new", 1), RunKey("old", 2), RunKey("new", 2)]


def test_only_what_is_new_is_wanted():
    study = study_of({"a": [{"p99_ms": 1.0}] * 2, "b": []}, seeds=3)
    assert [(key.arm, key.seed) for key in study.wanted()] == [("b", 1), ("b", 2), ("a", 3), ("b", 3)]


def test_wide_intervals_want_more_runs_until_the_limit():
    runs = [{"p99_ms": float(100 + 20 * (-1) ** i)} for i in range(8)]
    study = study_of({"a": runs}, precision={"p99_ms": "2%", "runs": 10})
    assert [key.seed for key in study.wanted()] == [9, 10]


def test_narrow_intervals_want_no_more_runs():
    runs = [{"p99_ms": float(100 + (-1) ** i)} for i in range(8)]
    assert study_of({"a": runs}, precision={"p99_ms": "2%", "runs": 200}).wanted() == []


def test_a_measure_that_no_run_has_is_not_called_narrow():
    study = study_of({"a": [{"p50_ms": 1.0}] * 8}, precision={"p99_ms": "2%", "runs": 8})
    assert study.too_wide("a") == ["p99_ms"]


def test_a_search_wants_both_ends_first():
    study = study_of({"as it is": [{"p99_ms": 1.0}] * 2}, seeds=2, find=FIND)
    assert {key.arm for key in study.wanted()} == {"producers.threads=1", "producers.threads=9"}


def test_a_step_that_cannot_be_decided_gets_more_runs():
    study = study_of({"as it is": [{"p99_ms": 1.0}] * 2}, seeds=2, find=FIND)
    for seed, value in ((1, 20.0), (2, 90.0)):
        study.take("producers.threads=1", seed, {"p99_ms": value})
        study.take("producers.threads=9", seed, {"p99_ms": value / 100})
    assert study.wanted() == [RunKey("producers.threads=1", 3), RunKey("producers.threads=1", 4)]


def test_the_answer_of_a_search_is_shown_with_the_value_that_misses():
    study = study_of({"as it is": [{"p99_ms": 1.0}] * 2}, seeds=2, find=FIND | {"in": "1..3"})
    for threads, value in ((1, 900.0), (2, 1.0), (3, 1.0)):
        for seed in (1, 2):
            study.take(f"producers.threads={threads}", seed, {"p99_ms": value})
    assert study.shown_arms() == ["as it is", "producers.threads=2", "producers.threads=1"]


def test_an_objective_holds_fails_or_cannot_be_decided():
    runs = {"a": [{"p99_ms": value} for value in (90.0, 100.0, 110.0)]}
    study = study_of(runs, objectives=["p99_ms < 200", "p99_ms < 105", "p99_ms < 20"], seeds=3)
    assert [study.holds("a", (one,)) for one in study.loaded.experiment.objectives] == [True, None, False]


@pytest.mark.parametrize(
    ("values", "held"),
    [
        ([16, 16, 16], {"instances_changed[g] == 16": True, "instances_changed[g] == 15": False}),
        ([15, 16, 17], {"instances_changed[g] == 16": None, "instances_changed[g] == 40": False}),
        ([0, 0, 0], {"lost == 0": None, "lost <= 0": None, "lost == 1": None}),
        ([0, 0, 0, 0, 0, 0, 0, 80], {"lost == 0": False, "lost <= 0": False, "lost == 10": None}),
        ([3], {"lost == 0": None}),
        ([0, 0, 0], {"skipped[g] == 0": None, "skipped[g] < 1": None, "skipped[g] < 2": True}),
        ([0, 0, 0, 0], {"missed[g] == 0": None, "missed[g] < 1": True}),
        ([0, 0], {"dead_letters[g] < 1": None, "revived[g] < 1": None}),
    ],
)
def test_equal_is_shown_where_every_run_has_the_value_and_missed_where_it_is_outside(values, held):
    names = [text.split()[0] for text in held]
    runs = [dict.fromkeys(names, float(value)) | {"messages": 1000.0} for value in values]
    study = study_of({"a": runs}, seeds=len(values))
    assert {text: study.holds("a", (parse_objective(text),)) for text in held} == held


@pytest.mark.parametrize(
    ("values", "text", "held"),
    [
        ([20, 21, 22, 23, 24], "recovery_s < 60", None),  # the median of five lies outside 1 of 16 times
        ([20, 21, 22, 23, 24, 25], "recovery_s < 60", True),
        ([70, math.inf], "recovery_s > 60", None),
        ([70, math.inf], "recovery_s < 60", False),
    ],
)
def test_a_median_of_too_few_runs_meets_no_objective(values, text, held):
    study = study_of({"a": [{"recovery_s": float(value)} for value in values]}, seeds=len(values))
    assert study.holds("a", (parse_objective(text),)) is held


@pytest.mark.parametrize("name", ["drain_s[billing]", "end_to_end_p99_ms[billing]"])
@pytest.mark.parametrize("others", [1, 4, 19])
def test_one_run_without_end_misses_every_upper_bound_whatever_the_median_is(name, others):
    values = [math.inf, *(30.0 + number for number in range(others))]
    study = study_of({"a": [{name: value} for value in values]}, seeds=len(values))
    held = [study.holds("a", (parse_objective(f"{name} {bound}"),)) for bound in ("< 9999", "<= 9999", "== 30")]
    assert held == [False, False, False]
    assert study.holds("a", (parse_objective(f"{name} > 20"),)) is (True if others == 19 else None)


@pytest.mark.parametrize("failed", [0.0, 20.0])
def test_a_run_without_messages_leaves_the_part_that_failed_undecided(failed):
    runs = [{"messages": 0.0}, *({"messages": 5.0, "failed_percent": one} for one in (failed, 0.0))]
    study = study_of({"a": runs}, seeds=3)
    found = study.interval("a", "failed_percent")
    assert found is not None
    assert found.mean == failed / 2
    assert study.holds("a", (parse_objective("failed_percent < 99"),)) is None


@pytest.mark.parametrize(
    "text", ["messages >= 1000001", "lag_max[billing] < 1234567.25", "lost == 0", "p99_ms < 0.00001"]
)
def test_an_objective_is_printed_with_all_digits_of_its_bound(text):
    objective = parse_objective(text)
    assert str(objective) == text
    assert parse_objective(objective.beyond).bound == pytest.approx(objective.bound, rel=0.02, abs=1)


def test_the_objectives_of_a_searched_value_have_the_confidence_of_the_search():
    study = study_of({"a": []}, seeds=3, find=FIND | {"such_that": ["p99_ms < 120"], "confidence": 90})
    for seed, value in ((1, 90.0), (2, 100.0), (3, 110.0)):
        study.take("producers.threads=1", seed, {"p99_ms": value})
        study.take("producers.threads=9", seed, {"p99_ms": value})
    found = ExperimentResult(study).as_json()["arms"]
    assert found["producers.threads=1"]["objectives"] == [{"objective": "p99_ms < 120", "holds": True}]


def test_a_measure_of_consumer_groups_asks_for_a_group():
    of_one = "experiment-file.measure-of-one"
    assert unmeasured("drain_s", ["drain_s[billing]"]) == Says(of_one, whose="consumer group", same="drain_s[billing]")
    assert unmeasured("share_percent", ["share_percent[broker-a]"]) == Says(
        of_one, name="share_percent", whose="broker"
    )
