"""Bisection finds the edge, says when there is none, and when the objectives go up and down."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.experiments.search import search


def run(count, holds, *, smallest=True):
    """A search to its end, with what was tried."""
    known = {}
    while True:
        state = search(count, known.get, smallest=smallest)
        if not state.wanted:
            return state
        assert not set(state.wanted) & known.keys()
        known |= {number: holds(number) for number in state.wanted}


@given(st.integers(2, 200), st.data())
def test_the_least_value_that_holds_is_found(count, data):
    edge = data.draw(st.integers(0, count - 1))
    state = run(count, lambda n: n >= edge)
    assert (state.answer, state.monotone) == (edge, True)


@given(st.integers(2, 200), st.data())
def test_the_greatest_value_that_holds_is_found(count, data):
    edge = data.draw(st.integers(0, count - 1))
    state = run(count, lambda n: n <= edge, smallest=False)
    assert (state.answer, state.monotone) == (edge, True)


def test_few_values_are_tried():
    assert len(run(1_000, lambda n: n >= 371).tried) <= 15


def test_nothing_in_the_range_is_said():
    state = run(29, lambda n: False)
    assert (state.answer, state.wanted) == (None, ())


@pytest.mark.parametrize("holds", [lambda n: n in range(5, 12), lambda n: n == 0, lambda n: n >= 20 and n != 24])
def test_what_is_not_monotone_is_said(holds):
    assert not run(29, holds).monotone
