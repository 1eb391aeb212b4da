"""A window of samples: handed on when it has enough, thrown away if not."""

import pytest

from simulator.proof.windowed_limit import SampleWindow, add_sample
from tests.simulator.policies.made import made

MS = 1_000_000


@pytest.fixture
def window():
    return made(
        SampleWindow,
        min_window_ns=100 * MS,
        max_window_ns=1_000 * MS,
        window_size=2,
        min_rtt_ns=MS,
        next_update_ns=50 * MS,
    )


def test_a_sample_that_ends_within_the_window_is_only_collected(window):
    assert not add_sample(window, 0, 50 * MS, 1, 0)


def test_the_mean_and_the_most_inflight_are_handed_on(window):
    add_sample(window, 0, 40 * MS, 7, 0)
    assert add_sample(window, 20 * MS, 60 * MS, 3, 0)
    assert (window.mean_rtt_ns, window.mean_inflight, window.mean_dropped) == (50 * MS, 7, 0)


def test_one_drop_makes_the_window_a_dropped_one(window):
    add_sample(window, 0, 40 * MS, 1, 1)
    add_sample(window, 20 * MS, 60 * MS, 1, 0)
    assert window.mean_dropped == 1


def test_too_few_samples_are_thrown_away(window):
    assert (add_sample(window, 0, 60 * MS, 1, 0), window.count) == (False, 0)


def test_a_round_trip_that_is_too_short_is_ignored(window):
    add_sample(window, 0, MS - 1, 1, 0)
    assert window.count == 0


def test_the_next_window_is_twice_the_least_round_trip_within_its_bounds(window):
    add_sample(window, 0, 60 * MS, 1, 0)
    assert window.next_update_ns == 180 * MS
