"""`sendlab verify recordings`: what it prints, how it ends, and once through Spark."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from rich.console import Console

from state.tables import DECISIONS, REPLAY_TABLES
from streaming.jobs import replay_job
from streaming.proof.commands import recordings_command as command
from streaming.proof.texts.proof_texts import ProofTexts
from tests.says import prints
from tests.streaming.recordings import TRACES, run_without_spark, small_rows, write


@pytest.fixture
def text_of(monkeypatch, capsys):
    """Run the command without Spark: text_of(trace, ...) gives exit code and text."""
    monkeypatch.setattr(replay_job, "run_job", run_without_spark)
    monkeypatch.setattr(replay_job, "require_spark", lambda: None)

    def run(trace: Path, *, as_json: bool = False) -> tuple[int, str]:
        code = command.recordings_command(trace, out=None, as_json=as_json, console=Console(width=200))
        return code, capsys.readouterr().out

    return run


def test_full_agreement_ends_with_0(text_of, tmp_path):
    code, text = text_of(write(tmp_path, small_rows()))
    assert code == 0
    assert prints(text, ProofTexts.AGREEMENT, "small", agree=15, determined=15, percent="100 %")


def test_a_difference_ends_with_1_and_is_shown(text_of, tmp_path):
    rows = small_rows()
    rows[1] = rows[1].replace("broker-a,1,", "broker-a,0,", 1)
    code, text = text_of(write(tmp_path, rows))
    assert code == 1
    assert prints(text, ProofTexts.DECISIONS_DIFFER, count=1)
    assert "row 2, select" in text
    assert "queue_id: expected 0, got 1" in text


def test_json_names_every_difference(text_of, tmp_path):
    rows = small_rows()
    rows[1] = rows[1].replace("broker-a,1,", "broker-a,0,", 1)
    code, text = text_of(write(tmp_path, rows), as_json=True)
    said = json.loads(text)
    assert (code, said["agrees"], said["different"]) == (1, False, 1)
    assert said["differences"][0]["fields"] == {"queue_id": [0, 1]}


def test_nothing_to_compare_is_no_agreement(text_of, tmp_path):
    assert text_of(write(tmp_path, small_rows()[:1]))[0] == 1


def test_99_995_percent_is_not_100():
    assert command._percent(99_995, 100_000) == "99.99 %"


def test_a_recording_agrees_through_spark(alive, tmp_path):
    life = alive("verify", "recordings", TRACES / "live-5.3.3-s10", "--out", tmp_path / "out", "--json")
    assert life.wait() == 0, life.said
    said = json.loads(life.said[life.said.index("{") :])
    assert said["events"] == {"generated": 52_912, "handled": 52_912, "rejected": 0, "skipped": 0}
    frame = pd.read_parquet(tmp_path / "out" / "decisions")
    assert len(frame) == said["decisions"] == sum(line["agree"] for line in said["agreement"])
    assert {*frame.columns} == {column.name for column in DECISIONS.columns} | {"run"}
    assert not frame.duplicated(["row", "kind"]).any()
    assert set(REPLAY_TABLES) >= {
        path.name for path in (tmp_path / "out").iterdir() if path.is_dir() and path.name[0] != "_"
    }
