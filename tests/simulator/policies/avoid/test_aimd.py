"""AIMD: one more while the limit is used, a tenth less after a drop."""

import pytest

from simulator.policies.avoid.aimd import Aimd, update_aimd
from tests.simulator.policies.made import made

MS = 1_000_000


@pytest.fixture
def limit():
    return made(Aimd, limit=20, minimum=5, maximum=30, backoff_ratio=0.9, timeout_ns=5_000 * MS)


def test_a_limit_that_is_half_used_grows_by_one(limit):
    assert update_aimd(limit, 10 * MS, 10, 0) == 21


def test_a_limit_that_is_less_used_stays(limit):
    assert update_aimd(limit, 10 * MS, 9, 0) == 20


def test_a_drop_takes_a_tenth(limit):
    assert update_aimd(limit, 10 * MS, 20, 1) == 18


def test_a_request_over_the_time_out_counts_as_a_drop(limit):
    assert update_aimd(limit, 5_000 * MS + 1, 20, 0) == 18


def test_a_request_of_exactly_the_time_out_does_not(limit):
    assert update_aimd(limit, 5_000 * MS, 20, 0) == 21


def test_it_stays_within_its_bounds(limit):
    assert [update_aimd(limit, MS, 40, drop) for drop in [0] * 12 + [1] * 20][11::20] == [30, 5]
