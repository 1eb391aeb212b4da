"""What a report says where causes are not tested: how many runs that takes, and the budget that is enough."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from simulator.scenario import parse_scenario
from streaming.outputs.dataset import open_output
from streaming.report.causes.cause_lines import ReportCauses, report_causes
from streaming.report.causes.cause_text import print_causes
from streaming.report.causes.not_tested import not_tested_of
from streaming.report.causes.proof_budget import budget_for, runs_within
from streaming.report.causes.proving import known_answer, prove_output
from streaming.report.collected.data import collect
from tests.says import Says
from tests.streaming.report.pure_output import write_simulated

TEXT = """
name: refusals
duration: 40s
client: {release: 4.9.8}
producers: {group: shop, count: 4, threads: 2, rate: 10/s, arrivals: steady}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}}, broker-b: {like: broker-a}}
faults:
  - {at: 10s, for: 5s, broker: broker-a, kind: refuse}"""
ONE = parse_scenario(TEXT)
TWO = parse_scenario(f"{TEXT}\n  - {{at: 12s, for: 5s, broker: broker-b, kind: refuse}}")
RUN_S = 2_000 / 1e6  # of work: 40 messages a second, and ten for each window


def untested(folder):
    """What is said of the folder."""
    return report_causes(collect(folder)).not_tested


def noted(folder, **more):
    """The folder, with more in its run.json."""
    file = folder / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | more))
    return folder


@pytest.fixture
def folder(tmp_path):
    return write_simulated(tmp_path, ONE)


def test_what_the_budget_did_not_reach_is_tested_by_the_command_that_is_named(folder):
    prove_output(folder, 0.5 * RUN_S)
    found = untested(folder)
    command = Says("consequence.tested-by", out=str(folder), budget="1s")
    assert found.text == Says("consequence.test-needs", runs=1)
    assert command.is_printed_in(found.text)
    prove_output(folder, float(found.budget.removesuffix("s")))
    assert untested(folder) is None


def test_runs_without_two_suspects_at_once_can_come_on_top(tmp_path):
    folder = write_simulated(tmp_path, TWO)
    assert untested(folder).text == Says("consequence.test-needs-up-to", least=2, most=3)


def test_without_their_tables_the_run_itself_is_made_too(folder):
    noted(folder, tables=["windows"])
    assert known_answer(open_output(folder)) is None
    text = not_tested_of(open_output(folder), None).text
    assert text == Says("consequence.test-needs-tables", suspects=1)
    prove_output(folder, 1.5 * RUN_S)
    assert untested(folder).text == Says("consequence.test-needs", runs=2)


@pytest.mark.parametrize(
    ("more", "id"),
    [
        ({"finished": False, "clock_us": 30_000_000}, "unfinished"), ({"forever": True}, "endless"),
        ({"reloads": [{"at_us": 1, "changes": []}]}, "reloaded"), ({"digest": "another"}, "other-events"),
    ],
)  # fmt: skip
def test_no_command_is_named_where_no_proof_is_possible(folder, more, id):
    found = untested(noted(folder, **more))
    assert (found.text, found.budget) == (Says(f"consequence.not-proven-{id}"), "")


def test_a_result_is_written_before_it_can_be_tested(folder):
    text = untested(noted(folder, is_temporary=True)).text
    assert Says("consequence.tested-once-written", budget="1s").is_printed_in(text)


@pytest.mark.parametrize("runs", [1, 3, 499, 500, 501, 7_000])
def test_a_budget_for_so_many_runs_is_enough_and_not_a_second_more(runs):
    seconds = budget_for(ONE, runs)
    assert runs_within(ONE, seconds) >= runs > runs_within(ONE, seconds - 1)


def test_the_terminal_says_it_below_the_causes(folder):
    causes, console = report_causes(collect(folder)), Console(file=io.StringIO(), width=300)
    print_causes(causes, console)
    assert console.file.getvalue().splitlines()[-1] == causes.not_tested.text
    print_causes(ReportCauses(causes.lines, None), console)
    assert console.file.getvalue().count(causes.not_tested.text) == 1
