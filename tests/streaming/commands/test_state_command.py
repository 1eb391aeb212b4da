"""`sendlab state`: keys that can be read in 80 columns, and files with the names that --help says."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from simulator.plan.compile import compile_text
from simulator.run.cell import Cell
from simulator.run.driver import drive
from streaming.commands import state_command as module
from streaming.commands.state_command import state_command
from tests.simulator.small import fault, text_of
from tests.streaming.asked import ask


@pytest.fixture
def rows(monkeypatch, tmp_path):
    """The state of two cells after a hang, as a checkpoint would give it."""
    brokers = {f"broker-with-a-long-name-{x}": {"latency": {"constant": "2ms"}} for x in "abc"}
    hang = fault("hang", "500ms", "1s", "broker-with-a-long-name-b")
    plan = compile_text(text_of(duration="3s", brokers=brokers, faults=[hang], client={"send_msg_timeout": "300ms"}))
    cell = Cell(plan.cells[0])
    list(drive(plan, cell))
    found = [(plan.run, 0, cell.snapshot())]
    monkeypatch.setattr(module, "read_state", lambda checkpoint, batch: (3, found))
    return found


def said_in(columns, folder):
    text = io.StringIO()
    state_command(folder, None, False, None, Console(file=text, width=columns))
    return text.getvalue()


def test_keys_stay_whole_in_80_columns(rows, tmp_path):
    said = said_in(80, tmp_path)
    assert "broker-with-a-long-name-b" in said
    assert "orders" in said
    assert "…" not in said
    assert max(map(len, said.splitlines())) <= 80


def test_what_is_the_same_in_every_row_is_told_once(rows, tmp_path):
    assert said_in(80, tmp_path).count("small") == 1


def test_the_files_are_those_that_help_names(rows, monkeypatch, capsys, tmp_path):
    _, text = ask(monkeypatch, capsys, "state", "--help")
    state_command(tmp_path, None, False, tmp_path / "s.parquet", Console(file=io.StringIO()))
    written = sorted(file.name for file in tmp_path.iterdir())
    assert written == ["s-counters.parquet", "s-fault_items.parquet"]
    assert all(name in text for name in written)
