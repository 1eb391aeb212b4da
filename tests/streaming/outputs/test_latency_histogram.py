"""Percentiles of the log-linear histogram against NumPy's on the values themselves."""

import numpy as np
import pytest

from streaming.outputs.latency_histogram import LatencyHistogram

DISTRIBUTIONS = {
    "lognormal": lambda random: random.lognormal(8, 1.5, 50_000),
    "timeouts": lambda random: np.r_[random.lognormal(7, 0.5, 49_000), np.full(1_000, 3_000_000)],
    "uniform to a day": lambda random: random.uniform(0, 86_400_000_000, 50_000),
    "a handful": lambda random: np.array([3, 1_000, 70_000]),
}


def histogram_of(values, sub_bits=9):
    histogram = LatencyHistogram(1, sub_bits)
    histogram.add(np.zeros(len(values), dtype=np.int64), values.astype(np.int64))
    return histogram


@pytest.mark.parametrize("sub_bits", [7, 9])
@pytest.mark.parametrize("q", [0.5, 0.99, 0.999])
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_percentiles_are_within_one_percent_of_the_values(name, q, sub_bits):
    values = DISTRIBUTIONS[name](np.random.default_rng(3)).astype(np.int64)
    exact = np.quantile(values, q, method="inverted_cdf")
    assert histogram_of(values, sub_bits).quantile(q, 0) == pytest.approx(exact, rel=0.01)


def test_a_timeout_is_reported_as_it_is():
    assert histogram_of(np.full(10, 3_000_000)).quantile(0.5, 0) == 3_000_000


def test_buckets_are_in_the_order_of_the_values():
    histogram = LatencyHistogram(1)
    values = np.unique(np.r_[np.arange(5_000), 2 ** np.arange(40), 2 ** np.arange(1, 40) - 1])
    buckets = histogram.bucket(values)
    assert (np.diff(buckets) >= 0).all()
    assert buckets[-1] < histogram.buckets


def test_values_beyond_the_range_count_as_the_largest_bucket():
    histogram = histogram_of(np.array([-5, 2**50]))
    assert histogram.quantile(0.1, 0) == 0
    assert histogram.quantile(1.0, 0) == 2**50


def test_an_empty_group_has_no_percentile():
    assert np.isnan(LatencyHistogram(2).quantile(0.5, 1))


def test_all_groups_together():
    histogram = LatencyHistogram(2)
    histogram.add(np.array([0, 0, 1, -1]), np.array([10, 20, 30, 999]))
    assert histogram.quantile(0.5) == 20
    assert histogram.quantile(1.0) == 30
