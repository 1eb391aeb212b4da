"""Intervals hold what they promise, and each kind of measure gets the method that is right for it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simulator.experiments.intervals import difference, interval, shows
from simulator.experiments.objective import parse_objective


def coverage(kind, draw, truth, runs=20, times=400):
    """Part of the experiments whose 95 % interval holds the truth."""
    generator = np.random.Generator(np.random.Philox(key=7))
    found = [interval(draw(generator, runs), kind) for _ in range(times)]
    return sum(one.low <= truth <= one.high for one in found) / times


def test_students_t_is_that_of_the_tables():
    found = interval([1.0, 2.0, 3.0, 4.0, 5.0], "mean")
    assert (found.mean, found.high) == (3.0, pytest.approx(3 + 2.776445 * math.sqrt(2.5 / 5), abs=1e-5))


def test_the_mean_of_normal_values_is_covered():
    assert 0.92 <= coverage("mean", lambda g, n: g.normal(10, 3, n), 10) <= 0.98


def test_the_mean_of_skewed_percentiles_is_covered():
    assert 0.88 <= coverage("percentile", lambda g, n: g.gamma(2, 50, n), 100) <= 0.98


def test_the_median_of_a_wait_is_covered():
    assert 0.93 <= coverage("wait", lambda g, n: g.exponential(1, n), math.log(2)) <= 0.99


def test_rare_events_are_covered():
    messages = np.full(20, 10_000.0)
    generator = np.random.Generator(np.random.Philox(key=8))
    counts = generator.poisson(0.5, (400, 20))
    found = [interval(100 * c / messages, "events", 95, messages, 100) for c in counts]
    assert 0.93 <= np.mean([one.low <= 0.005 <= one.high for one in found]) <= 0.99


def test_no_event_has_an_upper_bound_above_zero():
    found = interval([0.0] * 10, "events", 95, [1_000.0] * 10, 100)
    assert (found.mean, found.low) == (0, 0)
    assert found.high == pytest.approx(100 * 3.689 / 10_000, rel=1e-3)
    assert "exact Poisson bound" in found.method


def test_few_even_events_have_garwoods_interval():
    found = interval([1.0, 0.0, 2.0, 1.0, 0.0, 1.0], "events")
    assert "Garwood" in found.method
    assert (found.low, found.high) == (pytest.approx(1.6235 / 6, rel=1e-3), pytest.approx(11.6683 / 6, rel=1e-3))


def test_events_in_bursts_are_not_taken_for_chance():
    assert "bootstrap" in interval([0.0, 0.0, 90.0, 0.0, 0.0, 0.0], "events").method


def test_one_run_has_no_interval():
    found = interval([3.0], "mean")
    assert (found.mean, found.low, found.high) == (3.0, None, None)


def test_a_wait_without_end_is_taken_as_it_is():
    found = interval([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, math.inf], "wait")
    assert (found.mean, found.high) == (4.0, math.inf)


@pytest.mark.parametrize(("value", "kind"), [(0.0, "wait"), (3.0, "wait"), (math.inf, "percentile")])
def test_the_same_wait_in_too_few_runs_holds_no_objective(value, kind):
    asked = parse_objective("drain_s > 1" if value == math.inf else "drain_s < 5")
    assert asked.holds(interval([value] * 2, kind)) is None
    assert asked.holds(interval([value] * 6, kind)) is True
    assert asked.holds(interval([4.0] * 2, "mean")) is True


def test_the_same_change_of_a_wait_in_too_few_pairs_is_not_shown():
    base = [4.0, 5.0, 6.0, 7.0, 8.0, 9.0]
    later = [one + 1 for one in base]
    assert not shows(difference(later[:3], base[:3], "wait"))
    assert shows(difference(later, base, "wait"))


def test_identical_runs_differ_by_exactly_nothing():
    found = difference([0.1, 0.7, math.inf], [0.1, 0.7, math.inf], "percentile")
    assert (found.mean, found.low, found.high) == (0.0, 0.0, 0.0)


def test_pairing_shows_what_the_spread_of_the_runs_hides():
    base = [10.0, 50.0, 90.0, 130.0, 170.0, 210.0]
    shifted = [value + 1 + 0.01 * i for i, value in enumerate(base)]
    assert difference(shifted, base, "mean").low > 0.9


def test_the_same_values_have_the_same_interval_whenever_asked():
    values = [3.0, 9.0, 4.0, 40.0, 5.0, 6.0]
    assert interval(values, "percentile") == interval(values, "percentile")


def test_no_interval_reaches_below_nothing():
    assert interval([0.0, 0.0, 0.0, 0.0, 4.0], "mean").low == 0
    assert interval([0.0, 0.0, 0.0, 400.0], "events").low == 0


def test_a_percentile_without_end_is_ordered_and_not_averaged():
    found = interval([300.0, 310.0, math.inf, 305.0, 320.0, 330.0, math.inf], "percentile")
    assert (found.mean, found.high) == (320.0, math.inf)
    assert found.method.startswith("median")


def test_a_difference_to_a_percentile_without_end_is_one_without_end():
    found = difference([300.0, 310.0, 320.0], [math.inf] * 3, "percentile")
    assert found.mean == found.high == -math.inf
