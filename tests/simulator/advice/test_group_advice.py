"""Advice about a consumer group: what is tried, in what situations, and what it is judged by."""

from __future__ import annotations

import math

import pytest
import yaml

from simulator.advice.advice import Advice
from simulator.advice.group_candidates import group_java
from simulator.advice.standing import Standing
from simulator.advice.trial import arm_name, trial_of
from simulator.experiments.study import Study
from simulator.experiments.words import NEVER
from simulator.scenario import ScenarioError
from tests.says import Said, Says, raises
from tests.simulator.experiments.small import SCENARIO

GROUP = {"topic": "orders", "count": 3, "threads": 4, "service": "20ms", "release": "4.9.8"}


@pytest.fixture
def trial(tmp_path):
    def of(which="usual", name="billing", faults=(), **keys):
        file = tmp_path / "small.yaml"
        consumers = {"billing": GROUP | keys}
        file.write_text(yaml.safe_dump(SCENARIO | {"consumers": consumers, "faults": list(faults)}))
        return trial_of(file, which, group=name)

    return of


def test_instances_threads_pull_batch_strategy_and_release_are_tried(trial):
    assert list(trial().candidates) == [
        "as it is", "4 instances", "6 instances", "2 threads", "8 threads", "pull batch 8", "strategy AVG_BY_CIRCLE",
        "strategy CONSISTENT_HASH", "release 5.5.0",
    ]  # fmt: skip


def test_a_group_that_scales_by_lag_keeps_its_instances(trial):
    names = list(trial(autoscale={"threshold": 100, "most": 8}).candidates)
    assert not any("instances" in name for name in names)


def test_its_situations_strike_the_group(trial):
    found = {one.name: one.changes["faults"][0] for one in trial().situations}
    assert list(found) == ["kill", "hang", "slow", "deployment"]
    assert {fault["consumer"] for fault in found.values()} == {"billing-1", "billing"}
    struck = {arm.faults[0].kind for arm in trial().experiment().arms.values()}
    assert struck == {"kill", "hang", "slow", "rolling_restart"}


def test_it_is_judged_by_the_figures_of_the_group(trial):
    own = trial()
    criteria = Standing(own, Study(own.experiment())).criteria
    assert [one.name for one in criteria] == ["consumed_twice_percent", "end_to_end_p99_ms", "lag_max"]
    assert criteria[2].of({"lag_max[billing]": 7.0}) == 7.0


def test_java_is_for_a_push_consumer_of_its_release(trial):
    own = trial()
    both = own.candidates["8 threads"].plus(*own.candidates["strategy AVG_BY_CIRCLE"].changes)
    assert group_java(own.scenario_of(both), own.scenario, "billing").splitlines() == [
        "// org.apache.rocketmq:rocketmq-client:4.9.8",
        "consumer.setConsumeThreadMin(8);",
        "consumer.setConsumeThreadMax(8);",
        "consumer.setAllocateMessageQueueStrategy(new AllocateMessageQueueAveragelyByCircle());",
    ]


def test_an_unknown_group_is_refused_with_the_nearest(trial):
    with raises(
        ScenarioError, Says("reading.not-known", what="consumer group", name="biling", known="billing", near="billing")
    ):
        trial(name="biling")


def test_of_a_group_that_gets_nothing_no_setting_is_advised(trial):
    own = trial()
    study = Study(own.experiment())
    for arm in study.loaded.arms:
        study.take(arm, 1, {"messages": 9.0})
    found = Advice(Standing(own, study))
    figures = "consumed twice, end-to-end p99 and greatest lag"
    assert found.verdict == [Says("advice.nothing-measured", figures=figures)]
    assert found.holds is None


def test_what_was_not_measured_is_neither_compared_nor_a_reason_to_choose(trial):
    own = trial()
    study = Study(own.experiment())
    for arm in study.loaded.arms:
        for seed in (1, 2):
            study.take(arm, seed, {"lag_max[billing]": 100.0 + seed})
    found = Advice(Standing(own, study))
    assert [pick.best_in for pick in found.picks] == [["most balanced", "smallest backlog"]]
    assert Says("advice.not-compared", figures="consumed twice and end-to-end p99") in found.verdict


def measured(trial, figures, usual):
    """The advice on a group whose candidates measured that, and all others what is usual, by column; None: not."""
    own = trial()
    study = Study(own.experiment())
    for name in own.candidates:
        for arm in (arm_name(name, situation.name) for situation in own.situations):
            for seed in range(1, own.seeds + 1):
                run = {k: v * (1 + seed / 1000) for k, v in (usual | figures.get(name, {})).items() if v is not None}
                study.take(arm, seed, {f"{column}[billing]": value for column, value in run.items()})
    return Advice(Standing(own, study))


