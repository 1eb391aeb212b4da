"""What is proven of an output, how long it may take, and what is kept beside it."""

from __future__ import annotations

import io
import itertools
import json
import time

import pytest
from rich.console import Console

from simulator.causes.proof import BASE, Proof, prove
from simulator.causes.run_figures import figures_of
from simulator.scenario import parse_scenario
from streaming.errors import InputError
from streaming.outputs.dataset import open_output
from streaming.report.causes import proving
from streaming.report.causes.cause_answer import answer_of, read_answer, write_answer
from streaming.report.causes.causes_option import budget_asked
from streaming.report.causes.output_figures import figures_of_output
from streaming.report.causes.proof_budget import ProofBudget, runs_within
from streaming.report.causes.proving import known_answer, prove_output, prove_within, run_without
from streaming.report.texts.consequence_texts import ConsequenceTexts
from tests.says import Says, raises
from tests.streaming.report.pure_output import write_simulated

TWO = """
name: two refusals
duration: 40s
client: {release: 4.9.8}
producers: {group: shop, count: 4, threads: 2, rate: 10/s, arrivals: steady}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}}, broker-b: {like: broker-a}}
faults:
  - {at: 10s, for: 5s, broker: broker-a, kind: refuse}
  - {at: 25s, for: 5s, broker: broker-b, kind: refuse}"""
SCENARIO = parse_scenario(TWO)
FAULT = "  - {{at: {at}s, for: 2s, broker: broker-b, kind: refuse}}"
FOUR = parse_scenario("\n".join([TWO, *(FAULT.format(at=at) for at in (32, 36))]))
EVENTS = 2_000  # of a run: 40 messages a second, and ten for each of its windows


@pytest.fixture
def folder(tmp_path):
    return write_simulated(tmp_path, SCENARIO)


def test_the_figures_of_an_output_are_those_of_its_run(folder):
    read, run = figures_of_output(open_output(folder), SCENARIO), figures_of(SCENARIO)
    assert read.series.keys() == run.series.keys()
    assert all(
        (read.of(kind, place) == values).all() for kind in run.series for place, values in run.places(kind).items()
    )


def test_nothing_is_kept_without_a_budget_and_causes_are_untested(folder):
    prove_output(folder, 0.0)
    answer = known_answer(open_output(folder))
    assert not (folder / "causes.json").exists()
    assert {one.because for one in answer.consequences} == {("F1",), ("F2",)}
    assert not any(one.proven for one in answer.consequences)


def test_what_was_proven_is_kept_and_read_back(folder):
    prove_output(folder, 600.0)
    answer = read_answer(open_output(folder))
    assert (answer.is_complete, answer.runs) == (True, 2)
    assert {one.because: one.without for one in answer.consequences if one.kind == "retries"} == {
        ("F1",): {"F1": 0.0, "F2": 55.0}, ("F2",): {"F1": 53.0, "F2": 0.0},
    }  # fmt: skip
    assert all(one.proven for one in answer.consequences)


@pytest.mark.parametrize("key", ["digest", "model", "sendlab", "clock_us", "format"])
def test_an_answer_of_another_run_or_version_is_not_believed(folder, key):
    prove_output(folder, 600.0)
    file = folder / "causes.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {key: "another"}))
    assert read_answer(open_output(folder)) is None


def test_a_run_that_is_not_finished_is_not_proven(folder):
    about = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(about | {"finished": False, "clock_us": 20_000_000}))
    prove_output(folder, 600.0)
    assert not (folder / "causes.json").exists()


@pytest.mark.parametrize(("runs", "proven"), [(1, set()), (2, {("F1",)}), (3, {("F1",), ("F2",)})])
def test_what_the_budget_did_not_reach_is_untested(runs, proven):
    answer = prove(SCENARIO, runs=runs).answer()
    assert {one.because for one in answer if one.proven} == proven
    assert {one.because for one in answer} == {("F1",), ("F2",)}


