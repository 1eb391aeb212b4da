"""The verdict says what the runs show, and no more."""

from __future__ import annotations

import math
from functools import partial

import pytest

from simulator.experiments.experiment import UNCHANGED
from simulator.experiments.experiment_runner import experiment
from simulator.experiments.intervals import shows
from simulator.experiments.result import ExperimentResult
from simulator.experiments.texts.verdict_texts import VerdictTexts
from simulator.experiments.verdict import recovery, verdict
from simulator.experiments.words import apart, of_consumers
from tests.says import Said, Says
from tests.simulator.experiments.small import SCENARIO, loaded, study_of

MISSED = Says("verdict.misses", arm="old", objectives="p99_ms < 20", measure="p99_ms", figure="100 ms ± 25")
LOWER = partial(Says, "verdict.lower")
UNDECIDED = partial(Says, "verdict.cannot-tell", arm="old", objectives="p99_ms < 101", measure="p99_ms")


def runs(values, name="p99_ms"):
    return [{name: float(value)} for value in values]


def test_a_difference_is_reported_with_its_size():
    study = study_of({"old": runs([200, 210, 205]), "new": runs([60, 69, 66])}, seeds=3)
    (said,) = verdict(study)
    assert said == Says("verdict.differs", arm="new", mark=":", base="old")
    assert LOWER(figure="p99", size=140, unit="ms", ours=65, theirs=205) in Said(said)


@pytest.mark.parametrize(("measure", "mark"), [("end_to_end_p99_ms", ":"), ("revived", ":"), ("drain_s", "")])
def test_a_colon_follows_the_arm_where_its_group_is_what_does_something(measure, mark):
    consumed = SCENARIO | {
        "consumers": {"billing": {"topic": "orders", "consume_mode": "POP", "release": "5.3.3", "service": "1s"}}
    }
    old, new = (runs(values, f"{measure}[billing]") for values in (range(60, 66), range(30, 36)))
    (said,) = verdict(study_of({"old": old, "new": new}, seeds=6, scenario=consumed))
    assert said == Says("verdict.differs", arm="new", mark=mark, base="old")


@pytest.mark.parametrize(
    ("arm", "said"),
    [
        ("client.release=5.3.3", "release 5.3.3"),
        ("release=5.3.3, brokers.broker.count=6", "release 5.3.3 with count 6"),
        ("a.count=1 b.count=2", "a.count=1 b.count=2"),
        ("hedged 5 %, any queue", "hedged 5 %, any queue"),
        (UNCHANGED, VerdictTexts.UNCHANGED_SCENARIO()),
    ],
)
def test_an_arm_that_is_named_by_its_changes_is_reported_in_words(arm, said):
    study = study_of({"old": runs([4, 4, 4.1], "failed_percent"), arm: runs([1, 1, 1.1], "failed_percent")}, seeds=3)
    (found,) = verdict(study)
    assert found == Says("verdict.differs", arm=said, mark="", base="old")
    assert found.facts["ours"].startswith("1.03 %")


def test_what_an_arm_pays_with_is_reported_beside_what_it_gains():
    old = [
        {"failed_percent": 4, "p99_ms": 200, "mean_ms": 50, "lost": 60, "max_queue_share_percent": 5 + i}
        for i in (0, 1)
    ]
    new = [
        {"failed_percent": 1, "p99_ms": 20, "mean_ms": 5, "lost": 6, "max_queue_share_percent": 30 + i} for i in (0, 1)
    ]
    said, latencies = verdict(study_of({"old": old, "new": new}, seeds=2))
    assert latencies == Says("verdict.failed-messages-count", worst="old", best="new")
    loses = Says("verdict.loses", ours=6, kind="acknowledged", theirs=60, apart="-54", low="-54", high="-54")
    assert loses in Said(said)
    assert Says("verdict.busiest-queue", ours="30.5", theirs="5.5") in Said(said)


def test_a_loss_is_never_below_a_threshold():
    runs_of = {
        arm: [{"lost": float(base + i)} for i in (0, 1, 2)] for arm, base in {"old": 9_000, "new": 9_080}.items()
    }
    (said,) = verdict(study_of(runs_of, seeds=3))
    assert Says("verdict.loses", ours="9,081", theirs="9,001", apart="+80", low=80, high=80) in Said(said)
    assert Says("verdict.not-shown") not in Said(said)


def test_a_loss_that_the_runs_do_not_show_is_reported_as_such():
    (said,) = verdict(study_of({"old": runs([43, 5, 78, 79], "lost"), "new": runs([0, 0, 0, 0], "lost")}, seeds=4))
    loss = {"kind": "acknowledged", "ours": 0, "theirs": "51.2", "apart": "-51.2", "low": "-107", "high": "4.58"}
    assert said == Says("verdict.differs", arm="new", mark="", base="old", failures="")
    assert Says("verdict.not-shown", **loss) in Said(said)


