"""Backoffs of Finagle: the durations of each kind of series."""

import pytest

from simulator.policies import backoff
from tests.simulator.policies.made import made


def durations(kind, draws, start_ns=5, maximum_ns=40):
    """The durations that follow one another with those draws."""
    series = made(backoff.Backoff, kind=kind, start_ns=start_ns, maximum_ns=maximum_ns, length=backoff.ENDLESS)
    backoff.restart(series)
    found = [int(series.now_ns)]
    for drawn in draws:
        backoff.step(series, drawn)
        found.append(int(series.now_ns))
    return found


@pytest.mark.parametrize(
    ("kind", "draws", "expected"),
    [
        (backoff.CONSTANT, [0, 0], [5, 5, 5]),
        (backoff.LINEAR, [0] * 8, [5, 10, 15, 20, 25, 30, 35, 40, 40]),
        (backoff.EXPONENTIAL, [0] * 4, [5, 10, 20, 40, 40]),
        (backoff.EQUAL_JITTERED, [0, 3, 7], [5, 5, 13, 27]),
        (backoff.EXPONENTIAL_JITTERED, [9, 30, 0], [5, 9, 30, 40]),
        (backoff.DECORRELATED_JITTERED, [9, 25], [5, 14, 39]),
    ],
)
def test_a_series_is_that_of_its_kind(kind, draws, expected):
    assert durations(kind, draws) == expected


def test_the_first_equal_jittered_duration_needs_no_draw_and_the_second_is_up_to_twice_the_start():
    series = made(backoff.Backoff, kind=backoff.EQUAL_JITTERED, start_ns=5, maximum_ns=40)
    backoff.restart(series)
    assert (series.now_ns, backoff.range_of_draw(series)) == (5, 5)


def test_a_series_is_exhausted_after_its_length():
    series = made(backoff.Backoff, kind=backoff.EXPONENTIAL, start_ns=5, maximum_ns=40, length=1)
    backoff.restart(series)
    backoff.step(series, 0)
    assert backoff.is_exhausted(series)
