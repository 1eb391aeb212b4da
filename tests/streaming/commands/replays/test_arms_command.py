"""`sendlab replay TRACE --arm` and `sendlab verify pairs`: what is written, and bad input in one sentence."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from simulator.counterfactual.arms_texts import ArmsTexts
from streaming.commands.replays import arms_summary
from streaming.jobs.folders.folder_lock import holder_of
from streaming.proof.texts.proof_texts import ProofTexts
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts
from tests.says import Says, prints
from tests.streaming.asked import ask
from tests.streaming.recordings import TRACES

S3 = TRACES / "live-4.9.8-s3"


@pytest.fixture
def sendlab(monkeypatch, capsys):
    return lambda *arguments: ask(monkeypatch, capsys, *arguments)


def test_arms_are_named_as_given_and_runs_are_kept(sendlab, tmp_path):
    asked = ("replay", S3, "--arm", "client.release=5.3.3", "--runs", 1, "--out", tmp_path / "night", "--json")
    code, said = sendlab(*asked)
    written = json.loads((tmp_path / "night" / "result.json").read_text())
    assert (code, json.loads(said)) == (0, written)
    assert list(written["arms"])[:3] == ["recorded", "model", "client.release=5.3.3"]
    assert written["arms"]["recorded"]["measures"]["failed_messages"]["mean"] == 8
    assert prints((tmp_path / "night" / "report.html").read_text(), ArmsTexts.FILLED)
    assert sendlab(*asked) == (0, said)
    assert len(list((tmp_path / "night" / "totals").iterdir())) == 3


def test_the_page_is_written_while_the_folder_is_held(sendlab, tmp_path, monkeypatch):
    found = []
    monkeypatch.setattr(arms_summary, "write_page", lambda _, folder, __: found.append(holder_of(folder.path)))
    code, _ = sendlab("replay", S3, "--arm", "client.release=5.3.3", "--runs", 1, "--out", tmp_path / "night")
    assert (code, found) == (0, [os.getpid()])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--arm", "5.3.3"), CommandTexts.ARM_EXPECTED().at("--arm 5.3.3")),
        (("--arm", "client.relase=5.3.3"), Says("reading.unknown-meant", "...client.relase", near="release")),
        (("--arm", "client.release=5.3.9"), 'no release "5.3.9"'),
        (("--arm", "seed=1", "--arm", "seed=1"), CommandTexts.ARM_TWICE().at("--arm seed=1")),
    ],
)
def test_an_arm_that_cannot_be_is_one_sentence(sendlab, tmp_path, arguments, sentence):
    code, said = sendlab("replay", S3, *arguments, "--out", tmp_path / "o")
    assert (code, sentence in said) == (2, True), said


def test_predictions_of_pairs_write_their_tables_behind_what_is_there(sendlab, tmp_path):
    for name in ("live-4.9.8-s2", "live-5.3.3-s2"):
        for ending in (".json", ".parquet"):
            shutil.copy(TRACES / f"{name}{ending}", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("# Kept\n")
    code, said = sendlab("verify", "pairs", tmp_path, "--runs", 1, "--out", page)
    assert (code, prints(said, ProofTexts.PAIRS_WITHIN, good=2, pairs=2)) == (0, True)
    assert page.read_text().startswith("# Kept\n")
    assert "| 4.9.8 s2 | 5.3.3 s2 | - |" in page.read_text()


@pytest.mark.parametrize("name", ["run.json", "page.md"])
def test_predictions_of_pairs_keep_a_file_that_is_no_page(sendlab, tmp_path, name):
    (tmp_path / name).write_bytes(b'{"kept": "\xff"}' if name == "page.md" else b'{"kept": 1}')
    before = (tmp_path / name).read_bytes()
    code, said = sendlab("verify", "pairs", TRACES, "--out", tmp_path / name)
    assert (code, Says("proof.no-page", str(tmp_path / name)) in said) == (2, True)
    assert (tmp_path / name).read_bytes() == before


def test_a_folder_without_pairs_is_one_sentence(sendlab, tmp_path):
    code, said = sendlab("verify", "pairs", tmp_path)
    assert (code, Says("proof.no-pairs") in said) == (2, True)


def test_what_somebody_knew_better_is_in_every_arm(sendlab, tmp_path):
    edited = tmp_path / "night.yaml"
    assert sendlab("calibrate", S3, "-o", edited, "--runs", 1)[0] == 0
    edited.write_text(edited.read_text().replace("for: 3969.4ms", "for: 15s"))
    arm = ("--arm", "client.release=5.3.3 client.send_latency_fault_enable=false", "--runs", 1, "--json")
    code, said = sendlab("replay", S3, "--scenario", edited, *arm, "--out", tmp_path / "o")
    assert code == 0
    failed = [one["measures"]["failed_messages"]["mean"] for one in json.loads(said)["arms"].values()]
    assert failed == [8, 8, pytest.approx(32, abs=6)]


def test_the_release_that_the_model_runs_is_reported(sendlab, tmp_path):
    edited = tmp_path / "night.yaml"
    assert sendlab("calibrate", S3, "-o", edited, "--runs", 1)[0] == 0
    edited.write_text(edited.read_text().replace("release: 4.9.8", "release: 5.3.3", 1))
    code, said = sendlab(
        *("replay", S3, "--scenario", edited, "--arm", "client.retry_times_when_send_failed=0", "--runs", 1),
        *("--out", tmp_path / "o"),
    )
    found = CommandResultTexts.ARMS_RELEASE_DIFFERS(releases="5.3.3", edited=edited, fitted="4.9.8")
    assert (code, found in " ".join(said.split())) == (0, True)


def test_a_scenario_of_another_trace_is_one_sentence(sendlab, tmp_path):
    code, said = sendlab("replay", S3, "--scenario", "conf/scenarios/small-cluster.yaml", "--arm", "seed=2")
    brokers = {"what": "brokers", "theirs": "broker-a, broker-b, broker-c"}
    assert (code, prints(said, CommandTexts.NOT_THE_TRACES, **brokers)) == (2, True), said
