"""Vegas: the queue that a round trip over the least one shows decides."""

import pytest

from simulator.policies.avoid.vegas import Vegas, update_vegas, whole_log10
from tests.simulator.policies.made import made


@pytest.fixture
def limit():
    return made(Vegas, estimate=100, maximum=1_000, smoothing=1, probe_multiplier=30, base_rtt_ns=1_000, jitter=0.5)


def test_the_first_round_trip_becomes_the_least(limit):
    limit.base_rtt_ns = 0
    update_vegas(limit, 777, 100, 0, 0.5)
    assert limit.base_rtt_ns == 777


def test_without_a_queue_it_grows_by_six_logarithms(limit):
    assert update_vegas(limit, 1_000, 100, 0, 0.5) == 112


def test_with_a_long_queue_it_shrinks_by_one_logarithm(limit):
    assert update_vegas(limit, 2_000, 100, 0, 0.5) == 98


def test_a_drop_shrinks_it(limit):
    assert update_vegas(limit, 1_000, 100, 1, 0.5) == 98


def test_a_new_least_round_trip_swallows_a_drop(limit):
    assert update_vegas(limit, 999, 100, 1, 0.5) == 100


def test_a_limit_that_is_not_used_stays(limit):
    assert update_vegas(limit, 1_000, 49, 0, 0.5) == 100


def test_a_probe_forgets_the_least_round_trip(limit):
    limit.samples = 1_499
    update_vegas(limit, 5_000, 100, 0, 0.75)
    assert (limit.base_rtt_ns, limit.samples, limit.jitter) == (5_000, 0, 0.75)


@pytest.mark.parametrize(("limit", "logarithm"), [(1, 1), (9, 1), (99, 1), (100, 2), (1_000, 3)])
def test_the_logarithm_is_at_least_one(limit, logarithm):
    assert whole_log10(limit) == logarithm
