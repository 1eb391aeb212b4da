"""The verdict says what the runs show, and no more."""

from __future__ import annotations

import math

import pytest

from simulator.experiments.experiment_runner import experiment
from simulator.experiments.verdict import recovery, verdict
from simulator.experiments.words import apart, of_consumers
from tests.simulator.experiments.small import SCENARIO, loaded, study_of


def runs(values, name="p99_ms"):
    return [{name: float(value)} for value in values]


def test_a_difference_is_reported_with_its_size():
    study = study_of({"old": runs([200, 210, 205]), "new": runs([60, 69, 66])}, seeds=3)
    assert verdict(study) == ["new: p99 is 140 ms lower (65 instead of 205) (against old)."]


@pytest.mark.parametrize(
    ("arm", "said"),
    [
        ("client.release=5.3.3", "release 5.3.3"),
        ("release=5.3.3, brokers.broker.count=6", "release 5.3.3 with count 6"),
        ("a.count=1 b.count=2", "a.count=1 b.count=2"),
        ("hedged 5 %, any queue", "hedged 5 %, any queue"),
    ],
)
def test_an_arm_that_is_named_by_its_changes_is_reported_in_words(arm, said):
    study = study_of({"old": runs([4, 4, 4.1], "failed_percent"), arm: runs([1, 1, 1.1], "failed_percent")}, seeds=3)
    assert verdict(study)[0].startswith(f"{said} fails 1.0")


def test_what_an_arm_pays_with_is_reported_beside_what_it_gains():
    old = [
        {"failed_percent": 4, "p99_ms": 200, "mean_ms": 50, "lost": 60, "max_queue_share_percent": 5 + i}
        for i in (0, 1)
    ]
    new = [
        {"failed_percent": 1, "p99_ms": 20, "mean_ms": 5, "lost": 6, "max_queue_share_percent": 30 + i} for i in (0, 1)
    ]
    (said,) = verdict(study_of({"old": old, "new": new}, seeds=2))
    assert "loses 6 acknowledged messages per run instead of 60, -54 (-54 to -54)" in said
    assert "puts 30.5 % instead of 5.5 % on its busiest queue" in said


def test_a_loss_is_never_below_a_threshold():
    runs_of = {
        arm: [{"lost": float(base + i)} for i in (0, 1, 2)] for arm, base in {"old": 9_000, "new": 9_080}.items()
    }
    (said,) = verdict(study_of(runs_of, seeds=3))
    assert said == "new loses 9,081 acknowledged messages per run instead of 9,001, +80 (80 to 80) (against old)."


def test_a_loss_that_the_runs_do_not_show_is_reported_as_such():
    (said,) = verdict(study_of({"old": runs([43, 5, 78, 79], "lost"), "new": runs([0, 0, 0, 0], "lost")}, seeds=4))
    assert said == (
        "new loses 0 acknowledged messages per run instead of 51.2, -51.2 (-107 to 4.58), which these runs do not show "
        "(against old)."
    )


def test_rounded_figures_add_up():
    study = study_of({"old": runs([7_966, 7_967, 7_968]), "new": runs([7_442, 7_443, 7_444])}, seeds=3)
    assert verdict(study) == ["new: p99 is 524 ms lower (7,443 instead of 7,967) (against old)."]


def test_a_small_value_beside_a_large_one_keeps_its_digits():
    study = study_of({"old": runs([28_790, 28_800, 28_810]), "new": runs([0.44, 0.45, 0.46])}, seeds=3)
    assert verdict(study) == ["new: p99 is 28,800 ms lower (0.45 instead of 28,800) (against old)."]
    losing = study_of({"old": runs([22_000] * 3, "not_stored"), "new": runs([3, 3, 4], "not_stored")}, seeds=3)
    assert "does not store 3.33 failed messages per run instead of 22,000" in verdict(losing)[0]


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (65, 205, ("140", "65", "205")),
        (12, 28_812, ("28,800", "12", "28,800")),
        (28_800, 0, ("28,800", "28,800", "0")),
        (99.96, 100, ("0.04", "99.96", "100")),
    ],
)
def test_either_side_of_a_difference_has_two_digits_that_count(ours, theirs, expected):
    assert apart(ours, theirs) == expected


def test_a_measure_that_a_run_lacks_holds_nothing_and_shows_no_difference():
    runs_of = {"old": runs([90, 100, 110]), "new": [*runs([10, 11]), {"mean_ms": 1.0}]}
    study = study_of(runs_of, seeds=3, objectives=["p99_ms < 200"])
    assert study.difference("new", "p99_ms") is None
    assert study.holds("new", study.loaded.experiment.objectives) is None
    assert verdict(study)[-1] == (
        "new: these runs cannot tell whether p99_ms < 200: p99_ms was not measured in 1 of 3 runs."
    )