@pytest.mark.parametrize("processes", [1, 2])
def test_a_budget_is_so_many_runs_whoever_does_them(monkeypatch, processes):
    monkeypatch.setattr(proving, "WORTH_PROCESSES_S", 0.0 if processes > 1 else 60.0)
    proof = Proof(FOUR)
    proof.take(BASE, figures_of(FOUR))
    prove_within(proof, FOUR.to_yaml(), ProofBudget(3, None), processes)
    assert set(proof.sizes) == {("F1",), ("F2",), ("F3",)}


def test_what_is_proven_does_not_depend_on_wall_time(folder, monkeypatch):
    budget = 2.2 * EVENTS / 1e6  # of the two runs that are wanted
    clock = itertools.count(step=1000.0)  # every look at the clock is a quarter of an hour later
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    prove_output(folder, budget)
    assert read_answer(open_output(folder)).runs == 2


def test_a_budget_for_one_run_proves_one_and_leaves_the_rest_untested(folder):
    prove_output(folder, 1.5 * EVENTS / 1e6)
    answer = read_answer(open_output(folder))
    assert (answer.runs, answer.is_complete) == (1, False)
    assert {one.because: one.proven for one in answer.consequences} == {("F1",): True, ("F2",): False}


def test_runs_are_counted_by_messages_sent_and_consumed():
    both = parse_scenario(f"{TWO}\nconsumers: {{billing: {{topic: orders, service: {{constant: 1ms}}}}}}")
    assert (runs_within(SCENARIO, 0.1), runs_within(both, 0.1)) == (50, 27)
    assert runs_within(SCENARIO, 0.0019) == 0


def test_long_proofs_show_how_far_they_are():
    wall_s, console = itertools.count(step=20.0), Console(file=io.StringIO(), width=200)
    budget = ProofBudget(3, console, lambda: next(wall_s))
    for done in range(3):
        budget.tell(done, 3)
    lines = console.file.getvalue().splitlines()
    assert lines[0] == ConsequenceTexts.PROVES_SINCE(text=ConsequenceTexts.PROVES_RUNS(done=0, runs=3))
    assert lines[1:] == [ConsequenceTexts.PROVES_RUNS(done=done, runs=3) for done in (1, 2)]


def test_a_process_gives_the_figures_of_this_one():
    here = figures_of(Proof(SCENARIO).scenario_of(("F1",)))
    apart = run_without(SCENARIO.to_yaml(), ("F1",))
    assert (here.of("retries", "shop") == apart.of("retries", "shop")).all()
    assert here.of("retries", "shop").sum() == 53


def test_a_budget_is_a_duration():
    assert (budget_asked("10s"), budget_asked("0"), budget_asked("2m")) == (10.0, 0.0, 120.0)
    for wrong in ("soon", "-5s"):
        with raises(InputError, Says("consequence.time-expected", f"--causes {wrong}")):
            budget_asked(wrong)


def test_an_output_without_the_tables_that_figures_need_is_run_once_more(folder):
    about = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(about | {"tables": ["windows"]}))
    assert known_answer(open_output(folder)) is None
    prove_output(folder, 600.0)
    assert {one.because for one in known_answer(open_output(folder)).consequences} == {("F1",), ("F2",)}


def test_ctrl_c_keeps_what_was_proven_and_leaves_the_rest_untested(folder, monkeypatch):
    def interrupted(proof, text, budget):
        proof.take(("F1",), figures_of(proof.scenario_of(("F1",))))
        raise KeyboardInterrupt

    monkeypatch.setattr(proving, "prove_within", interrupted)
    prove_output(folder, 600.0)
    answer = read_answer(open_output(folder))
    assert not answer.is_complete
    assert {one.because: one.proven for one in answer.consequences} == {("F1",): True, ("F2",): False}


def test_an_answer_that_is_not_complete_is_proven_again_with_more_time(folder):
    write_answer(open_output(folder), answer_of(prove(SCENARIO, runs=2), 1.0))
    prove_output(folder, 1.0)
    assert not read_answer(open_output(folder)).is_complete
    prove_output(folder, 600.0)
    assert read_answer(open_output(folder)).is_complete


def test_nothing_is_begun_that_the_budget_is_not_enough_for(folder):
    prove_output(folder, 0.9 * EVENTS / 1e6)
    assert not (folder / "causes.json").exists()
