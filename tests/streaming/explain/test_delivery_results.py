"""`explain --group` has words for every result of a delivery."""

from __future__ import annotations

from state.group_table import DELIVERY_RESULTS, NOT_FAILED_RESULTS
from streaming.explain.group_delivery import DEAD_LETTER, OUTCOMES


def test_each_result_that_is_a_failure_is_explained():
    assert {*OUTCOMES, DEAD_LETTER, *NOT_FAILED_RESULTS} == set(DELIVERY_RESULTS)
