"""The retry budget of Finagle: what requests pay in, what retries take, and what expires."""

import pytest

from simulator.policies.retry import budget
from tests.simulator.policies.made import made


def started(ttl_ms=10_000, min_per_s=10, percent=0.2):
    state = made(budget.Budget)
    budget.start_budget(state, ttl_ms, min_per_s, percent, 0)
    return state


def test_the_reserve_of_the_defaults_is_a_hundred_retries_at_once():
    assert budget.retries_left(started(), 0) == 100


def test_five_requests_pay_for_one_retry():
    state = started(min_per_s=0)
    for _ in range(5):
        budget.deposit(state, 0)
    assert (budget.withdraw(state, 0), budget.withdraw(state, 0)) == (True, False)


def test_what_is_taken_comes_back_after_the_time():
    state = started()
    budget.withdraw(state, 0)
    assert (budget.retries_left(state, 5_000), budget.retries_left(state, 11_000)) == (99, 100)


def test_the_reserve_counts_whole_seconds_only():
    assert budget.retries_left(started(ttl_ms=1_999), 0) == 10


def test_no_percent_and_no_minimum_never_allow_one():
    assert not budget.withdraw(started(min_per_s=0, percent=0.0), 0)


@pytest.mark.parametrize(("percent", "cost"), [(0.2, 5_000), (0.7, 1_428), (1.0, 1_000)])
def test_a_retry_costs_so_many_requests(percent, cost):
    assert started(percent=percent).cost == cost
