"""Sums of rows by place."""

from __future__ import annotations

import numpy as np
import pytest

from state.sums import add_at


@pytest.mark.parametrize("kind", [np.int64, np.int16, np.bool_])
def test_values_of_any_kind_are_added_where_places_repeat(kind):
    sums = np.zeros(3, np.int64)
    add_at(sums, np.array([0, 2, 2]), np.array([1, 1, 1], kind))
    assert sums.tolist() == [1, 0, 2]


def test_one_number_is_added_at_every_place():
    sums = np.zeros((2, 2), np.uint32)
    add_at(sums, (np.array([0, 0]), np.array([1, 1])), 1)
    assert sums.tolist() == [[0, 2], [0, 0]]
