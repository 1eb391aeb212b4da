"""Latencies counted in cells come back within a per cent."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.kernel import histogram


@given(st.integers(0, 2**40))
def test_a_value_comes_back_within_a_per_cent(value_us):
    assert histogram.value_of(histogram.cell_of(value_us)) == pytest.approx(value_us, rel=0.008, abs=0.5)


@given(st.integers(0, 2**41), st.integers(0, 2**41))
def test_a_larger_value_never_goes_to_a_lower_cell(one, other):
    low, high = sorted((one, other))
    assert histogram.cell_of(low) <= histogram.cell_of(high)


@pytest.mark.parametrize(
    ("value_us", "cell"), [(-5, 0), (0, 0), (63, 63), (64, 64), (127, 127), (128, 128), (129, 128)]
)
def test_small_values_have_cells_of_their_own(value_us, cell):
    assert histogram.cell_of(value_us) == cell


@given(st.integers(0, 2**44) | st.integers(6, 44).flatmap(lambda octave: st.integers(2**octave - 2, 2**octave + 2)))
def test_a_value_has_the_cell_that_is_found_without_compiled_code(value_us):
    expected = min(int(histogram.cells_of(np.array([value_us]))[0]), histogram.CELLS - 1)
    assert histogram.cell_of(value_us) == expected


def test_a_value_beyond_every_cell_goes_to_the_last():
    assert histogram.cell_of(2**61) == histogram.CELLS - 1


@given(st.lists(st.integers(0, 10_000_000), min_size=1, max_size=200), st.sampled_from([500_000, 990_000, 999_000]))
def test_a_quantile_is_that_of_the_values(values, rank_ppm):
    counts = np.zeros(histogram.CELLS, np.int64)
    histogram.add(counts, np.array(values))
    exact = sorted(values)[-(-len(values) * rank_ppm // 1_000_000) - 1]
    assert histogram.quantile(counts, len(values), rank_ppm) == pytest.approx(exact, rel=0.008, abs=0.5)
    assert histogram.percentile_us(counts, rank_ppm) == histogram.quantile(counts, len(values), rank_ppm)


def test_nothing_has_no_quantile():
    assert math.isnan(histogram.quantile(np.zeros(histogram.CELLS, np.int64), 0, 500_000))
