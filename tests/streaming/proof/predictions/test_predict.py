"""`sendlab verify predictions`: simulated set-ups show what real producers met, and wrong ones are distinguished."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from streaming.proof.predictions.predict_scenario import recorded_faults, scenario_for, troubles_in
from streaming.proof.predictions.prediction import Compared, Seen, Trouble, compared
from streaming.recording.recording import load_recording
from tests.says import Says
from tests.streaming.asked import ask

ROOT = Path(__file__).resolve().parents[4]
TRACES, SCENARIOS = ROOT / "conf" / "traces", ROOT / "conf" / "scenarios" / "live"


def predicted(monkeypatch, capsys, trace, scenario, *options, runs=4):
    """Exit code and the JSON of a prediction, figures by name."""
    asked = (TRACES / f"live-{trace}", SCENARIOS / f"{scenario}.yaml", "--runs", runs, "--json", *options)
    code, said = ask(monkeypatch, capsys, "verify", "predictions", *asked)
    document = json.loads(said)
    return code, document, {figure["figure"]: figure for figure in document["figures"]}


@pytest.mark.parametrize(
    ("trace", "scenario", "runs"),
    [
        ("4.9.8-s6", "cluster", 4),
        ("5.3.3-s4", "s3", 4),
        ("5.3.3-s6mp", "s6", 4),
        ("5.3.3-s8", "s8", 4),
        ("5.3.3-s10", "s10", 20),  # back at once, or after a penalty of 2 s: one run in ten is as late as the recording
        ("5.3.3-s3a", "s3a", 4),
        ("5.3.3-s5", "cluster", 4),
        ("4.9.8-s9", "s9", 4),
    ],
)
def test_a_recording_is_predicted_within_its_tolerances(monkeypatch, capsys, trace, scenario, runs):
    code, document, figures = predicted(monkeypatch, capsys, trace, scenario, runs=runs)
    assert [name for name, figure in figures.items() if figure["verdict"] in ("missed", "by chance: outside")] == []
    assert (code, document["ok"], document["recording"]) == (0, True, f"live-{trace}")


def test_a_figure_that_chance_decides_is_compared_with_the_distribution_of_the_runs(monkeypatch, capsys):
    code, _, figures = predicted(monkeypatch, capsys, "4.9.8-s7", "s7", runs=20)
    failed, first = figures["failed messages"], figures["first avoidance of broker-b"]
    assert (code, failed["verdict"], first["verdict"]) == (0, "by chance: inside", "within tolerance")
    assert failed["least"] == failed["central_low"] <= failed["quantiles"]["25"] < failed["quantiles"]["75"]
    assert failed["central_low"] < failed["recorded"] < failed["central_high"] == failed["greatest"]
    assert 0 < failed["up_to_recorded"] < 1


def test_which_of_two_healthy_brokers_gets_more_is_left_to_chance():
    def seen(*shares: int) -> Seen:
        attempts, none = np.repeat(["a", "b", "c"], shares), np.zeros(0)
        return Seen(attempts, np.zeros(100), np.ones(100, bool), np.ones(0, bool), none, none)

    trouble = [Trouble("b", 0, 1)]
    figures = {f.figure: f for f in compared(seen(60, 10, 30), seen(29, 11, 60), ["a", "b", "c"], trouble, 0)}
    shares = {name: (f.predicted, f.recorded) for name, f in figures.items() if name.startswith("share")}
    assert shares == {
        "share of attempts, b": (10.0, 11.0),
        "share of attempts, healthy 1 of 2": (30.0, 29.0),
        "share of attempts, healthy 2 of 2": (60.0, 60.0),
    }


@pytest.mark.parametrize(
    ("change", "missed"),
    [
        ("client.release=5.3.3", "share of attempts, broker-b"),
        ("client.send_latency_fault_enable=false", "share of attempts, healthy 2 of 2"),
        ("faults=[]", "share of attempts, broker-b"),
        ("faults.25.broker=broker-a", "first avoidance of broker-a"),
    ],
)
def test_another_client_or_fault_is_distinguished(monkeypatch, capsys, change, missed):
    code, _, figures = predicted(monkeypatch, capsys, "4.9.8-s6", "s6", "--set", change)
    assert (code, figures[missed]["ok"]) == (1, False)


def test_the_recordings_client_and_faults_go_into_a_scenario_that_has_none():
    recording = load_recording(str(TRACES / "live-5.3.3-s6mp"))
    scenario = scenario_for(recording, SCENARIOS / "cluster.yaml", {"seed": "9"})
    client = scenario.client
    assert (client.release, client.send_msg_max_timeout_per_request_ms, scenario.seed) == ("5.3.3", 1000, 9)
    assert (len(scenario.faults), scenario.producers[0].rate_per_s * 8) == (26, 260)
    assert [(t.broker, t.began_us) for t in troubles_in(scenario)] == [("broker-b", 5_000_400)]


def test_a_killed_broker_is_mute_for_50_ms_and_then_away_until_its_next_process_listens():
    (killed,) = recorded_faults(load_recording(str(TRACES / "live-4.9.8-s5")))
    when = {"at": "20000600us", "for": "43593700us", "dying": "50ms"}
    assert killed == {"broker": "broker-c", "kind": "kill"} | when


@pytest.mark.parametrize(
    ("predicted_s", "recorded_s", "met"),
    [(3.0, 5.0, True), (3.0, 5.1, False), (float("inf"), float("inf"), True), (float("inf"), 5.0, False)],
)
def test_a_time_that_never_comes_equals_only_itself(predicted_s, recorded_s, met):
    assert Compared("return", "s", predicted_s, recorded_s, 2.0).is_met == met


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("no.yaml",), "no.yaml: no such file"),
        ((), Says("command.scenario-missing")),
        ((SCENARIOS / "s3.yaml", "--set", "seed"), "--set seed: expected KEY=VALUE"),
        (
            (ROOT / "conf/scenarios/quickstart.yaml",),
            Says("proof.producers-differ", count=50, topics="orders", recording="live-4.9.8-s3", recorded=8),
        ),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(monkeypatch, capsys, options, sentence):
    code, said = ask(monkeypatch, capsys, "verify", "predictions", TRACES / "live-4.9.8-s3", *options)
    assert code == 2
    assert sentence in said
