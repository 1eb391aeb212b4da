"""What a broker that stood still lists of connections that clients have closed, recorded and simulated."""

from __future__ import annotations

import functools

import pytest

from simulator.run.simulate import simulate
from streaming.proof.commands.consumers_command import branches
from streaming.proof.consumers.consumer_recording import load_consumer_recording
from streaming.proof.consumers.dead_connections import TABLE, dead_in, dead_in_run, hung_broker
from streaming.proof.consumers.group_figures import figures_of
from streaming.proof.consumers.recorded_set_up import begin_of, group_actions, scenario_of_group
from streaming.proof.consumers.simulated_group import TABLES, seen_in_run
from streaming.proof.predictions.predicted import Branch
from streaming.proof.predictions.prediction import Compared
from tests.house.tree import ROOT
from tests.says import Says

SEEDS = range(1, 13)
SCENARIO = ROOT / "conf/scenarios/live/consumers.yaml"


def load(name):
    return load_consumer_recording(ROOT / "conf/traces/consumers" / name)


@pytest.mark.parametrize(
    ("name", "group", "dead"), [("brokerstop-r1", "g498", 2), ("brokerstop-r1", "g533", 0), ("ordered-r1", "g498", 0)]
)
def test_a_recorded_list_has_so_many_entries_too_many(name, group, dead):
    recording = load(name)
    back = hung_broker(recording, group)
    assert (back.target, dead_in(recording, group, back).value) == ("broker-b", dead)


def test_a_broker_that_was_killed_lists_nobody_twice_and_is_not_asked_about():
    assert hung_broker(load("brokerkill-r1"), "g498") is None


@functools.cache
def found(group):
    """(dead connections that are listed, seconds until all queues of the broker are read again) of each seed."""
    recording = load("brokerstop-r1")
    back, begin_ms = hung_broker(recording, group), begin_of(recording, group)
    runs = []
    for seed in SEEDS:
        scenario, name = scenario_of_group(recording, group, SCENARIO, {"seed": str(seed)})
        run = simulate(scenario, tables=(*TABLES, TABLE))
        figures = figures_of(seen_in_run(run, name, None, begin_ms), group_actions(recording, group))
        (read,) = (one.value for one in figures if one.name == "broker-b sigstop: first message after sigcont, longest")
        runs.append((dead_in_run(run, name, back, begin_ms).value, read))
    return runs


@pytest.mark.parametrize("group", ["g533", "g498"])
def test_runs_differ_in_how_many_dead_connections_are_listed(group):
    counts = {dead for dead, _ in found(group)}
    assert min(counts) == 0
    assert 1 <= max(counts) <= 21


def test_a_group_that_is_listed_by_a_dead_connection_alone_may_pull_at_once():
    """As recorded of g498: two are listed, and broker-b's queues are read 0.5 s after its hang."""
    soon = [read < 1.5 for dead, read in found("g498") if dead]
    assert sum(soon) > len(soon) / 2


def test_the_page_says_which_branch_the_recording_took():
    split = Branch(Compared("dead connections", "", 0.5, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    assert branches(split) == Says("proof.branches", parts="0 in 75 %, 1 in 25 %", recorded="1", count=1)
