"""Attempts and intervals of resilience4j."""

import pytest

from simulator.policies.retry.fixed_attempts import NO_RETRY, Attempts, wait_after
from tests.simulator.policies.made import made


@pytest.fixture
def attempts():
    return made(Attempts, max_attempts=4, interval_ms=5, multiplier=1)


def waits(attempts, unit=0.0):
    return [int(wait_after(attempts, attempt, unit)) for attempt in (1, 2, 3, 4)]


def test_a_fixed_interval_until_the_attempts_are_used_up(attempts):
    assert waits(attempts) == [5, 5, 5, NO_RETRY]


def test_an_exponential_one_is_truncated_at_every_step(attempts):
    attempts.multiplier = 1.5
    assert waits(attempts) == [5, 7, 10, NO_RETRY]


def test_it_is_capped(attempts):
    attempts.multiplier, attempts.longest_ms = 2, 8
    assert waits(attempts) == [5, 8, 8, NO_RETRY]


def test_a_random_one_lies_around_the_interval(attempts):
    attempts.interval_ms, attempts.randomization = 100, 0.5
    assert [waits(attempts, unit)[0] for unit in (0.0, 0.5, 0.999)] == [50, 100, 150]


def test_a_random_one_is_at_least_a_millisecond(attempts):
    attempts.interval_ms, attempts.randomization = 1, 1
    assert waits(attempts)[0] == 1
