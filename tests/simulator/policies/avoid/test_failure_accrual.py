"""Failure accrual of Finagle: when an endpoint is marked dead, and for how long."""

import pytest

from simulator.policies import backoff
from simulator.policies.avoid import failure_accrual as accrual
from tests.simulator.policies.made import made


def policy(kind, window=30_000):
    """A policy of that kind with an exponential backoff from 5 ns to 40 ns."""
    state = made(accrual.Accrual, kind=kind, failures=3, window=window, required_rate=0.8, min_requests=5)
    state.backoff.kind, state.backoff.start_ns, state.backoff.maximum_ns = backoff.EXPONENTIAL, 5, 40
    state.backoff.length = backoff.ENDLESS
    accrual.start_accrual(state, 0)
    return state


@pytest.fixture
def consecutive():
    return policy(accrual.CONSECUTIVE_FAILURES)


def test_the_third_failure_in_a_row_is_one_too_many(consecutive):
    assert [bool(accrual.is_enough(consecutive, 0)) for _ in range(4)] == [False, False, True, True]


def test_a_success_begins_a_new_row(consecutive):
    accrual.is_enough(consecutive, 0)
    accrual.is_enough(consecutive, 0)
    accrual.note_success(consecutive, 0)
    assert not accrual.is_enough(consecutive, 0)


def test_a_success_does_not_begin_a_new_backoff(consecutive):
    accrual.mark_dead(consecutive, 0)
    accrual.note_success(consecutive, 0)
    assert accrual.mark_dead(consecutive, 0) == 10


def test_a_revival_does(consecutive):
    accrual.mark_dead(consecutive, 0)
    accrual.revive(consecutive, 0)
    assert accrual.mark_dead(consecutive, 0) == 5


def test_after_the_backoff_it_is_dead_for_five_minutes(consecutive):
    consecutive.backoff.length = 0
    assert accrual.mark_dead(consecutive, 0) == accrual.AFTER_BACKOFF_NS


def test_a_rate_over_requests_needs_as_many():
    state = policy(accrual.REQUESTS_RATE, window=3)
    assert [bool(accrual.is_enough(state, 0)) for _ in range(3)] == [False, False, True]


def test_a_rate_over_a_time_needs_the_time_and_the_requests():
    state = policy(accrual.DURATION_RATE)
    found = [bool(accrual.is_enough(state, ms)) for ms in (29_000, 29_500, 29_900, 29_999, 30_000)]
    assert found == [False, False, False, False, True]
