"""Who is master of which set when stands on the page under its load, and what only the master has."""

from __future__ import annotations

import numpy as np
import pytest

from streaming.report import write_report
from streaming.report.collected.data import collect
from streaming.report.collected.set_roles import LackStretch, lag_s, only_on_master, set_roles
from streaming.report.figures import figures
from streaming.report.texts.card_texts import CardTexts
from tests.simulator.plan.failover.test_takeovers import KILL, LAG, scenario_of
from tests.streaming.report.pure_output import write_simulated
from tests.streaming.report.test_pictures import payload_of

S = 1_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_simulated(tmp_path_factory.mktemp("failover"), scenario_of(LAG, KILL))


@pytest.fixture(scope="module")
def data(folder):
    return collect(folder)


def test_the_page_has_a_row_a_machine_and_marks_the_election(folder):
    page = write_report(folder).read_text()
    roles = payload_of(page)["figures"]["roles"]
    assert roles["layout"]["yaxis"]["ticktext"] == ["a", "machine 1", "machine 2", "machine 3"]
    named = {trace["name"] for trace in roles["data"]}
    assert named >= {"master", "in sync", "down", "no master", "election"}
    assert "frozen" not in named
    (mark,) = next(trace["text"] for trace in roles["data"] if trace["name"] == "election")
    (election,) = collect(folder).summary.elections
    who = CardTexts.MASTER_MACHINE(machine=election.machine, epoch=election.epoch)
    without_s, reason = election.without_s, "its connection closed"
    assert mark == CardTexts.MASTER_ELECTED(when="0:30", who=who, without_s=without_s, reason=reason)
    assert page.index('id="title-load"') < page.index('id="title-roles"') < page.index('id="title-backlog"')
    assert "Longest without a master: a, 0.1" in page


def test_what_only_the_master_has_is_what_is_lost(data):
    (line,) = figures(data)["uncopied"]["data"]
    assert max(line["y"]) == pytest.approx(data.summary.total.lost, rel=0.15)  # stored copies of a bin that is cut
    assert data.summary.total.lost > 100


def test_a_set_without_a_fault_has_no_lane():
    assert set_roles(scenario_of(), 110 * S) == []
    assert set_roles(scenario_of({**KILL, "broker": "b"}), 110 * S) == []
    assert set_roles(None, 110 * S) == []


def test_lanes_end_where_the_run_is():
    (own,) = set_roles(scenario_of(KILL), 29 * S)
    assert own.without == own.unnamed == own.uncopied == []
    (own,) = set_roles(scenario_of({**KILL, "kind": "restart"}), 33 * S)
    assert own.without == [(30 * S, 33 * S)]


def test_what_is_not_copied_adds_up_and_is_over_with_the_lag():
    stored = np.full(6, 10)
    assert only_on_master(stored, S, [(S, 3 * S)]).tolist() == [0, 10, 20, 0, 0, 0]
    assert only_on_master(stored, S, [(3 * S // 2, 5 * S // 2)]).tolist() == [0, 5, 0, 0, 0, 0]
    assert only_on_master(stored, S, [(4 * S, 9 * S)]).tolist() == [0, 0, 0, 0, 10, 20]


def test_the_lag_of_a_machine_grows_while_it_lags_or_is_away(data):
    lines = {line["name"]: line["y"] for line in figures(data)["replica-lag"]["data"]}
    assert set(lines) >= {"a, machine 1", "a, machine 2", "a, machine 3"}
    assert max(lines["a, machine 1"]) == pytest.approx(65, abs=3)  # killed for 60 s, in sync 5 s after its start
    assert 7 < max(lines["a, machine 2"]) < 60 > max(lines["a, machine 3"]) > 7


def test_a_lag_is_of_its_machine_and_over_where_it_copies():
    lacks = [LackStretch(2, S, 3 * S, S), LackStretch(3, 0, 2 * S, -S)]
    assert lag_s(lacks, 2, S, 4).tolist() == [0, 1, 2, 0]
    assert lag_s(lacks, 3, S, 4).tolist() == [2, 3, 0, 0]
    assert lag_s(lacks, 1, S, 4).tolist() == [0, 0, 0, 0]