def test_an_exact_0_is_explained_by_what_no_message_used():
    busy = {"at": "1s", "for": "2s", "broker": "broker-b", "kind": "code", "response_code": "SYSTEM_BUSY"}
    arms = {"two": {}, "five": {"client.retry_times_when_send_failed": 5}}
    found = experiment(loaded(scenario={**SCENARIO, "faults": [busy]}, arms=arms, seeds=2))
    (said,) = found.verdict
    assert said.startswith("five and two are the same: every measure differs by exactly 0 in every pair of runs: ")
    assert said.endswith("no message used a second attempt; all failures were SYSTEM_BUSY, which 4.9.8 does not retry.")


def test_no_difference_that_the_runs_can_show_is_an_answer():
    study = study_of({"old": runs([200, 210, 205]), "new": runs([190, 220, 206])}, seeds=3)
    assert verdict(study) == ["new against old: no difference worth telling that these 3 pairs of runs can show."]


def test_identical_arms_are_said_to_be_the_same():
    study = study_of({"old": runs([1, 2, 3]), "new": runs([1, 2, 3])}, seeds=3)
    assert verdict(study) == ["new and old are the same: every measure differs by exactly 0 in every pair of runs."]


def test_an_objective_that_is_missed_is_reported_with_the_figure():
    study = study_of({"old": runs([90, 100, 110])}, seeds=3, objectives=["p99_ms < 20"])
    assert verdict(study) == ["old misses p99_ms < 20: p99_ms is 100 ms ± 25."]


def test_of_several_objectives_only_those_are_reported_that_are_missed():
    study = study_of({"old": runs([90, 100, 110])}, seeds=3, objectives=["p99_ms < 20", "p99_ms < 900"])
    assert verdict(study) == ["old misses p99_ms < 20: p99_ms is 100 ms ± 25."]


def test_an_objective_that_cannot_be_decided_is_not_called_missed():
    study = study_of({"old": runs([90, 100, 110])}, seeds=3, objectives=["p99_ms < 101"])
    assert verdict(study) == ["old: these runs cannot tell whether p99_ms < 101: p99_ms is 100 ms (75.2 to 125)."]


def test_one_run_alone_shows_no_objective():
    study = study_of({"old": runs([90])}, seeds=1, objectives=["p99_ms < 101"])
    assert verdict(study) == ["old: these runs cannot tell whether p99_ms < 101: p99_ms is 90 ms in one run."]


def test_a_value_beside_the_answer_that_cannot_be_decided_is_not_called_missed():
    find = {"largest": "producers.threads", "in": "1..2", "such_that": ["p99_ms < 101"]}
    study = study_of({"old": runs([90] * 3)}, seeds=3, find=find)
    for threads, values in ((1, [90, 91, 92]), (2, [90, 100, 110] * 4)):
        for seed, value in enumerate(values, 1):
            study.take(f"producers.threads={threads}", seed, {"p99_ms": float(value)})
    assert verdict(study)[0].endswith(
        "p99_ms is 91.0 ms ± 2.5; at 2 these runs cannot tell: p99_ms is 100 ms (95 to 106)."
    )


def test_one_copy_is_reported_as_one():
    values = {arm: [{"copies_per_message": copies}] * 3 for arm, copies in {"old": 0.97, "new": 1.0002}.items()}
    assert verdict(study_of(values, seeds=3)) == ["new stores 1 copy of a message instead of 0.97 (against old)."]


def test_a_limit_that_was_reached_is_reported():
    study = study_of({"old": runs([50, 150] * 4)}, precision={"p99_ms": "1%", "runs": 8})
    assert verdict(study) == ["old: the limit of 8 runs was reached before p99_ms was as narrow as asked."]


@pytest.mark.parametrize(
    ("ours_s", "theirs_s", "expected"),
    [
        (12.0, 8.0, "recovers after 12 s instead of 8 s"),
        (math.inf, 8.0, "does not recover within the run instead of after 8 s"),
        (8.0, math.inf, "recovers after 8 s instead of not at all within the run"),
    ],
)
def test_a_run_that_does_not_recover_is_reported_as_that(ours_s, theirs_s, expected):
    assert recovery(ours_s, theirs_s) == expected


@pytest.mark.parametrize(
    ("measure", "ours", "theirs", "said"),
    [
        ("lag_max[billing]", 4180, 10300, "leaves a backlog of up to 4,180 messages of billing instead of 10,300"),
        ("drain_s[billing]", 148, math.inf, "drains billing in 148 s instead of not within the run"),
        ("drain_s[billing]", math.inf, 148, "does not drain billing within the run instead of in 148 s"),
        ("end_to_end_p99_ms[billing]", math.inf, 300,
         "billing does not consume 99 % of its messages within the run instead of with a p99 of 300 ms"),
        ("end_to_end_p99_ms[billing]", 300, math.inf,
         "billing consumes with a p99 of 300 ms instead of not 99 % of its messages within the run"),
        ("dead_letters[billing]", 1600, 0, "billing gives up 1,600 messages instead of 0"),
        ("consumed_twice_percent[audit]", 1.5, 0, "audit consumes 1.5 % twice instead of 0 %"),
    ],
)  # fmt: skip
def test_what_an_arm_does_to_a_consumer_group_is_reported_with_its_name(measure, ours, theirs, said):
    assert of_consumers(measure, ours, theirs) == said
