"""`sendlab state`: keys that can be read in 80 columns, and files with the names that --help says."""

from __future__ import annotations

import io
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pytest
from rich.console import Console

from simulator.plan.compile import compile_text
from simulator.run.cell import Cell
from simulator.run.driver import drive
from simulator.scenario import parse_scenario
from streaming.commands.jobs import state_command as module
from streaming.commands.jobs.consumer_state import consumer_offsets, has_consumers
from streaming.commands.jobs.state_changes import changes_between
from streaming.commands.jobs.state_command import state_command, state_tables
from streaming.errors import InputError
from tests.says import Says, raises
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


def test_what_is_the_same_in_every_row_is_reported_once(rows, tmp_path):
    assert said_in(80, tmp_path).count("small") == 1


def test_the_files_are_those_that_help_names(rows, monkeypatch, capsys, tmp_path):
    _, text = ask(monkeypatch, capsys, "state", "--help")
    state_command(tmp_path, None, False, tmp_path / "s.parquet", Console(file=io.StringIO()))
    written = sorted(file.name for file in tmp_path.iterdir())
    assert written == ["s-counters.parquet", "s-fault_items.parquet"]
    assert all(name in text for name in written)


def test_what_changed_between_two_micro_batches(rows):
    tables = state_tables(rows, Path("checkpoint"))
    items = tables["fault_items"].to_pylist()
    moved = [{**items[0], "current_latency_ms": 999}, *items[2:], {**items[1], "producer": 7}]
    now = {**tables, "fault_items": pa.Table.from_pylist(moved, tables["fault_items"].schema)}
    found = changes_between(tables, now)
    assert found["counters"].num_rows == 0
    changes = {(row["producer"], row["broker"]): row["change"] for row in found["fault_items"].to_pylist()}
    first, second = items[0]["broker"], items[1]["broker"]
    assert changes == {(0, first): "changed", (7, second): "new", (0, second): "gone"}


def test_since_must_be_before_the_micro_batch(rows, monkeypatch, tmp_path):
    monkeypatch.setattr(module, "some_session", lambda *_, **__: nullcontext())
    with raises(InputError, Says("command.since-expected", batch=3)):
        state_command(tmp_path, None, False, None, Console(file=io.StringIO()), since=3)


def test_the_offsets_of_a_group_are_in_the_state():
    text = text_of(duration="3s", consumers={"billing": {"topic": "orders", "count": 2, "service": "1ms"}})
    plan = compile_text(text)
    cell = Cell(plan.cells[0], ("stored",))
    stored = pa.concat_tables([rows for name, rows in drive(plan, cell) if name == "stored"])
    state = cell.snapshot()
    found = consumer_offsets(parse_scenario(text), state).to_pylist()
    last = stored.slice(stored.num_rows - 6).to_pylist()
    assert has_consumers(state)
    for name in ("topic", "broker", "queue_id", "consumer_group", "max_offset", "committed_offset", "lag"):
        assert [row[name] for row in found] == [row[name] for row in last]
    assert sum(row["max_offset"] for row in found) == 30
    assert {row["owners"] for row in found} == {1}


def test_the_lag_in_the_state_leaves_out_what_a_group_skipped():
    news = {"topic": "orders", "count": 1, "service": "1ms", "message_model": "BROADCASTING"}
    joins = {"at": "5s", "consumer": "news-1", "kind": "scale_out"}
    text = text_of(duration="10s", consumers={"news": news}, faults=[joins])
    cell = Cell(compile_text(text).cells[0], ("stored",))
    stored = pa.concat_tables([rows for name, rows in drive(compile_text(text), cell) if name == "stored"])
    last = stored.slice(stored.num_rows - 6)
    found = consumer_offsets(parse_scenario(text), cell.snapshot()).to_pylist()
    assert sum(last.column("skipped").to_pylist()) > 20
    assert [row["lag"] for row in found] == last.column("lag").to_pylist()


def test_a_running_job_that_goes_on_meanwhile_is_read_after_its_last_micro_batch(monkeypatch):
    there = [[3, 4], [3, 4], [30, 31]]  # before Spark starts, as it has started, and later
    checkpoint = SimpleNamespace(
        manifest=dict, check_whole=lambda: None, files=SimpleNamespace(spark_settings={}),
        batches=lambda: there.pop(0) if len(there) > 1 else there[0],
    )  # fmt: skip

    def rows_after(_spark, _checkpoint, batch):
        if batch == 4:
            raise InputError("it is gone")
        return []

    monkeypatch.setattr(module, "some_session", lambda *_, **__: nullcontext())
    monkeypatch.setattr(module, "_state_rows", rows_after)
    assert module.read_state(checkpoint, None) == (31, [])
