"""`sendlab hunt` from its options to its folder: what it writes, how it resumes, what it refuses."""

from __future__ import annotations

import json
import threading
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from simulator.hunt import schedule_outcome
from simulator.hunt.drawn_values import Draws
from simulator.hunt.goal import RUNS
from simulator.hunt.schedule import Schedule
from simulator.hunt.schedule_outcome import HuntOutcome
from simulator.scenario import ScenarioError, load_scenario
from simulator.scenario.texts.proxied_texts import ProxiedTexts
from streaming.errors import EnvironmentProblem, InputError
from streaming.hunt import held_run, pool_engine
from streaming.hunt.hunt_command import HuntOptions, hunt_command
from streaming.hunt.hunt_folder import HuntFolder
from streaming.hunt.hunt_runs import HuntRuns, HuntStopped, Remembered
from streaming.hunt.pool_engine import pool_of
from streaming.invariants.breach import Breach
from streaming.terminal.output_console import OutputConsole as Console
from streaming.texts.hunt_run_texts import HuntRunTexts
from tests.says import Says, raises
from tests.simulator.hunt.hunted import SCENARIO, small_space
from tests.simulator.small import text_of
from tests.streaming.asked import NOBODY

SMALL = text_of(duration="60s", producers={"count": 2})
HUNT = """
name: a hang at any moment
scenario: small.yaml
objectives: ["p999_ms < 1000"]
hunt:
  at_most: 1
  faults: [{broker: each, kind: hang, for: 5s..20s, a_year: 3}]
"""
PATIENT = """
name: patient
scenario: small.yaml
objectives: ["lost == 0"]
hunt: {faults: [{broker: each, kind: hang, for: 1s..2s}]}
"""


@pytest.fixture
def hunt(tmp_path, capsys):
    """Hunts in a folder with small.yaml and hunt.yaml, on one core; exit code and what was printed."""
    (tmp_path / "small.yaml").write_text(SMALL)
    (tmp_path / "hunt.yaml").write_text(HUNT)
    (tmp_path / "patient.yaml").write_text(PATIENT)

    def run(file: str = "hunt.yaml", **more: object) -> tuple[int, str]:
        options = {"schedules": 64, "out": tmp_path / "out", "cores": 1} | more
        code = hunt_command(HuntOptions(tmp_path / file, **options), Console(width=200))
        return code, capsys.readouterr().out

    return run


def test_a_found_case_is_an_ordinary_scenario_with_a_sentence(hunt, tmp_path):
    code, said = hunt()
    (file,) = (tmp_path / "out" / "cases").glob("*.yaml")
    scenario = load_scenario(file)
    assert (code, [fault.kind for fault in scenario.faults]) == (1, ["hang"])
    assert " hangs for " in file.read_text().splitlines()[0]
    assert f"sendlab run {file}" in said


def test_nothing_found_is_exit_code_0(hunt):
    code, said = hunt("patient.yaml")
    assert (code, HuntRunTexts.NONE_MISSES(tried="64 schedules", objectives="lost == 0") in said) == (0, True)


def test_a_time_that_is_over_before_the_first_schedule_still_has_a_generation(hunt):
    code, said = hunt("patient.yaml", schedules=None, duration="1ms")
    assert (code, HuntRunTexts.NONE_MISSES(tried="64 schedules", objectives="lost == 0") in said) == (0, True)


def test_schedules_that_cannot_be_run_pass_nothing(hunt, tmp_path, monkeypatch):
    def refuses(text, wanted, schedule):
        return HuntOutcome(refused="brokers: too many" if schedule.strikes else "")

    monkeypatch.setattr(pool_engine, "run_schedule", refuses)
    with raises(InputError, Says("hunt-run.none-can-run", why="brokers: too many")):
        hunt("patient.yaml", schedules=4, junit=tmp_path / "junit.xml")
    assert Xml.parse(tmp_path / "junit.xml").getroot().get("skipped") == "1"


def test_what_cannot_be_run_is_counted_by_its_reasons(hunt, tmp_path, monkeypatch):
    def refuses(text, wanted, schedule):
        hangs = [one for one in schedule.strikes if one.length_us > 1_300_000]
        return HuntOutcome({"lost": 0.0}, refused=("too long" if hangs else "too short") if schedule.strikes else "")

    monkeypatch.setattr(pool_engine, "run_schedule", lambda *asked: refuses(*asked))
    with raises(InputError, Says("hunt-run.none-can-run")):
        hunt("patient.yaml", schedules=9)
    refused = json.loads((tmp_path / "out" / "result.json").read_text())["refused"]
    page = (tmp_path / "out" / "hunt.html").read_text()
    assert sum(refused.values()) == 9
    assert all(f"{why} ({count})" in page for why, count in refused.items())


