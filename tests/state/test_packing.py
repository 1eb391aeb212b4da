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
from state.packing import LAYOUT_VERSION, MAGIC, LayoutError, StatePart, pack, unpack
from state.row import decode_tables, encode_table
from tests.says import Says, raises
from tests.simulator.small import scenario_of

ARRAYS = st.lists(st.integers(-(2**63), 2**63 - 1), max_size=20).map(lambda values: np.array(values, np.int64))
NAMES = st.text(max_size=10)
PACKED = pack({
    "numbers": StatePart(np.arange(50), ("even", "odd")),
    "none": StatePart(np.empty(0, np.int64)),
    "last": StatePart(np.array([-1])),
})  # fmt: skip


@given(st.dictionaries(NAMES, st.builds(StatePart, ARRAYS, st.lists(NAMES, max_size=3)), min_size=1, max_size=5))
def test_what_is_packed_comes_back(parts):
    found = unpack(pack(parts))
    assert list(found) == list(parts)
    assert all(np.array_equal(found[name].values, parts[name].values) for name in parts)
    assert [list(part.fields) for part in found.values()] == [list(part.fields) for part in parts.values()]


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
    assert sum(len(part.values) for part in found.values()) == 51


@given(st.binary(max_size=60))
def test_foreign_bytes_are_refused(content):
    with pytest.raises(LayoutError):
        unpack(MAGIC + content)


def test_another_layout_is_refused_by_its_number():
    other = MAGIC + struct.pack("<II", LAYOUT_VERSION + 1, 0)
    with raises(LayoutError, Says("layout.other-layout", stored=LAYOUT_VERSION + 1, layout=LAYOUT_VERSION)):
        unpack(other)


@pytest.fixture
def plan():
    return compile_scenario(scenario_of()).cells[0]


@pytest.fixture
def row(plan):
    return Cell(plan).snapshot()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"version": 1}, Says("layout.other-layout", stored=1)),
        ({"digest": "abc"}, Says("run-state.other-scenario", state="abc")),
        ({"counters": b"?"}, Says("layout.table-damaged", table="counters")),
        ({"fault_items": b""}, Says("layout.table-damaged", table="fault_items")),
        ({"engine": b"SLAB"}, Says("layout.cut-short")),
        ({"engine": pack({"rings": StatePart(np.zeros(3, np.int64))})}, Says("layout.no-region", region="clock")),
        (
            {"engine": pack({"nothing": StatePart(np.zeros(3, np.int64))})},
            Says("layout.unknown-region", region="nothing"),
        ),
    ],
)
def test_a_row_that_does_not_fit_is_refused_by_what_differs(plan, row, change, says):
    with raises(LayoutError, says):
        Cell.restore(plan, replace(row, **change))


def test_tables_of_other_columns_or_sizes_are_refused(plan, row):
    counters = decode_tables(row)["counters"]
    with raises(LayoutError, Says("layout.other-columns", table="counters")):
        decode_tables(replace(row, counters=encode_table(counters.drop_columns(["thread"]))))
    with raises(LayoutError, Says("run-state.other-counters", rows=0, expected=1)):
        Cell.restore(plan, replace(row, counters=encode_table(counters.slice(0, 0))))


@pytest.mark.parametrize(
    ("region", "change", "says"),
    [
        (
            "servers",
            lambda own: StatePart(own.values[:-1]),
            Says("layout.other-size", region="servers", count=11, needed=12),
        ),
        (
            "client_memory",
            lambda own: StatePart(own.values[:3]),
            Says("layout.other-size", region="client_memory", count=3),
        ),
        (
            "heap",
            lambda own: StatePart(own.values[:0], own.fields),
            Says("run-state.unlike-regions", one="attempts", other="heap"),
        ),
        (
            "messages",
            lambda own: StatePart(own.values, [f for f in own.fields if f != "open_copies"]),
            Says("layout.no-field", region="messages", field="open_copies"),
        ),
        (
            "attempts",
            lambda own: StatePart(own.values, [*own.fields, "tale"]),
            Says("layout.unknown-field", region="attempts", field="tale"),
        ),
        ("heap", lambda own: StatePart(own.values, own.fields[::-1]), Says("layout.other-order", region="heap")),
        (
            "servers",
            lambda own: StatePart(own.values, ["free_us"]),
            Says("layout.unknown-field", region="servers", field="free_us", near=""),
        ),
    ],
)
def test_regions_of_another_size_or_with_other_fields_are_refused_by_name(plan, row, region, change, says):
    parts = unpack(row.engine)
    parts[region] = change(parts[region])
    with raises(LayoutError, says):
        Cell.restore(plan, replace(row, engine=pack(parts)))


def test_a_restored_cell_remembers_the_same(plan, row):
    assert Cell.restore(plan, row).snapshot() == row
