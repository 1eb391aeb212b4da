"""The source gives every step of every cell once, a bounded number at a time, and the same again if asked again."""

from __future__ import annotations

from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql.streaming.datasource import ReadMaxRows

from streaming.flow import blocks, step_source
from streaming.flow.blocks import IN_ARROW
from streaming.flow.run_spec import RunSpec, spelled
from streaming.flow.source import Reached
from streaming.flow.step_source import SendlabReader, StepSource
from tests.simulator.small import fault, text_of

SPEC = text_of(duration="30s", cells=2, producers={"count": 4, "rate": "25/s"}, faults=[fault("hang", "1s", "2s")])
STEPS = 31  # thirty windows and the end


def runs(*specs):
    return spelled([RunSpec(f"run-{number}", "scenario", spec) for number, spec in enumerate(specs)])


def reader(**options):
    return SendlabReader({"runs": runs(SPEC)} | {name: str(value) for name, value in options.items()})


def offsets(some, events):
    """Every offset of a run that is read to its end."""
    found = [some.initialOffset()]
    while not found[1:] or found[-1] != found[-2]:
        found.append(some.latestOffset(found[-1], ReadMaxRows(events)))
    return [offset["step"] for offset in found[:-1]]


def test_a_micro_batch_holds_as_many_steps_as_there_are_events_for():
    assert offsets(reader(), 1000) == [0, 10, 20, 30, 31]


def test_a_step_is_given_even_if_it_holds_more_events_than_asked_for():
    assert offsets(reader(), 1) == list(range(STEPS + 1))


def test_the_first_micro_batch_is_small(monkeypatch):
    monkeypatch.setattr(step_source, "FIRST_BATCH_EVENTS", 300)
    assert offsets(reader(), 100_000) == [0, 3, 31]


def test_nothing_is_given_while_the_stop_file_exists(tmp_path):
    some, start = reader(stopfile=tmp_path / "stop"), {"step": 4}
    (tmp_path / "stop").touch()
    assert some.latestOffset(start, ReadMaxRows(1000)) == start
    (tmp_path / "stop").unlink()
    assert some.latestOffset(start, ReadMaxRows(1000)) == {"step": 14}


def test_a_paced_source_gives_no_more_than_the_time_that_has_passed(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(step_source.time, "monotonic", lambda: now[0])
    some, start = reader(speed=2), {"step": 6}
    assert some.latestOffset(start, ReadMaxRows(10_000)) == start
    now[0] += 2.6
    assert some.latestOffset(start, ReadMaxRows(10_000)) == {"step": 11}


def test_only_the_source_knows_what_its_offsets_mean(tmp_path):
    some = StepSource((RunSpec("run-0", "scenario", SPEC),), tmp_path / "stop")
    said = [some.reached(offsets) for offsets in ([], ['{"step": 7}'], [f'{{"step": {STEPS}}}'])]
    assert said == [Reached(0, False), Reached(7_000_000, False), Reached(31_000_000, True)]
    with pytest.raises(KeyError):
        some.reached(['{"orders": {"0": 7}}'])


@given(st.lists(st.integers(0, STEPS), max_size=6), st.sampled_from([1, 2]))
def test_partitions_give_every_block_once(cuts, cells):
    spec = SPEC if cells == 2 else SPEC.replace("cells: 2", "cells: 1")
    some = SendlabReader({"runs": runs(spec)})
    whole = _blocks(some, 0, STEPS)
    edges = sorted({0, STEPS, *cuts})
    cut = [block for first, last in pairwise(edges) for block in _blocks(some, first, last)]
    assert sorted(cut) == sorted(whole)
    assert len(whole) == 2 * cells * STEPS  # two a window, the end, and one that tells of the hang


def test_several_runs_share_the_steps_and_each_gives_its_own_blocks():
    short, long = text_of(name="short", duration="3s"), text_of(name="long", duration="5s")
    both = SendlabReader({"runs": runs(short, long)})
    assert (both.shape.steps, both.shape.cells) == (6, (1, 1))
    of = {
        name: {window for run, _, window, *_ in _blocks(both, 0, 6) if run.startswith(name)}
        for name in ("short", "long")
    }
    assert of == {"short": {0, 1, 2, 3}, "long": {0, 1, 2, 3, 4, 5}}


def _blocks(some, first, last):
    found = []
    for partition in some.partitions({"step": first}, {"step": last}):
        for batch in some.read(partition):
            assert batch.schema == IN_ARROW
            found += [tuple(row.values()) for row in batch.to_pylist()]
    return found


@pytest.mark.parametrize("count", [0, 1, 64, 65, 130])
def test_blocks_are_packed_into_record_batches_of_bounded_size(count):
    some = blocks.Block("r", 0, 3, "arrivals", 5, b"x")
    batches = list(blocks.batches_of(iter([some] * count)))
    assert all(batch.num_rows <= blocks.BLOCKS_A_BATCH for batch in batches)
    assert sum(batch.num_rows for batch in batches) == count
    assert all(isinstance(batch, pa.RecordBatch) for batch in batches)