def test_what_the_scenario_cannot_have_is_left_out_and_named(hunt, tmp_path, capsys):
    text = text_of(
        duration="60s", client={"release": "5.3.3"}, proxies={"count": 1, "release": "5.3.3"},
        brokers={"a": {"latency": {"constant": "2ms"}, "release": "5.3.3"}},
        consumers={
            "pulling": {"topic": "orders", "service": "5ms"},
            "pushed": {"topic": "orders", "service": "5ms", "grpc": {}},
        },
    )  # fmt: skip
    (tmp_path / "small.yaml").write_text(text)
    cut_off = "{consumer: each, broker: all, kind: partition, for: 1s..2s}"
    (tmp_path / "patient.yaml").write_text(PATIENT.replace("{broker: each, kind: hang, for: 1s..2s}", cut_off))
    code, said = hunt("patient.yaml", schedules=2)
    sentence = HuntRunTexts.LEFT_OUT(
        what=HuntRunTexts.LEFT_OUT_KIND(kind="partition", places="consumer: pushed-1"),
        why=ProxiedTexts.AT_BROKERS(name="pushed"),
    )
    assert (code, sentence in said, sentence in (tmp_path / "out" / "hunt.html").read_text()) == (0, True, True)


def test_result_page_and_junit_say_the_same(hunt, tmp_path):
    hunt(junit=tmp_path / "junit.xml")
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    (case,) = result["cases"]
    suite = Xml.parse(tmp_path / "junit.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    assert suite.find("testcase/failure").get("message") == case["sentence"]
    page = (tmp_path / "out" / "hunt.html").read_text()
    assert case["sentence"] in page
    assert "<svg" in page


def test_the_same_command_again_runs_nothing_and_says_the_same(hunt, tmp_path):
    hunt()
    first = json.loads((tmp_path / "out" / "result.json").read_text())
    outcomes = (tmp_path / "out" / "outcomes.jsonl").read_text()
    hunt()
    again = json.loads((tmp_path / "out" / "result.json").read_text())
    assert again["runs"] == 0
    assert again["cases"] == first["cases"]
    assert (tmp_path / "out" / "outcomes.jsonl").read_text() == outcomes


def test_more_schedules_go_on_from_those_that_are_there(hunt, tmp_path):
    hunt("patient.yaml", schedules=20)
    hunt("patient.yaml", schedules=30)
    assert json.loads((tmp_path / "out" / "result.json").read_text())["runs"] <= 10


def test_another_hunt_does_not_go_into_the_folder(hunt):
    hunt("patient.yaml", schedules=4)
    with raises(InputError, Says("hunt-run.another-hunt", different="seed")):
        hunt("patient.yaml", schedules=4, seed=2)
    assert hunt("patient.yaml", schedules=4, seed=2, fresh=True)[0] == 0


def test_a_kill_while_the_first_description_was_written_does_not_keep_a_hunt_from_beginning(tmp_path):
    left = tmp_path / f".hunt.json.{NOBODY}"
    left.touch()
    with HuntFolder(tmp_path).claimed({"seed": "7"}, fresh=False):
        assert ((tmp_path / "hunt.json").exists(), left.exists()) == (True, False)


def test_a_corpus_keeps_what_was_found_and_is_tried_first(hunt, tmp_path):
    corpus = tmp_path / "corpus"
    hunt(corpus=corpus)
    assert len(list(corpus.glob("*.json"))) == 1
    code, said = hunt("hunt.yaml", corpus=corpus, out=tmp_path / "again", schedules=1, seed=5)
    assert (code, HuntRunTexts.AGAIN_FROM_THE_CORPUS(case="") in said) == (1, True)
    code, said = hunt("hunt.yaml", corpus=corpus, out=tmp_path / "fixed", schedules=1, objectives=["lost == 0"])
    assert (code, HuntRunTexts.CORPUS_HELD(held=1, schedules=1) in said) == (0, True)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"objectives": ["losst == 0"]}, "--objective losst == 0: no measure named losst"),
        ({"objectives": ["skipped[g] == 0"]}, "--objective skipped[g] == 0"),
        ({"duration": "soon"}, "--for soon: expected a duration"),
        ({"engine": "fast"}, Says("command.choice-expected", "--engine fast", known="spark or plain")),
        ({"engine": "spark"}, Says("hunt-run.cores-of-plain", "--cores 1")),
        ({"strategy": "clever"}, Says("command.choice-expected", "--strategy clever", known="guided or random")),
        ({"rates": Path("none.yaml")}, "none.yaml: no such file"),
        ({"changes": ["client.relase=5.3.3"]}, "relase"),
    ],
)
def test_a_wrong_option_is_one_sentence(hunt, more, sentence):
    with raises((InputError, ScenarioError), sentence):
        hunt(**more)


@pytest.mark.parametrize(
    ("written", "wrong", "sentence"),
    [
        ("kind: hang", "kind: hnag", "hunt.yaml:7: hunt.faults[0].kind: "),
        ("broker: each", "broker: z", "hunt.yaml:7: hunt.faults[0]: no broker named z"),
        ("at_most: 1", "at_mots: 1", Says("reading.unknown-meant", "...hunt.yaml:6: hunt.at_mots", near="at_most")),
        ("p999_ms", "p99_s", "hunt.yaml:4: objectives[0]: "),
        ("small.yaml", "smal.yaml", "hunt.yaml:3: scenario: "),
        ("at_most: 1", "at: 2m..3m", Says("hunt.end-below-duration", "...hunt.yaml:6: hunt.at", duration="1m")),
        ("at_most: 1", "settings: {client.relase: [4.9.8]}", "hunt.yaml:6: hunt.settings.client.relase: "),
    ],
)
def test_a_wrong_hunt_is_one_sentence_with_its_line(hunt, tmp_path, written, wrong, sentence):
    (tmp_path / "hunt.yaml").write_text(HUNT.replace(written, wrong))
    with raises(ScenarioError, sentence):
        hunt()


