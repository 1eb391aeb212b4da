"""Adaptive retries of AWS: the measured rate, the cubic curve and the bucket."""

import pytest

from simulator.policies.retry import aws_adaptive as aws
from tests.simulator.policies.made import made


@pytest.fixture
def rate():
    state = made(aws.AdaptiveRate)
    aws.start_adaptive(state, 100.75)
    return state


def test_sending_is_free_until_a_response_was_throttled(rate):
    assert aws.wait_to_send(rate, 100.75) == 0.0


def test_the_first_bucket_begins_at_the_whole_second(rate):
    aws.note_response(rate, 0, 101.0)
    assert rate.measured_per_s == 0.8


def test_a_throttled_response_cuts_the_rate_to_seven_tenths(rate):
    rate.measured_per_s, rate.last_bucket_s = 10, 101
    aws.note_response(rate, 1, 101.0)
    assert (rate.most_per_s, rate.fill_per_s) == (10, 7)


def test_then_sending_waits_for_a_token(rate):
    rate.measured_per_s, rate.last_bucket_s = 10, 101
    aws.note_response(rate, 1, 101.0)
    rate.tokens = 0
    assert aws.wait_to_send(rate, 101.0) == pytest.approx(1 / 7)


def test_the_curve_is_back_at_the_plateau_at_its_zero_point(rate):
    rate.measured_per_s, rate.last_bucket_s = 10, 200
    aws.note_response(rate, 1, 101.0)
    aws.note_response(rate, 0, 101.0 + rate.zero_point_s)
    assert rate.fill_per_s == pytest.approx(10)


def test_throttling_before_any_rate_was_measured_leaves_half_a_request_a_second(rate):
    rate.last_bucket_s = 101
    aws.note_response(rate, 1, 100.75)
    assert rate.fill_per_s == 0.5
