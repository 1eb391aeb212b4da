"""The operator without Spark: several runs in one query, and what it tells of a cell's progress."""

from __future__ import annotations

import json

import pandas as pd
import pyarrow as pa
import pytest

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from streaming.flow.blocks import PROGRESS, decode
from streaming.flow.feeds import feed_of
from streaming.flow.row_files import BATCH
from streaming.flow.run_spec import RunSpec
from streaming.jobs.steppers import stepper_of
from streaming.operator.operator import make_step
from tests.says import Says, raises
from tests.simulator.small import fault, text_of

RUNS = tuple(
    RunSpec(name, "scenario", text_of(name=name, duration="4s", seed=seed, faults=[fault("refuse", "1s", "2s")]))
    for name, seed in (("one", 1), ("two", 2))
)


class State:
    """Stands for Spark's GroupState of one key."""

    exists = False

    def update(self, row):
        """Keep a row."""
        self.exists, self.get = True, row


def chunks_of(run, first, last):
    blocks = list(feed_of(run).blocks(0, first, last))
    columns = {"window": "window", "tbl": "table", "events": "events", "payload": "payload"}
    return iter([pd.DataFrame({name: [getattr(b, field) for b in blocks] for name, field in columns.items()})])


def stepped(run, state, first, last, wanted=("attempts", "sends", "windows", "rejects")):
    """Tables that one call puts out, and its progress document."""
    step = make_step(RUNS, wanted, stepper_of)
    rows = pd.concat(list(step((run.run, 0), chunks_of(run, first, last), state)))
    assert set(rows["run"]) == {run.run}
    found = rows[rows["tbl"] == PROGRESS]["payload"].tolist()
    tables = rows[rows["tbl"] != PROGRESS]
    return {name: decode(payload) for name, payload in zip(tables["tbl"], tables["payload"], strict=True)}, found


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.run)
def test_every_run_of_a_query_is_stepped_by_its_own_plan(run):
    tables, _ = stepped(run, State(), 0, feed_of(run).steps)
    alone = simulate(parse_scenario(run.spec))
    assert tables["sends"].to_pylist() == alone.sends.to_pylist()


def test_a_block_of_no_run_of_the_job_is_an_error():
    with raises(ValueError, Says("flow.no-run-of-the-job", run="three", runs="one, two")):
        list(make_step(RUNS, ("sends",), stepper_of)(("three", 0), chunks_of(RUNS[0], 0, 1), State()))


def test_sends_are_counted_in_the_cell_whichever_tables_are_written():
    run, state = RUNS[0], State()
    steps, alone = feed_of(run).steps, simulate(parse_scenario(run.spec))
    stepped(run, state, 0, 2, ("windows",))
    tables, (document,) = stepped(run, state, 2, steps, ("windows",))
    said = json.loads(document)
    results = alone.column("sends", "result")
    assert set(tables) == {"windows"}
    assert (said["run"], said["cell"], said["next_window"]) == ("one", 0, steps)
    assert said["sends"] == len(results) > 0
    assert said["failures"] == (results != "SEND_OK").sum()
    assert said["retries"] == (alone.column("attempts", "attempt") > 1).sum() > 0


class Kept:
    """Stands for the files of one task."""

    def __init__(self, name):
        self.name, self.rows, self.tables, self.is_closed = name, {}, [], False

    def write(self, run, name, table):
        self.rows[name] = self.rows.get(name, 0) + table.num_rows
        self.tables.append((run, name, table))

    def close(self):
        self.is_closed = True


def test_rows_that_the_operator_writes_itself_do_not_leave_it(monkeypatch):
    begun, run = [], RUNS[0]
    monkeypatch.setattr("streaming.operator.operator.part_name_of_task", lambda: "b00000003-p0001")
    step = make_step(RUNS, ("sends",), stepper_of, lambda name: begun.append(Kept(name)) or begun[-1])
    rows = pd.concat(list(step((run.run, 0), chunks_of(run, 0, feed_of(run).steps), State())))
    (files,) = begun
    alone = simulate(parse_scenario(run.spec)).sends
    assert (files.name, files.is_closed) == ("b00000003-p0001", True)
    assert pa.concat_tables(table for _, _, table in files.tables).to_pylist() == alone.to_pylist()
    assert {own for own, _, _ in files.tables} == {run.run}
    sends = rows[rows["tbl"] == "sends"]
    assert sends[["rows", "payload"]].to_numpy().tolist() == [[alone.num_rows, b""]]


def test_a_task_that_was_not_told_its_micro_batch_writes_no_file():
    step = make_step(RUNS, ("sends",), stepper_of, Kept)
    with raises(RuntimeError, Says("flow.no-batch", name=BATCH)):
        list(step((RUNS[0].run, 0), chunks_of(RUNS[0], 0, 1), State()))