def test_rounded_figures_add_up():
    study = study_of({"old": runs([7_966, 7_967, 7_968]), "new": runs([7_442, 7_443, 7_444])}, seeds=3)
    (said,) = verdict(study)
    assert LOWER(size=524, ours="7,443", theirs="7,967") in Said(said)


def test_a_small_value_beside_a_large_one_keeps_its_digits():
    study = study_of({"old": runs([28_790, 28_800, 28_810]), "new": runs([0.44, 0.45, 0.46])}, seeds=3)
    (said,) = verdict(study)
    assert LOWER(size="28,800", ours="0.45", theirs="28,800") in Said(said)
    losing = study_of({"old": runs([22_000] * 3, "not_stored"), "new": runs([3, 3, 4], "not_stored")}, seeds=3)
    assert Says("verdict.not-stored", kind="failed", ours="3.33", theirs="22,000") in Said(verdict(losing)[0])


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
    said = verdict(study)[-1]
    assert said == Says("verdict.cannot-tell", arm="new", objectives="p99_ms < 200")
    assert Says("verdict.not-measured-in", measure="p99_ms", missing=1, runs=3) in Said(said)


def test_a_median_of_too_few_runs_shows_neither_an_objective_nor_a_difference():
    runs_of = {"old": runs([90, 100, 110], "recovery_s"), "new": runs([20, 21, 22], "recovery_s")}
    hang = {"at": "6s", "for": "2s", "broker": "broker-b", "kind": "hang"}
    keys = {"objectives": ["recovery_s < 60"], "scenario": {**SCENARIO, "duration": "20s", "faults": [hang]}}
    study = study_of(runs_of, seeds=3, **keys)
    apart_by = study.difference("new", "recovery_s")
    assert apart_by is not None
    assert not shows(apart_by)
    few = Says("verdict.too-few-runs", figure="21 s (20 to 22)", runs=6, confidence="95")
    assert few in Said(next(line for line in verdict(study) if line == Says("verdict.cannot-tell", arm="new")))


def test_an_exact_0_is_explained_by_what_no_message_used():
    busy = {"at": "1s", "for": "2s", "broker": "broker-b", "kind": "code", "response_code": "SYSTEM_BUSY"}
    arms = {"two": {}, "five": {"client.retry_times_when_send_failed": 5}}
    found = experiment(loaded(scenario={**SCENARIO, "faults": [busy]}, arms=arms, seeds=2))
    (said,) = found.verdict
    assert said == Says("verdict.same", arm="five", base="two")
    assert Says("same-because.no-attempt", ordinal="second") in Said(said)
    assert Says("same-because.all-failures", endings="SYSTEM_BUSY", releases="4.9.8") in Said(said)


def test_no_difference_that_the_runs_can_show_is_an_answer():
    study = study_of({"old": runs([200, 210, 205]), "new": runs([190, 220, 206])}, seeds=3)
    assert verdict(study) == [Says("verdict.no-difference", arm="new", base="old", pairs=3)]


def test_identical_arms_are_said_to_be_the_same():
    study = study_of({"old": runs([1, 2, 3]), "new": runs([1, 2, 3])}, seeds=3)
    assert verdict(study) == [Says("verdict.same", arm="new", base="old", because="")]


def test_an_objective_that_is_missed_is_reported_with_the_figure():
    study = study_of({"old": runs([90, 100, 110])}, seeds=3, objectives=["p99_ms < 20"])
    assert verdict(study) == [MISSED]


def test_runs_without_end_are_counted_where_their_median_is_within_the_bound():
    drained = [*([30.0 + number for number in range(11)]), math.inf]
    study = study_of({"old": runs(drained)}, seeds=12, objectives=["p99_ms < 60"])
    (said,) = verdict(study)
    assert said == Says("verdict.misses", arm="old", objectives="p99_ms < 60")
    assert Says("verdict.endless-in", measure="p99_ms", endless=1, runs=12) in Said(said)


def test_of_several_objectives_only_those_are_reported_that_are_missed():
    study = study_of({"old": runs([90, 100, 110])}, seeds=3, objectives=["p99_ms < 20", "p99_ms < 900"])
    assert verdict(study) == [MISSED]


def test_an_objective_that_cannot_be_decided_is_not_called_missed():
    study = study_of({"old": runs([90, 100, 110])}, seeds=3, objectives=["p99_ms < 101"])
    assert verdict(study) == [UNDECIDED(figure="100 ms (75.2 to 125)")]


def test_one_run_alone_shows_no_objective():
    study = study_of({"old": runs([90])}, seeds=1, objectives=["p99_ms < 101"])
    assert verdict(study) == [UNDECIDED(figure="90 ms in one run")]


def test_that_nothing_is_ever_lost_cannot_be_shown_and_a_bound_that_can_is_named():
    study = study_of({"old": runs([0, 0, 0], "lost")}, objectives=["lost == 0"], seeds=3)
    (said,) = verdict(study)
    assert said == Says("verdict.cannot-tell", arm="old", objectives="lost == 0")
    assert Says("verdict.is-none", measure="lost", figure="0 (0 to 1.23)") in Said(said)


