"""Outlier detection of gRPC: who is ejected by a sweep, how many at most, and when they come back."""

import pytest

from simulator.compiled.records import size_of
from simulator.policies.avoid.outlier_grpc import NOT_EJECTED, Endpoint, Outliers, sweep
from tests.simulator.policies.made import made

S = 1_000_000_000
HOSTS = 6


@pytest.fixture
def outliers():
    state = made(
        Outliers,
        cells_behind=HOSTS * size_of(Endpoint),
        base_ejection_ns=30 * S,
        max_ejection_ns=300 * S,
        max_ejection_percent=10,
        by_failure_percent=1,
        failure_percent=85,
        failure_percent_enforced=1,
        failure_percent_hosts=5,
        failure_percent_volume=50,
        endpoint_count=HOSTS,
    )
    for number in range(HOSTS):
        state.endpoints[number].ejected_at_ns, state.endpoints[number].judged = NOT_EJECTED, number
    return state


def swept(state, now_ns, *requests):
    """The endpoints that are ejected after a sweep; requests: (succeeded, failed) of the first endpoints."""
    for number in range(HOSTS):
        counts = requests[number] if number < len(requests) else (100, 0)
        state.endpoints[number].succeeded, state.endpoints[number].failed = counts
    sweep(state, HOSTS, now_ns)
    return [n for n in range(HOSTS) if state.endpoints[n].ejected_at_ns != NOT_EJECTED]


def test_who_fails_too_often_is_ejected(outliers):
    assert swept(outliers, 10 * S, (0, 100)) == [0]


def test_exactly_the_threshold_is_not_too_often(outliers):
    assert swept(outliers, 10 * S, (15, 85)) == []


def test_too_few_requests_are_not_judged(outliers):
    assert swept(outliers, 10 * S, (0, 49)) == []


def test_one_is_ejected_though_ten_percent_of_six_are_none(outliers):
    assert swept(outliers, 10 * S, (0, 100), (0, 100)) == [0]


def test_one_out_of_line_is_ejected_by_its_success_rate(outliers):
    outliers.by_failure_percent, outliers.by_success_rate, outliers.stdev_factor = 0, 1, 1.9
    outliers.success_rate_enforced, outliers.success_rate_hosts, outliers.success_rate_volume = 1, 5, 100
    assert swept(outliers, 10 * S, (100, 0), (80, 20)) == [1]


def test_it_comes_back_strictly_after_its_time(outliers):
    swept(outliers, 10 * S, (0, 100))
    assert (swept(outliers, 40 * S, (0, 0)), swept(outliers, 40 * S + 1, (0, 0))) == ([0], [])


def test_the_second_ejection_in_a_row_lasts_twice_as_long(outliers):
    swept(outliers, 10 * S, (0, 100))
    swept(outliers, 41 * S, (0, 0))
    swept(outliers, 51 * S, (0, 100))
    assert (swept(outliers, 111 * S, (0, 0)), swept(outliers, 112 * S, (0, 0))) == ([0], [])
