"""Hedging: when a second request is sent, and how many."""

import pytest

from simulator import codes
from simulator.policies.policy import NO_HEDGE
from simulator.policies.retry.backup_requests import PART
from tests.simulator.policies.made import RulesOf, part_with

RULES = RulesOf(PART)

MS, S = 1_000, 1_000_000


def waits_us(latencies_ms, at_s=13, outcome=codes.SEND_OK, **parameters):
    """How long the first request is waited for when a bucket with those latencies is full."""
    state = part_with(PART, **parameters)
    for latency_ms in latencies_ms:
        RULES.ended(state, 0, 1, 1 * S, latency_ms * MS, outcome)
    return RULES.hedge(state, 1, at_s * S)


def test_the_wait_is_a_percentile_of_the_last_latencies():
    assert waits_us(range(1, 51), extra=0.1) == 45 * MS


def test_before_anything_is_known_nothing_is_sent_twice():
    assert waits_us([5] * 100, at_s=2) == NO_HEDGE


def test_until_the_first_bucket_is_full_the_wait_is_a_millisecond():
    assert waits_us([5] * 100, at_s=4) == 1 * MS


def test_a_fast_failure_does_not_count():
    assert waits_us([5] * 100, outcome=codes.CONNECT_REFUSED) == 1 * MS


def test_from_two_seconds_on_nothing_is_sent_twice():
    assert waits_us([2_500] * 100, outcome=codes.RESPONSE_TIMEOUT) == NO_HEDGE


def test_only_the_first_request_has_another_beside_it():
    assert RULES.hedge(part_with(PART), 2, 4 * S) == NO_HEDGE


@pytest.mark.parametrize(("requests", "backups"), [(99, 0), (100, 1), (399, 3)])
def test_the_budget_lets_one_in_a_hundred_pass(requests, backups):
    state = part_with(PART)
    for _ in range(requests):
        RULES.sent(state, 0, 1, 4 * S)
    assert sum(RULES.may_hedge(state, 1, 4 * S) for _ in range(10)) == backups