@pytest.mark.parametrize(
    ("sign", "beyond"),
    [
        ("<=", "attempts_per_message < 1.01"),
        (">=", "attempts_per_message > 0.99"),
    ],
)
def test_runs_that_all_have_exactly_the_bound_do_not_show_that_every_run_has(sign, beyond):
    just = {"old": runs([1, 1, 1, 1], "attempts_per_message")}
    said = verdict(study_of(just, seeds=4, objectives=[f"attempts_per_message {sign} 1"]))[-1]
    assert said == Says("verdict.cannot-tell", arm="old")
    assert Says("verdict.just-met", figure=1, runs=4, beyond=beyond) in Said(said)
    (held,) = verdict(study_of(just, seeds=4, objectives=[beyond]))
    assert held == Says("verdict.holds", objectives=beyond)


def test_a_value_beside_the_answer_that_cannot_be_decided_is_not_called_missed():
    find = {"largest": "producers.threads", "in": "1..2", "such_that": ["p99_ms < 101"]}
    study = study_of({"old": runs([90] * 3)}, seeds=3, find=find)
    for threads, values in ((1, [90, 91, 92]), (2, [90, 100, 110] * 4)):
        for seed, value in enumerate(values, 1):
            study.take(f"producers.threads={threads}", seed, {"p99_ms": float(value)})
    said = verdict(study)[0]
    assert said == Says("verdict.answer", answer=1, which="greatest", key="producers.threads", value=2)
    assert Says("verdict.is", measure="p99_ms", figure="91.0 ms ± 2.5") in Said(said)
    assert Says("verdict.undecided", measure="p99_ms", figure="100 ms (95 to 106)") in Said(said)


def test_of_a_closed_loop_nobody_knows_how_loaded_the_brokers_are():
    loops = {**SCENARIO, "producers": {"count": 4, "arrivals": "closed", "think": "0ms"}}
    find = {"largest": "producers.threads", "in": "1..2", "such_that": ["p99_ms < 101"]}
    study = study_of({"old": runs([90] * 3)}, seeds=3, find=find, scenario=loops)
    for threads, value in ((1, 90.0), (2, 900.0)):
        for seed in (1, 2, 3):
            study.take(f"producers.threads={threads}", seed, {"p99_ms": value})
    assert [said.id for said in verdict(study)] == ["verdict.answer"]
    assert ExperimentResult(study).as_json()["find"]["utilisation"] == {"peak": None, "one_broker_gone": None}


def test_one_copy_is_reported_as_one():
    values = {arm: [{"copies_per_message": copies}] * 3 for arm, copies in {"old": 0.97, "new": 1.0002}.items()}
    (said,) = verdict(study_of(values, seeds=3))
    assert Says("verdict.one-copy", theirs="0.97") in Said(said)


def test_a_limit_that_was_reached_is_reported():
    study = study_of({"old": runs([50, 150] * 4)}, precision={"p99_ms": "1%", "runs": 8})
    assert verdict(study) == [Says("verdict.limit-reached", arm="old", runs=8, measures="p99_ms")]


@pytest.mark.parametrize(
    ("ours_s", "theirs_s", "expected"),
    [
        (12.0, 8.0, Says("verdict.recovers", ours="12 s", theirs="8 s")),
        (math.inf, 8.0, Says("verdict.no-recovery", theirs="8 s")),
        (8.0, math.inf, Says("verdict.recovers-where-base-not", ours="8 s")),
    ],
)
def test_a_run_that_does_not_recover_is_reported_as_that(ours_s, theirs_s, expected):
    assert recovery(ours_s, theirs_s) == expected


@pytest.mark.parametrize(
    ("measure", "ours", "theirs", "text", "facts"),
    [
        ("lag_max", 4180, 10300, "backlog", {"ours": "4,180", "theirs": "10,300"}),
        ("drain_s", 148, math.inf, "drained-where-base-not", {"ours": "148 s"}),
        ("drain_s", math.inf, 148, "not-drained", {"theirs": "148 s"}),
        ("end_to_end_p99_ms", math.inf, 300, "not-consumed", {"theirs": "300 ms"}),
        ("end_to_end_p99_ms", 300, math.inf, "consumed-where-base-not", {"ours": "300 ms"}),
        ("dead_letters", 1600, 0, "dead-letters", {"ours": "1,600", "theirs": 0}),
        ("consumed_twice_percent", 1.5, 0, "consumed-twice", {"ours": "1.5 %", "theirs": "0 %"}),
    ],
)
def test_what_an_arm_does_to_a_consumer_group_is_reported_with_its_name(measure, ours, theirs, text, facts):
    said = of_consumers(f"{measure}[billing]", ours, theirs)
    assert said == Says(f"difference.{text}", group="billing", **facts)
