"""`sendlab replay`: what it prints, how it ends, and once through Spark."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from rich.console import Console

from state.tables import DECISIONS, REPLAY_TABLES
from streaming.commands.replays import replay_command as command
from streaming.errors import InputError
from streaming.jobs.job import Job, Options
from tests.streaming.recordings import TRACES, replayed, row, small_rows, write


def _run_without_spark(job: Job, options: Options, console: Console) -> None:
    for name, table in replayed(job.run.spec.spec).items():
        if table.num_rows:
            folder = options.out / name / f"run={job.run.spec.run}"
            folder.mkdir(parents=True)
            pq.write_table(table, folder / "b0.parquet")
    options.out.mkdir(exist_ok=True)
    events = dict.fromkeys(("generated", "handled", "rejected", "skipped"), 0)
    (options.out / "run.json").write_text(json.dumps({"sendlab": "1", "events": events}))


@pytest.fixture
def told(monkeypatch, capsys):
    """Run the command without Spark: told(trace, ...) gives exit code and text."""
    monkeypatch.setattr(command, "run_job", _run_without_spark)
    monkeypatch.setattr(command, "require_spark", lambda: None)

    def run(trace: Path, *, verify: bool = True, out: Path | None = None, as_json: bool = False) -> tuple[int, str]:
        code = command.replay_command(trace, verify=verify, out=out, as_json=as_json, console=Console(width=200))
        return code, capsys.readouterr().out

    return run


def test_full_agreement_ends_with_0(told, tmp_path):
    code, text = told(write(tmp_path, small_rows()))
    assert code == 0
    assert "small: 15 of 15 decisions agree (100 %)" in text


def test_a_difference_ends_with_1_and_is_shown(told, tmp_path):
    rows = small_rows()
    rows[1] = rows[1].replace("broker-a,1,", "broker-a,0,", 1)
    code, text = told(write(tmp_path, rows))
    assert code == 1
    assert "1 decisions differ" in text
    assert "row 2, select" in text
    assert "queue_id: expected 0, got 1" in text


def test_a_rejected_row_is_shown(told, tmp_path):
    _, text = told(write(tmp_path, [*small_rows(), row("explosion", 90_000)]))
    assert "1 rows could not be used" in text
    assert "row 14: unknown event" in text


def test_without_verify_nothing_is_compared(told, tmp_path):
    rows = small_rows()
    rows[1] = rows[1].replace("broker-a,1,", "broker-a,0,", 1)
    code, text = told(write(tmp_path, rows), verify=False, out=tmp_path / "out")
    assert code == 0
    assert "decisions in" in text
    assert "agree" not in text


def test_json_names_every_difference(told, tmp_path):
    rows = small_rows()
    rows[1] = rows[1].replace("broker-a,1,", "broker-a,0,", 1)
    code, text = told(write(tmp_path, rows), as_json=True)
    said = json.loads(text)
    assert (code, said["agrees"], said["different"]) == (1, False, 1)
    assert said["differences"][0]["fields"] == {"queue_id": [0, 1]}


def test_nothing_to_compare_is_no_agreement(told, tmp_path):
    assert told(write(tmp_path, small_rows()[:1]))[0] == 1


def test_a_folder_is_no_recording(tmp_path):
    with pytest.raises(InputError, match="got a folder"):
        command.replay_command(tmp_path, verify=True, out=None, as_json=False, console=Console())


def test_99_995_percent_is_not_100():
    assert command._percent(99_995, 100_000) == "99.99 %"


def test_a_recording_agrees_through_spark(alive, tmp_path):
    life = alive("replay", TRACES / "live-5.3.3-s10", "--verify", "--out", tmp_path / "out", "--json")
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
