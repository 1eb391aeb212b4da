"""A trace run again: recorded conditions, the control, what nobody tried."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from simulator.counterfactual.arms_experiment import GOING_ON, MODEL, RECORDED, replayed_arms, run_arms
from simulator.counterfactual.calibrated_trace import calibrated_trace
from simulator.counterfactual.caller_latency import ControlFigure
from simulator.counterfactual.conditions import conditions_of
from simulator.counterfactual.untried import going_on
from simulator.experiments.experiment_runner import experiment
from simulator.run.simulate import simulate_plan
from streaming.experiments.all_cores import all_cores
from tests.says import Said, Says
from tests.simulator.calibrate.made import OK, attempts_of
from tests.simulator.calibrate.simulated import log_of, scenario_with
from tests.simulator.counterfactual.made_traces import HANG_S, SECONDS, made_trace
from tests.simulator.experiments.small import loaded
from tests.simulator.small import fault

OTHER = "client.release=5.3.3"


@pytest.fixture(scope="module")
def result():
    found = replayed_arms(made_trace(), {OTHER: {"client.release": "5.3.3"}}, 3)
    assert len(list(run_arms(made_trace(), found))) == 9
    return found


def form_of(text):
    """The keys of a result.json: of the whole, of an arm, of an interval."""
    arm = next(iter(text["arms"].values()))
    return set(text), set(arm), set(arm["measures"]["mean_ms"])


def test_a_result_has_the_form_of_an_experiments(result):
    ours, plain = form_of(result.as_json()), form_of(experiment(loaded(seeds=2)).as_json())
    assert ours[0] - plain[0] == {"assumptions", "assumed_percent", "control"}
    assert plain[0] <= ours[0]
    assert ours[1:] == plain[1:]


def test_runs_on_all_cores_are_those_of_one(result):
    together = replayed_arms(made_trace(), {OTHER: {"client.release": "5.3.3"}}, 3)
    with all_cores() as on:
        list(run_arms(made_trace(), together, on))
    assert together.as_json() == result.as_json()


def of_seconds(table, first, last):
    begin = np.asarray(table.column("begin_us"))
    return table.filter((begin >= first * 1_000_000) & (begin < last * 1_000_000)).to_pandas()


def test_a_broker_is_as_slow_as_it_was_recorded_when():
    one = made_trace(tried_after_s=12)
    scenario = one.with_changes({"client.send_latency_fault_enable": "false"})
    attempts = simulate_plan(one.plan(scenario), scenario, ("attempts",)).attempts
    for first, last, took_us in ((0, 7, 1_000), (13, 20, 5_000)):
        rows = of_seconds(attempts, first, last).query("broker == 'broker-b'")
        assert (rows["end_us"] - rows["begin_us"]).median() == pytest.approx(took_us, rel=0.01), first


def test_where_a_broker_was_not_tried_its_usual_latency_stands_in():
    conditions = conditions_of(made_trace().fit.attempts, made_trace().fit.findings)
    assert conditions.tried[:, 1].tolist() == [second <= HANG_S for second in range(SECONDS)]
    assert conditions.own[HANG_S + 5, 1] == conditions.own[HANG_S + 6, 1]
    assert conditions.measured[: HANG_S - 1].all()


def test_the_recording_and_the_control_are_arms(result):
    arms = result.as_json()["arms"]
    assert list(arms) == [RECORDED, MODEL, OTHER, OTHER + GOING_ON]
    recorded, model = (arms[arm]["measures"] for arm in (RECORDED, MODEL))
    assert recorded["failed_messages"]["mean"] == model["failed_messages"]["mean"] == 4
    assert recorded["share_percent[broker-b]"]["mean"] == pytest.approx(model["share_percent[broker-b]"]["mean"], abs=1)
    assert "isolated_s[broker-b]" not in recorded
    assert "isolated_s[broker-b]" in model


def test_the_verdict_begins_with_the_control(result):
    assert result.verdict[0] == Says("arms.shown")
    (shares,) = [one for one in result.verdict[0].parts[0].parts if one == Says("arms.shares")]
    assert float(shares.facts["points"]) < 1


def test_the_control_is_held_against_attempt_and_caller_latency(result):
    control = {one["name"]: one for one in result.as_json()["control"]}
    for what in ("attempt", "caller"):
        assert control[f"p50 {what} latency"]["recorded"] == 1
        assert control[f"p50 {what} latency"]["model"] == pytest.approx(1, abs=0.1)
        assert control[f"p99 {what} latency"]["ok"]


def test_what_the_control_does_not_show_is_named_with_both_figures(result):
    misses = ControlFigure("p99 caller latency", "ms", 2277.0, 30.1, 7.5)
    said = replace(result, latencies=[misses]).control
    missed = Says("arms.figure", name="p99 caller latency", model="2,280", recorded="30.1", unit=" ms")
    assert said == Says("arms.not-shown")
    assert missed in Said(said)
    assert Says("arms.shown-too") in Said(said)
    assert Says("arms.with-care") in Said(said)


def queueing():
    """A log of one slow stretch in which messages wait for their thread: callers see a send, never that wait."""
    client = {"release": "4.9.8", "send_latency_fault_enable": False, "send_msg_timeout": "10s"}
    producers = {"group": "shop", "count": 8, "rate": "20/s", "arrivals": "poisson"}
    scenario = scenario_with(fault("hang", "10s", "4s", "a"), duration="30s", client=client, producers=producers)
    return calibrated_trace(log_of(scenario), client, "sync", "made")


def test_the_wait_for_a_thread_is_in_no_latency_of_a_replay():
    one = queueing()
    found = replayed_arms(one, {}, 1)
    list(run_arms(one, found))
    recorded, model = (found.as_json()["arms"][arm]["measures"] for arm in (RECORDED, MODEL))
    assert model["p99_ms"]["mean"] == pytest.approx(recorded["p99_ms"]["mean"], rel=0.25)
    waited = simulate_plan(one.plan(one.scenario), one.scenario, ("sends",)).column("sends", "latency_us")
    assert np.quantile(waited, 0.99) > 2 * 1000 * model["p99_ms"]["mean"]


def test_what_hangs_on_assumptions_is_weighed_by_arm(result):
    weights = result.as_json()["assumed_percent"]
    assert weights[MODEL]["untried"] < 1
    assert 4 < weights[OTHER]["untried"] < 20  # half of the attempts once its ten seconds are over
    assert any("no producer tried" in sentence for sentence in result.notes)


def test_a_trouble_whose_end_nobody_saw_can_go_on_until_the_end(result):
    (trouble,) = going_on(made_trace())
    assert trouble.until_us == SECONDS * 1_000_000
    failed = {arm: one["measures"]["failed_messages"]["mean"] for arm, one in result.as_json()["arms"].items()}
    assert failed[OTHER + GOING_ON] > failed[OTHER]


def test_a_trouble_ends_when_the_broker_is_tried_again():
    (trouble,) = going_on(made_trace(tried_after_s=14))
    assert 14_000_000 <= trouble.until_us < 14_100_000


def test_other_producers_than_the_recorded_ones_make_their_own_messages():
    changed = made_trace().with_changes({"producers.0.rate": "10/s"})
    plan = made_trace().plan(changed)
    assert plan.cells[0].recorded is None
    assert made_trace().plan(made_trace().scenario).cells[0].recorded is not None


def test_late_answers_come_in_the_order_in_which_they_were_recorded_to_come():
    rows = [(at, 1 + at // 10 % 7, at // 10 % 4, OK) for at in (*range(0, 4_990, 10), *range(9_000, 20_000, 10))]
    rows += [(5_000 + 50 * place, 3_000 - 50 * place, producer, OK) for place in range(60) for producer in (0, 1)]
    one = calibrated_trace(attempts_of(rows), {"release": "4.9.8"}, "async", "made")
    found = simulate_plan(one.plan(one.fitted), one.fitted, ("attempts",)).attempts.sort_by("begin_us")
    late = of_seconds(found, 5, 8).query("producer == 0 and end_us > 8_000_000")
    assert len(late) > 20
    assert late["end_us"].is_monotonic_increasing
    ordinary = of_seconds(found, 0, 5).query("producer == 0")
    assert (ordinary["end_us"] - ordinary["begin_us"]).max() == pytest.approx(7_000, rel=0.01)
