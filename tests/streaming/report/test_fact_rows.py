"""Rows that findings are made from."""

from __future__ import annotations

import numpy as np

from streaming.report.collected.fact_rows import FactRows, weights_by

ROWS = FactRows(
    {
        "key": np.array([7, 3, 7, 3]),
        "attempt": np.array([2, 1, 1, 1]),
        "group": np.array([0, 1, 1, 2]),
        "weight": np.array([1, 2, 3, 9], np.int16),
    }
)


def test_rows_are_chosen_by_mask_and_by_place():
    assert ROWS.of(ROWS["key"] == 7)["attempt"].tolist() == [2, 1]
    assert ROWS.of(np.array([3, 0]))["weight"].tolist() == [9, 1]


def test_equal_rows_keep_their_order():
    assert ROWS.in_order("key", "attempt")["weight"].tolist() == [2, 9, 3, 1]


def test_the_last_row_of_each_key():
    assert ROWS.in_order("key", "attempt").last_of("key")["weight"].tolist() == [9, 1]
    assert len(FactRows.none(("key",)).last_of("key")) == 0


def test_the_largest_sum_comes_first_and_equal_sums_by_their_value():
    assert weights_by(ROWS, "group") == [(2, 9), (1, 5), (0, 1)]
    assert weights_by(ROWS.having(weight=np.ones(4, np.int64)), "attempt") == [(1, 3), (2, 1)]


def test_parts_are_joined_in_their_order():
    assert FactRows.joined([ROWS.of(np.array([1])), ROWS.of(np.array([0]))])["key"].tolist() == [3, 7]
