"""What cannot be used goes to the rejects table with its reason and position, and the counts add up."""

from __future__ import annotations

import pyarrow as pa
import pytest

from simulator.engine.memory.periods_table import ALL_TABLES, LINK
from simulator.plan.compile import compile_text
from simulator.run.reject_texts import RejectTexts
from streaming.flow.blocks import ARRIVALS, END, OBSERVATIONS, Block, encode
from streaming.flow.scenario_feed import ScenarioFeed
from streaming.operator.scenario_stepper import ScenarioStepper
from streaming.texts.flow_texts import FlowTexts
from tests.simulator.small import text_of

TEXT = text_of(cells=2, producers={"count": 4, "threads": 2}, topics={"orders": {}, "clicks": {}})
TABLES = ("attempts", "sends", "fault_items", "windows", "rejects")
GOOD = {"at_us": 1_200_000, "producer": 0, "thread": 1, "topic": 1, "draw": -5}


@pytest.fixture
def plan():
    return compile_text(TEXT)


@pytest.fixture
def stepped(plan):
    """Rejects and state after the first window of cell 0 and then those blocks."""

    def step(*blocks, batches=1):
        stepper = ScenarioStepper(plan, 0, None, TABLES)
        list(stepper.run(ScenarioFeed(plan).blocks(0, 0, 1)))
        found = []
        for first in range(0, len(blocks), -(-len(blocks) // batches)):
            some = blocks[first : first + -(-len(blocks) // batches)]
            found += [row for name, t in stepper.run(some) if name == "rejects" for row in t.to_pylist()]
        return found, stepper.snapshot()

    return step


def block(payload, *, window=1, table=ARRIVALS, events=3):
    return Block("small", 0, window, table, events, payload)


def with_column(name, value):
    """Arrivals whose column has a value of another type."""
    return block(encode(pa.record_batch({**{n: [1] for n in GOOD}, name: [value]})))


def arrivals(*rows, window=1):
    batch = pa.RecordBatch.from_pylist([GOOD | row for row in rows])
    return block(encode(batch), window=window, events=len(rows))


def adds_up(state, rejected):
    assert state.events_rejected == rejected
    assert state.events_in == state.events_handled + state.events_rejected


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (block(b"garbage"), FlowTexts.NOT_ARROW(why="")),
        (block(b""), FlowTexts.NOT_ARROW(why="")),
        (block(arrivals({}).payload[:-30]), FlowTexts.NOT_ARROW(why="")),
        (block(b"x", table="payments"), FlowTexts.UNKNOWN_TABLE(table="payments")),
        (block(arrivals({}).payload, window=0), FlowTexts.LATE(window=0)),
        (block(arrivals({}).payload, window=7), FlowTexts.WINDOW_BEYOND(last=1)),
        (block(b"", window=1, table=END), FlowTexts.WINDOW_OF_THE_END(end=2)),
        (block(b"x", table="recording"), FlowTexts.NO_TABLE_OF_SCENARIOS(table="recording")),
        (block(encode(pa.record_batch({"at_us": [1]}))), RejectTexts.COLUMN_MISSING(column="producer")),
        (
            block(encode(pa.record_batch({**{n: [1] for n in GOOD}, "topic": ["x"]}))),
            RejectTexts.COLUMN_NOT_WHOLE(column="topic"),
        ),
        (
            block(encode(pa.record_batch({**{n: [1] for n in GOOD}, "draw": [None]}))),
            RejectTexts.COLUMN_NOT_WHOLE(column="draw"),
        ),
    ],
)
def test_a_block_that_cannot_be_used_is_rejected_whole(stepped, bad, reason):
    rejects, state = stepped(bad)
    assert [(row["cell"], row["events"]) for row in rejects] == [(0, 3)]
    assert rejects[0]["reason"].startswith(reason)
    assert rejects[0]["position"] == f"run small, cell 0, window {bad.window}, table {bad.table}"
    adds_up(state, 3)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"producer": 2}, RejectTexts.NO_PRODUCER()),
        ({"producer": -1}, RejectTexts.NO_PRODUCER()),
        ({"thread": 2}, RejectTexts.NO_THREAD()),
        ({"thread": -1}, RejectTexts.NO_THREAD()),
        ({"topic": 2}, RejectTexts.NO_TOPIC()),
        ({"topic": -1}, RejectTexts.NO_TOPIC()),
        ({"at_us": 999_999}, RejectTexts.OLDER()),
        ({"at_us": 2_000_000}, RejectTexts.NEWER()),
        ({"producer": 2**40}, RejectTexts.NO_PRODUCER()),
    ],
)
def test_a_row_that_cannot_be_used_is_rejected_alone(stepped, row, reason):
    rejects, state = stepped(arrivals({}, row, {"at_us": 1_300_000}))
    assert [(r["reason"], r["events"]) for r in rejects] == [(reason, 1)]
    assert rejects[0]["position"] == "run small, cell 0, window 1, table arrivals, row 1"
    name, value = next(iter(row.items()))
    assert f"{name}={value}" in rejects[0]["record"]
    adds_up(state, 1)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ((2_000_000, 3_000_000, 3, 0, 0), RejectTexts.NO_BROKER()),
        ((2_000_000, 3_000_000, -1, 0, 0), RejectTexts.NO_BROKER()),
        ((2_000_000, 3_000_000, 0, ALL_TABLES, 0), RejectTexts.NO_PERIODS()),
        ((2_000_000, 3_000_000, 0, -1, 0), RejectTexts.NO_PERIODS()),
        ((2_000_000, 3_000_000, 0, 2, 0), RejectTexts.NO_PERIOD_VALUE()),
        ((2_000_000, 3_000_000, 0, 3, 2), RejectTexts.NOBODY_GOES_AWAY()),
        ((2_000_000, 3_000_000, 0, LINK, -1), RejectTexts.NOBODY_GOES_AWAY()),
        ((2_000_000, 3_000_000, 0, 5, -1), RejectTexts.NO_PERIOD_VALUE()),
        ((3_000_000, 3_000_000, 0, 0, 0), RejectTexts.OVER_BEFORE()),
        ((2_000_000, 3_000_000, 0, 0, -1), RejectTexts.NO_PERIOD_VALUE()),
        ((2_000_000, 3_000_000, 0, 1, 0), RejectTexts.NO_PERIOD_VALUE()),
        ((0, 900_000, 0, 0, 0), RejectTexts.LATE()),
    ],
)
def test_an_observation_that_cannot_be_used_is_rejected(stepped, row, reason):
    names = ("at_us", "until_us", "broker", "table", "value")
    batch = pa.record_batch({name: [value] for name, value in zip(names, row, strict=True)})
    rejects, state = stepped(block(encode(batch), table=OBSERVATIONS, events=1))
    assert [r["reason"] for r in rejects] == [reason]
    adds_up(state, 1)


def test_the_same_window_twice_is_late_the_second_time(stepped, plan):
    blocks = list(ScenarioFeed(plan).blocks(0, 1, 2))
    rejects, state = stepped(*blocks, *blocks, batches=2)
    assert [row["reason"] for row in rejects] == [FlowTexts.LATE(window=1)]
    adds_up(state, blocks[0].events)


def test_rejects_are_counted_once_over_several_micro_batches(stepped):
    bad = [block(b"garbage"), block(b"", window=0), arrivals({"topic": 9}, window=1)]
    rejects, state = stepped(*bad, batches=3)
    assert sum(row["events"] for row in rejects) == 7
    adds_up(state, 7)


def test_the_good_rows_of_a_bad_block_are_sent(stepped, plan):
    stepper = ScenarioStepper(plan, 0, None, TABLES)
    list(stepper.run(ScenarioFeed(plan).blocks(0, 0, 1)))
    mixed = arrivals({"topic": 9}, {}, {"at_us": 1_300_000})
    tables = dict(stepper.run([mixed, Block("small", 0, 2, END, 0, b"")]))
    assert [row["arrival_us"] for row in tables["sends"].to_pylist()] == [1_200_000, 1_300_000]