def test_an_error_of_the_simulator_is_a_case_that_is_kept(hunt, tmp_path, monkeypatch):
    def fails_in_a_hang(scenario, wanted):
        if scenario.faults:
            raise IndexError("no such place")
        return HuntOutcome({"lost": 0.0})

    monkeypatch.setattr(schedule_outcome, "outcome_of", fails_in_a_hang)
    code, said = hunt("patient.yaml", schedules=4, junit=tmp_path / "junit.xml")
    assert (code, "IndexError: no such place" in said) == (1, True)
    assert load_scenario(tmp_path / "out" / "cases" / "01-simulator-failed-hang.yaml").faults[0].kind == "hang"
    assert Xml.parse(tmp_path / "junit.xml").getroot().get("failures") == "1"


def test_what_no_schedule_measured_is_not_known_to_hold(hunt, tmp_path, monkeypatch):
    monkeypatch.setattr(schedule_outcome, "outcome_of", lambda scenario, wanted: HuntOutcome({}))
    code, said = hunt("patient.yaml", schedules=4, junit=tmp_path / "junit.xml")
    sentence = HuntRunTexts.NEVER_MEASURED(measure="lost", objective="lost == 0")
    assert (code, sentence in said, "none misses" in said) == (4, True, False)
    assert Xml.parse(tmp_path / "junit.xml").getroot().get("errors") == "1"


def test_schedules_that_did_not_measure_an_objective_are_counted(hunt, tmp_path, monkeypatch):
    found = iter([{"lost": 0.0}, {"lost": 0.0}, {}, {}, {"lost": 0.0}])
    monkeypatch.setattr(schedule_outcome, "outcome_of", lambda scenario, wanted: HuntOutcome(next(found)))
    code, said = hunt("patient.yaml", schedules=4)
    asked = {"unmeasured": 2, "tried": "4 schedules", "measure": "lost", "objective": "lost == 0"}
    assert (code, HuntRunTexts.NOT_MEASURED_IN(**asked) in said) == (0, True)
    assert json.loads((tmp_path / "out" / "result.json").read_text())["unmeasured"] == {"lost == 0": 2}


def test_a_run_whose_rows_break_a_rule_is_an_error_of_the_simulator(monkeypatch):
    breach = Breach("lag < 0", "stored", 3, {"lag": -1})
    monkeypatch.setattr(held_run, "broken_in", lambda scenario: [breach] if scenario.faults else [])
    text, struck = SCENARIO.to_yaml(), small_space().random(Draws(1, 0))
    held, broken = (held_run.run_schedule(text, ["lost"], one, checked=True) for one in (Schedule(), struck))
    assert (held.failure, held.values["lost"]) == ("", 0.0)
    assert broken.missed([RUNS]) == [RUNS]
    assert str(breach) in broken.failure


def test_rows_are_looked_at_only_where_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(held_run, "broken_in", lambda scenario: [Breach("lag < 0", "stored", 3, {})])
    assert held_run.run_schedule(SCENARIO.to_yaml(), ["lost"], Schedule(), checked=False).failure == ""


def test_a_line_that_a_kill_cut_short_is_left_out(tmp_path):
    (tmp_path / "outcomes.jsonl").write_text('{"schedule": "a", "values": {}, "marks": [], "mess')
    memory = Remembered(tmp_path / "outcomes.jsonl")
    assert memory.read() == 0


def test_once_stopped_nothing_more_is_run(tmp_path):
    stop = threading.Event()
    stop.set()
    with pool_of(1) as pool:
        runs = HuntRuns(SCENARIO.to_yaml(), ["lost"], Remembered(), stop, pool)
        with pytest.raises(HuntStopped):
            runs([small_space().random(Draws(1, 0))])


class EndedProcesses:
    """A pool of which a process has ended before its run did."""

    def submit(self, *asked):
        raise BrokenProcessPool


@pytest.mark.parametrize("wanted", [(["lost"],), ()], ids=["outcomes", "causes"])
def test_a_process_that_ends_by_itself_is_a_sentence(wanted):
    engine = pool_engine.PoolEngine(EndedProcesses())
    asked = engine.outcomes if wanted else engine.causes
    with raises(EnvironmentProblem, Says("hunt-run.process-ended")):
        list(asked(SCENARIO.to_yaml(), *wanted, [Schedule()], threading.Event()))


def test_a_schedule_that_cannot_be_is_an_outcome(tmp_path):
    with pool_of(1) as pool:
        runs = HuntRuns(SCENARIO.to_yaml(), ["lost"], Remembered(), threading.Event(), pool)
        (outcome,) = runs([Schedule((), (), ("a", "b", "c"))])
    assert outcome.refused
    assert outcome.values == {}
