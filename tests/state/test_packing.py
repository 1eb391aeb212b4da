"""The binary part of the state: what is packed comes back, anything else is refused and never read as if it fitted."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.plan.compile import compile_scenario
from simulator.run.cell import Cell
from state.packing import LAYOUT_VERSION, MAGIC, LayoutError, pack, unpack
from state.row import decode_tables, encode_table
from tests.simulator.small import scenario_of

ARRAYS = st.lists(st.integers(-(2**63), 2**63 - 1), max_size=20).map(lambda values: np.array(values, np.int64))
PACKED = pack({"numbers": np.arange(50), "none": np.empty(0, np.int64), "last": np.array([-1])})


@given(st.dictionaries(st.text(max_size=10), ARRAYS, min_size=1, max_size=5))
def test_what_is_packed_comes_back(parts):
    found = unpack(pack(parts))
    assert list(found) == list(parts)
    assert all(np.array_equal(found[name], parts[name]) for name in parts)


@given(st.integers(0, len(PACKED) - 1))
def test_a_state_that_is_cut_short_is_refused(length):
    with pytest.raises(LayoutError):
        unpack(PACKED[:length])


@given(st.integers(0, len(PACKED) - 1), st.integers(1, 255))
def test_a_damaged_byte_is_refused_or_changes_nothing_but_values(at, change):
    damaged = bytearray(PACKED)
    damaged[at] ^= change
    try:
        found = unpack(bytes(damaged))
    except LayoutError:
        return
    assert sum(map(len, found.values())) == 51


@given(st.binary(max_size=60))
def test_foreign_bytes_are_refused(content):
    with pytest.raises(LayoutError):
        unpack(MAGIC + content)


def test_another_layout_is_refused_by_its_number():
    other = MAGIC + struct.pack("<II", LAYOUT_VERSION + 1, 0)
    with pytest.raises(LayoutError, match=f"state layout {LAYOUT_VERSION + 1}, this sendlab reads layout"):
        unpack(other)


@pytest.fixture
def plan():
    return compile_scenario(scenario_of()).cells[0]


@pytest.fixture
def row(plan):
    return Cell(plan).snapshot()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"version": 1}, f"state layout 1, this sendlab reads layout {LAYOUT_VERSION}"),
        ({"digest": "abc"}, "the state is of scenario abc, this run is of scenario"),
        ({"counters": b"?"}, "the counters of the state are damaged"),
        ({"fault_items": b""}, "the fault_items of the state are damaged"),
        ({"engine": b"SLAB"}, "the state is cut short or damaged"),
        ({"engine": pack({"memory": np.zeros(3, np.int64)})}, "part memory has 3 numbers, this scenario needs"),
        ({"engine": pack({"rings": np.zeros(3, np.int64)})}, "the state lacks its part memory"),
        ({"engine": pack({"nothing": np.zeros(3, np.int64)})}, "the state has a part nothing, which this scenario has"),
    ],
)
def test_a_row_that_does_not_fit_is_refused_by_what_differs(plan, row, change, sentence):
    with pytest.raises(LayoutError, match=sentence):
        Cell.restore(plan, replace(row, **change))


def test_tables_of_other_columns_or_sizes_are_refused(plan, row):
    counters = decode_tables(row)["counters"]
    with pytest.raises(LayoutError, match="other columns"):
        decode_tables(replace(row, counters=encode_table(counters.drop_columns(["thread"]))))
    with pytest.raises(LayoutError, match="have 0 rows, this scenario has 1"):
        Cell.restore(plan, replace(row, counters=encode_table(counters.slice(0, 0))))


def test_parts_of_another_size_are_refused(plan, row):
    parts = unpack(row.engine)
    parts["servers"] = parts["servers"][:-1]
    with pytest.raises(LayoutError, match="part servers has 11 numbers, this scenario needs 12"):
        Cell.restore(plan, replace(row, engine=pack(parts)))


def test_a_restored_cell_remembers_the_same(plan, row):
    assert Cell.restore(plan, row).snapshot() == row