def test_runs_are_those_of_the_trial_though_its_first_figure_was_not_measured(trial):
    found = measured(trial, {"8 threads": {"lag_max": 50.0}}, {"lag_max": 100.0})
    assert found.picks[0].not_shown_worse == Says("advice.not-shown-worse", runs=8)
    assert Says("advice.dominated", name="8 threads", runs=8) in found.verdict


USUAL = {"consumed_twice_percent": 1.0, "end_to_end_p99_ms": 100.0, "lag_max": 5000.0}
ONE_WITHOUT_P99 = {"6 instances": {"end_to_end_p99_ms": None}}


def test_what_was_not_measured_of_one_setting_makes_no_other_better(trial):
    found = measured(trial, ONE_WITHOUT_P99 | {"8 threads": {"end_to_end_p99_ms": 10.0}}, USUAL)
    assert Says("advice.not-compared", figures="end-to-end p99") in found.verdict
    assert found.standing.beaten_by["8 threads"] == "as it is"
    assert [(pick.name, pick.gains) for pick in found.picks] == [("as it is", [])]


def test_what_was_not_measured_of_one_setting_makes_no_other_worse(trial):
    slower = {"consumed_twice_percent": 0.3, "end_to_end_p99_ms": 900.0}
    found = measured(trial, ONE_WITHOUT_P99 | {"8 threads": slower}, USUAL)
    assert found.standing.beaten_by["as it is"] == "8 threads"
    assert (found.picks[0].name, found.picks[0].losses) == ("8 threads", [])


def test_a_setting_has_no_place_by_what_was_not_measured_of_it(trial):
    ranks = measured(trial, ONE_WITHOUT_P99, USUAL).standing.ranks
    assert ranks["6 instances"] == ranks["as it is"] == 0


def overloaded(trial, bounded):
    """The standing of a group that is overloaded; half its threads consume less, and so less twice.

    bounded: candidates that work off what comes.
    """
    own = trial()
    study = Study(own.experiment())
    twice = {"as it is": 1.0, "2 threads": 0.3}
    lag = {"2 threads": 9000.0, "8 threads": 50.0}
    for name in own.candidates:
        for situation in own.situations:
            for seed in range(1, own.seeds + 1):
                p99 = 300.0 if name in bounded else math.inf
                run = {
                    "consumed_twice_percent[billing]": twice.get(name, 1.0) * (1 + seed / 1000),
                    "end_to_end_p99_ms[billing]": p99, "lag_max[billing]": lag.get(name, 5000.0),
                }  # fmt: skip
                study.take(arm_name(name, situation.name), seed, run)
    return Standing(own, study)


@pytest.mark.parametrize("bounded", [("8 threads",), ()])
def test_an_overloaded_group_is_not_offered_half_of_its_threads(trial, bounded):
    picked = overloaded(trial, bounded).picked()
    assert next(iter(picked)) == "8 threads"
    assert "2 threads" not in picked


def test_a_figure_without_end_is_not_within_the_run(trial):
    said = Advice(overloaded(trial, ("8 threads",))).verdict
    drained = Says("advice.difference", criterion="end-to-end p99", ours="300 ms", theirs=NEVER)
    assert any(drained in Said(one) for one in said)


POP = {"consume_mode": "POP", "release": "5.3.3"}


def test_a_pop_group_tries_invisible_times_and_pulling_and_nothing_that_only_pulls_have(trial):
    names = list(trial(**POP, service={"uniform": {"min": "1s", "max": "80s"}}).candidates)
    assert names[5:] == [
        "invisible time 30s", "invisible time 80s", "invisible time 2m", "pull instead of POP", "release 5.5.0",
    ]  # fmt: skip


def test_invisible_times_stay_within_what_a_client_takes(trial):
    names = list(trial(**POP, pop_invisible_time="5s", service="1ms").candidates)
    assert [name for name in names if name.startswith("invisible")] == ["invisible time 10s"]


def test_java_for_an_invisible_time_and_for_pulling(trial):
    own = trial(**POP)
    longer, pulling = (own.scenario_of(own.candidates[name]) for name in ("invisible time 2m", "pull instead of POP"))
    assert "consumer.setPopInvisibleTime(120000);" in group_java(longer, own.scenario, "billing")
    assert group_java(pulling, own.scenario, "billing").splitlines()[-2:] == [
        "consumer.setClientRebalance(true);", "// mqadmin setConsumeMode -m PULL",
    ]  # fmt: skip
