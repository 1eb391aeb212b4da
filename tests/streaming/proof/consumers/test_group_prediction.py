"""Recorded groups against simulated runs: what is derived, what is compared, and what is refused."""

import json
import math

import pytest
from rich.console import Console

from simulator.run.simulate import simulate
from streaming.errors import InputError
from streaming.proof.commands.consumers_command import predict_consumers_command
from streaming.proof.consumers.consumer_recording import load_consumer_recording
from streaming.proof.consumers.group_figures import GroupFigure, figures_of
from streaming.proof.consumers.group_prediction import compared, missing, predicted_figures
from streaming.proof.consumers.recorded_set_up import begin_of, group_actions, scenario_of_group
from streaming.proof.consumers.simulated_group import TABLES, seen_in_run
from tests.says import Says, raises

SCENARIO = "conf/scenarios/live/consumers.yaml"


@pytest.fixture
def recorded(root):
    def load(name):
        return load_consumer_recording(root / "conf/traces/consumers" / name)

    return load


@pytest.fixture
def derived(root, recorded):
    """The scenario that a recording's group is predicted with."""

    def derive(name, group, **changes):
        return scenario_of_group(recorded(name), group, root / SCENARIO, changes)[0]

    return derive


def test_the_recording_says_release_instances_service_rate_length_and_faults(derived, recorded):
    found = derived("brokerkill-r1", "g498")
    group = found.consumers["billing"]
    assert (group.release, group.count, group.threads) == ("4.9.8", 3, 4)
    begin_ms = begin_of(recorded("brokerkill-r1"), "g498")
    assert found.duration_us == (recorded("brokerkill-r1").end_ms - begin_ms) * 1000
    (killed,) = [one for one in found.fault_periods() if one.kind == "kill"]
    at_s, until_s = 30.015 - begin_ms / 1000, 82.607 - begin_ms / 1000
    assert (killed.broker, killed.at_us / 1e6, killed.until_us / 1e6) == ("broker-b", at_s, until_s)


def test_instances_join_when_theirs_started_and_end_when_theirs_were_killed(derived, recorded):
    begin_s = begin_of(recorded("backlog-kill533-r2"), "g533") / 1000
    found = derived("backlog-kill533-r2", "g533")
    struck = {(one.details["consumer"], one.kind): one.at_us / 1e6 + begin_s for one in found.fault_periods()}
    assert struck["billing-1", "scale_out"] == begin_s + 1
    assert struck["billing-2", "scale_out"] == pytest.approx(60, abs=0.1)
    assert struck["billing-2", "kill"] == pytest.approx(90.001)


def test_who_never_started_is_no_instance(derived):
    assert derived("backlog-plain-r1", "g533").consumers["billing"].count == 1
    assert derived("backlog-plain-r1", "g498").consumers["billing"].count == 3


def test_rates_are_those_of_all_producers_of_the_topic_at_the_time(derived, recorded):
    begin_ms = begin_of(recorded("where-r1"), "gL498")
    changes = dict(derived("where-r1", "gL498").producers[0].rate_changes)
    assert begin_ms == 0
    assert [round(at_us / 1e6) for at_us in changes] == [40, 45, 105]


def test_a_message_that_blocks_its_thread_is_stuck_when_it_is_sent(derived):
    (stuck,) = [one for one in derived("flow-r1", "g498").fault_periods() if one.kind == "stuck"]
    assert stuck.until_us - stuck.at_us == 40_000_000
    assert [topic.queues for topic in derived("flow-r1", "g498").topics.values()] == [1]


def test_a_master_whose_slave_goes_on_keeps_its_place_in_routes(derived):
    kinds = {one.kind for one in derived("slave-r1", "g533").fault_periods()}
    assert kinds == {"scale_out", "master_lost"}


def test_a_service_time_is_what_listeners_took(recorded):
    assert recorded("backlog-kill533-r2").service_ms("g533") == pytest.approx(52.2, abs=0.1)


