import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.kernel.latency import EDGES, TAIL_START, WORDS, mean_us, service_us
from simulator.scenario import Broker

NORMAL = NormalDist()
SPECS = [
    {"constant": "2ms"},
    {"uniform": {"min": "1ms", "max": "3ms"}},
    {"exponential": {"mean": "2ms"}},
    {"lognormal": {"p50": "1ms", "p99": "12ms"}},
    {"table": {"p0": "1ms", "p50": "2ms", "p99": "10ms", "p100": "40ms"}},
]
LOGNORMALS = [("1ms", "2ms"), ("1ms", "12ms"), ("5ms", "500ms"), ("1ms", "1s")]


def broker(latency) -> Broker:
    return Broker.model_validate({"latency": latency})


@pytest.mark.parametrize(
    ("latency", "mean"),
    [*zip(SPECS[:3], [2000, 2000, 2000], strict=True), (SPECS[4], 0.5 * 1500 + 0.49 * 6000 + 0.01 * 25_000)],
)
def test_the_mean_of_the_table_is_the_mean_of_the_distribution(latency, mean):
    assert mean_us(broker(latency).service_table_us()) == pytest.approx(mean, rel=1e-3)


@pytest.mark.parametrize(("p50", "p99"), LOGNORMALS)
def test_a_lognormal_has_the_mean_and_the_tail_of_its_formula(p50, p99):
    b = broker({"lognormal": {"p50": p50, "p99": p99}})
    lognormal, table = b.latency.lognormal, b.service_table_us()
    assert mean_us(table) == pytest.approx(lognormal.p50_us * math.exp(lognormal.sigma**2 / 2), rel=0.005)
    for rank in (0.5, 0.9, 0.99, 0.999, 0.9999):
        true_us = lognormal.p50_us * math.exp(lognormal.sigma * NORMAL.inv_cdf(rank))
        assert service_us(table, int(rank * WORDS)) == pytest.approx(true_us, rel=0.005)


@pytest.mark.parametrize("latency", SPECS)
@given(st.lists(st.integers(0, WORDS - 1), min_size=2, max_size=50))
def test_service_times_never_fall_when_the_word_rises(latency, words):
    table = broker(latency).service_table_us()
    times = [service_us(table, word) for word in sorted(words)]
    assert times == sorted(times)


@pytest.mark.parametrize("word", [0, TAIL_START - 1, TAIL_START, WORDS - 1])
@pytest.mark.parametrize("latency", SPECS)
def test_neighbours_of_a_seam_of_the_table_are_in_order(latency, word):
    table = broker(latency).service_table_us()
    around = [service_us(table, w) for w in (max(word - 1, 0), word, min(word + 1, WORDS - 1))]
    assert around == sorted(around)


def test_the_table_says_no_more_than_its_extremes():
    table = broker(SPECS[4]).service_table_us()
    assert (service_us(table, 0), service_us(table, WORDS - 1)) == (1_000, 40_000)


def test_a_table_is_shared_and_cannot_be_written():
    one, other = broker(SPECS[3]).service_table_us(), broker(SPECS[3]).service_table_us()
    assert one is other
    assert one.dtype == np.int64
    assert one.shape == (EDGES,)
    assert not one.flags.writeable


def test_service_times_at_even_ranks_are_the_percentiles_of_the_distribution():
    table = broker(SPECS[4]).service_table_us()
    times = np.array([service_us(table, min(WORDS * rank // 100, WORDS - 1)) for rank in range(101)])
    assert [int(times[rank]) for rank in (0, 50, 99, 100)] == pytest.approx([1_000, 2_000, 10_000, 40_000], abs=5)
    assert np.all(np.diff(times) >= 0)


@pytest.mark.parametrize("latency", SPECS)
def test_the_lookup_is_the_same_without_the_compiler(latency):
    table = broker(latency).service_table_us()
    words = [0, 1, 12_345_678, TAIL_START - 1, TAIL_START, 4_290_000_000, WORDS - 1]
    plain = getattr(service_us, "py_func", service_us)
    assert [service_us(table, w) for w in words] == [int(plain(table, np.int64(w))) for w in words]
