"""`sendlab replay` of a recording: what it prints, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from streaming.commands.replays import replay_command as command
from streaming.errors import InputError
from streaming.jobs import replay_job
from streaming.texts.command_result_texts import CommandResultTexts
from tests.says import prints
from tests.streaming.recordings import row, run_without_spark, small_rows, write


@pytest.fixture
def text_of(monkeypatch, capsys):
    """Run the command without Spark: text_of(trace, ...) gives exit code and text."""
    monkeypatch.setattr(replay_job, "run_job", run_without_spark)
    monkeypatch.setattr(replay_job, "require_spark", lambda: None)

    def run(trace: Path, *, out: Path | None = None) -> tuple[int, str]:
        code = command.replay_command(trace, out=out, as_json=False, console=Console(width=200))
        return code, capsys.readouterr().out

    return run


def test_nothing_is_compared(text_of, tmp_path):
    rows = small_rows()
    rows[1] = rows[1].replace("broker-a,1,", "broker-a,0,", 1)
    code, text = text_of(write(tmp_path, rows), out=tmp_path / "out")
    assert code == 0
    assert prints(text, CommandResultTexts.DECISIONS_IN)
    assert "agree" not in text


def test_a_rejected_row_is_shown(text_of, tmp_path):
    _, text = text_of(write(tmp_path, [*small_rows(), row("explosion", 90_000)]))
    assert prints(text, CommandResultTexts.ROWS_NOT_USED, count=1)
    assert "row 14: unknown event" in text


def test_a_folder_is_no_recording(tmp_path):
    with pytest.raises(InputError, match="got a folder"):
        command.replay_command(tmp_path, out=None, as_json=False, console=Console())