def test_a_run_is_measured_as_a_recording(derived, recorded):
    recording = recorded("brokerstop-r1")
    run = simulate(derived("brokerstop-r1", "g533"), tables=TABLES)
    seen = seen_in_run(run, "billing", {}, begin_of(recording, "g533"))
    found = {one.name: one.value for one in figures_of(seen, group_actions(recording, "g533"))}
    assert 30 < found["broker-b sigstop: silence of its queues, median"] < 32
    assert len(seen.queues) == 8
    assert found["not consumed by the end"] == 0
    assert seen.lag[1].min() >= 0


@pytest.mark.parametrize(
    ("name", "of", "recorded", "predicted", "is_met"),
    [
        ("drained at", "s", 60.0, 61.8, True),
        ("drained at", "s", 60.0, 61.9, False),
        ("stored until consumed, p99", "s", 60.0, 69.0, True),
        ("queues without an owner, sum", "s", 6.0, 8.7, True),
        ("silence, median", "s", 60.0, 63.0, True),
        ("lag, maximum", "messages", 50, 70, True),
        ("lag, maximum", "messages", 500, 601, False),
        ("silence, median", "s", math.inf, 60.0, False),
    ],
)
def test_a_figure_is_met_within_what_repeats_differ_by(name, of, recorded, predicted, is_met):
    assert compared(GroupFigure(name, predicted, of), GroupFigure(name, recorded, of)).is_met is is_met


def test_what_a_run_does_not_have_did_not_happen():
    assert missing(GroupFigure("takeover", 3.0, "s")).value == math.inf
    assert missing(GroupFigure("twice", 3, "messages")).value == 0


def test_orderly_instances_join_when_their_start_began_which_starts_the_clock_of_their_locks(derived):
    scenario = derived("ordered-r1", "g533")
    assert [group.mode.in_order for group in scenario.consumers.values()] == [True]
    joins = sorted(period.at_us for period in scenario.fault_periods() if period.kind == "scale_out")
    assert joins == [1_000_000, 1_023_000, 1_986_000]


def test_a_topic_that_nobody_sends_to_is_refused(root, recorded):
    recording = recorded("brokerkill-r1")
    del recording.about["clients"]["p-533"]
    with raises(InputError, Says("proof.nobody-sends", group="g533", topic="T533")):
        scenario_of_group(recording, "g533", root / SCENARIO, {})


def test_other_brokers_than_the_recording_s_are_refused(root, recorded, tmp_path):
    path = tmp_path / "other.yaml"
    path.write_text((root / SCENARIO).read_text().replace("broker-b", "broker-c"))
    with pytest.raises(InputError, match=r"the brokers differ.*broker-b, broker-c"):
        scenario_of_group(recorded("brokerkill-r1"), "g533", path, {})


def test_a_miss_is_exit_1_and_in_the_json(root, capsys):
    trace = root / "conf/traces/consumers/brokerstop-r1"
    code = predict_consumers_command(
        trace, root / SCENARIO, changes=(), runs=2, as_json=True, console=Console(width=160)
    )
    document = json.loads(capsys.readouterr().out)
    verdicts = {row["figure"]: row["verdict"] for row in document["groups"]["g498"]}
    assert (code, document["ok"]) == (1, False)
    assert verdicts["broker-b sigstop: silence of its queues, median"] == "within tolerance"


def test_of_failing_messages_it_says_the_share_the_tries_and_the_delay_levels(derived):
    found = derived("retry-r1", "g533")
    group = found.consumers["billing"]
    assert (group.fails, group.fails_always, group.max_reconsume_times) == (300_000, 50_000, 3)  # per million


@pytest.mark.parametrize("group", ["g533", "g498"])
def test_retries_come_as_late_as_recorded(recorded, root, group):
    found = predicted_figures(recorded("retry-r1"), group, root / SCENARIO, {}, 10)
    retries = [one for one in found if one.typical.figure.startswith(("retry", "dead"))]
    assert len(retries) == 10
    late = {"retry 1: after, p99"} if group == "g533" else set()  # it owned its retry queues late
    assert {one.typical.figure for one in retries if one.is_missed} == late
