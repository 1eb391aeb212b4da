"""Gradient2: a round trip against the long average."""

import pytest

from simulator.policies.avoid.gradient2 import Gradient2, update_gradient2
from tests.simulator.policies.made import made


@pytest.fixture
def limit():
    return made(Gradient2, estimate=20, minimum=20, maximum=200, queue=4, smoothing=0.2, tolerance=1.5, long_window=600)


def test_steady_round_trips_let_it_grow_by_a_fifth_of_the_queue(limit):
    update_gradient2(limit, 1_000, 20)
    assert limit.estimate == pytest.approx(20.8)


def test_a_limit_that_is_less_than_half_used_stays(limit):
    update_gradient2(limit, 1_000, 9)
    assert limit.estimate == 20


def test_it_never_falls_below_its_minimum(limit):
    limit.warm_up_count, limit.long_rtt_ns = 10, 1_000
    assert update_gradient2(limit, 100_000, 20) == 20


def test_slow_round_trips_halve_it_at_most(limit):
    limit.estimate, limit.smoothing, limit.warm_up_count, limit.long_rtt_ns = 100, 1, 10, 1_000
    assert update_gradient2(limit, 100_000, 100) == 54


def test_the_average_of_the_first_ten_is_a_plain_mean(limit):
    for rtt_ns in (1_000, 3_000):
        update_gradient2(limit, rtt_ns, 0)
    assert limit.long_rtt_ns == 2_000


def test_an_average_twice_too_long_is_shortened_by_a_twentieth(limit):
    limit.warm_up_count, limit.long_rtt_ns, limit.long_window = 10, 3_000, 10**9
    update_gradient2(limit, 1_000, 0)
    assert limit.long_rtt_ns == pytest.approx(2_850)
