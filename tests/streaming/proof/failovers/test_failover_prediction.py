"""Recorded failovers of replica sets, measured and predicted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from simulator.scenario.faults.fault_kinds import LEADER
from streaming.proof.commands.consumers_command import predict_consumers_command
from streaming.proof.consumers.consumer_recording import load_consumer_recording
from streaming.proof.failovers.failover_prediction import predicted_failover
from streaming.proof.failovers.failover_seen import (
    elected_in_recording,
    led_in_plan,
    led_in_recording,
    longest_gap_s,
    most_at_once,
    seen_in_recording,
)
from streaming.proof.failovers.failover_set_up import scenario_of_failover

TRACES, SCENARIO = Path("conf/traces/failover"), Path("conf/scenarios/live/failover.yaml")


def figures_of(name, release, target="broker-a.1"):
    seen = seen_in_recording(load_consumer_recording(TRACES / name), release, target.partition(".")[0], target)
    return {figure.name: figure.value for figure in seen.figures()}


def test_a_kill_with_lagging_slaves_loses_and_skips_nearly_two_hundred_messages():
    found = figures_of("ctl-lag-r1", "533")
    assert found["acknowledged, lost"] == found["acknowledged, never consumed"] == 197
    assert found["attempts at the set that failed"] == 54
    assert found["a queue of the set is silent for"] == pytest.approx(18.3, abs=0.1)


def test_all_ack_in_sync_state_set_lost_nothing():
    found = figures_of("ctl-allack-lag-r1", "498")
    assert found["acknowledged, lost"] == found["acknowledged, never consumed"] == 0


def test_what_the_controller_and_the_name_server_said_is_measured_from_the_fault():
    found = elected_in_recording(load_consumer_recording(TRACES / "ctl-hang-r1"), "broker-a", 30_002)
    assert [round(figure.value, 2) for figure in found] == [10.57, 11.04]


@pytest.mark.parametrize(
    ("name", "at_ms", "elected_s", "named_s"),
    [("jr-kill-r1", 60_016, 0.23, 0.23), ("jr-both-r1", 30_117, 60.11, 60.4), ("jr-hang-r1", 30_076, 119.38, 120.1)],
)
def test_a_controller_that_leads_and_still_names_the_old_master_has_elected_nobody(name, at_ms, elected_s, named_s):
    found = elected_in_recording(load_consumer_recording(TRACES / name), "broker-a", at_ms)
    assert [round(figure.value, 2) for figure in found] == [elected_s, named_s]


def test_controllers_of_a_recording_are_those_of_the_scenario_and_the_one_that_led_is_killed():
    scenario = scenario_of_failover(load_consumer_recording(TRACES / "jr-both-r1"), SCENARIO, {})
    own = scenario.controllers
    assert (own.count, own.embedded, own.is_jraft) == (3, False, True)
    (killed,) = [period for period in scenario.fault_periods() if period.kind == "controller_down"]
    assert (killed.value, killed.at_us, killed.until_us) == (LEADER, 43_000_000, 146_336_000)
    assert [
        round(one.value, 1) for one in led_in_recording(load_consumer_recording(TRACES / "jr-both-r1"), 30_000)
    ] == [1.4]
    assert 1 < led_in_plan(scenario, killed.at_us)[0].value < 3.2


def test_a_set_that_stores_nothing_more_is_silent_until_the_end():
    assert longest_gap_s(np.array([1_000, 2_000, 3_500]), 9_500) == 6.0


def test_a_producer_that_meets_a_hang_has_more_messages_under_way():
    threads = {
        name: most_at_once(load_consumer_recording(TRACES / name), "p-533") for name in ("ctl-kill-r1", "ctl-hang-r1")
    }
    assert threads["ctl-kill-r1"] < 20 < 60 < threads["ctl-hang-r1"]


def test_the_settings_of_a_recorded_set_are_those_of_the_scenario():
    """57.7 s of refusals while the new master's sync set is too small: no poll of a route decides that."""
    found = predicted_failover(load_consumer_recording(TRACES / "ctl-min2-r1"), SCENARIO, {}, 2)
    assert not any(figure.is_missed for figures in found.values() for figure in figures)
    assert {figure.typical.figure for figure in found["elections"]} == {
        "another master is elected after", "name servers name it after",
    }  # fmt: skip


def test_the_command_gives_every_figure_as_json(capsys):
    code = predict_consumers_command(TRACES / "ctl-min2-r1", SCENARIO, changes=[], runs=1, as_json=True, console=None)
    found = json.loads(capsys.readouterr().out)
    assert code == 0
    assert set(found["groups"]) == {"g533", "g498", "elections"}


def test_without_a_name_server_new_clients_fail_and_those_that_run_do_not():
    path = Path("conf/scenarios/live/name-servers.yaml")
    found = predicted_failover(load_consumer_recording(TRACES / "ns-one-r1"), path, {}, 2)
    seen = {(of, one.typical.figure): one.typical.predicted for of, figures in found.items() for one in figures}
    assert seen["g533", "sends that failed"] == seen["g498", "sends that failed"] == 0
    assert seen["g533", "instances that consume"] == seen["g498", "instances that consume"] == 2
    assert seen["pn-498", "sends of the new topic that failed"] > 100
