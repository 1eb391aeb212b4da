"""Arrow columns from numpy arrays."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

from state.columns import flags, named, numbers, places, texts

MISSING = np.array([False, True, False])


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.float64])
def test_numbers_are_those_of_the_array_and_null_where_missing(kind):
    column = numbers(np.array([7, 8, -9]), kind, MISSING)
    column.validate(full=True)
    assert column.to_pylist() == [7, None, -9]
    assert column.type == pa.from_numpy_dtype(kind)


def test_numbers_of_every_other_cell_are_copied_together():
    assert numbers(np.arange(6)[::2]).to_pylist() == [0, 2, 4]


def test_numbers_are_not_copied_where_they_lie_together():
    values = np.arange(3)
    assert numbers(values).buffers()[1].address == values.ctypes.data


def test_flags_are_null_where_missing():
    assert flags(np.array([True, True, False]), MISSING).to_pylist() == [True, None, False]


@pytest.mark.parametrize("count", [0, 1, 8, 9, 17])
def test_flags_of_any_number(count):
    values = np.arange(count) % 3 == 0
    assert flags(values).to_pylist() == values.tolist()


def test_texts_may_be_empty_and_beyond_ascii():
    assert texts(["", "broker-ä", "b"]).to_pylist() == ["", "broker-ä", "b"]


def test_an_index_without_a_name_is_null():
    assert named(np.array([1, -1, 0, 2]), ("a", "b")).to_pylist() == ["b", None, "a", None]


def test_places_are_found_by_name_whatever_the_dictionary():
    first, second = named(np.array([1, 0]), ("a", "b")), named(np.array([0]), ("b",))
    column = pa.chunked_array([first, second]).unify_dictionaries()
    assert places(column, ("c", "b", "a")).tolist() == [1, 2, 1]
    assert places(pa.chunked_array([first.slice(0, 0)]), ("a", "b")).tolist() == []


def test_columns_come_without_pandas():
    code = "import sys, numpy as np; from state import columns; columns.named(np.arange(2), 'ab')"
    subprocess.run([sys.executable, "-c", f"{code}; assert 'pandas' not in sys.modules"], check=True)
