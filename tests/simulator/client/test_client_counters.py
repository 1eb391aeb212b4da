"""The counter of each release at the ends of Java's int."""

import numpy as np
import pytest

from simulator.client import counters
from simulator.client.counters import Counter, next_int

MAX, MIN = 2**31 - 1, -(2**31)


def counter(start):
    return Counter.at(np.array([0, 0, start], np.int64))


def running(value):
    return Counter.at(np.array([value, 1, 0], np.int64))


@pytest.mark.parametrize("step", [counters.step_4_2_0, counters.step_4_8_0, counters.step_4_9_0])
def test_first_use_takes_the_absolute_value_of_the_draw_and_steps(step):
    assert step(counter(-7)) == 8


def test_since_5_0_0_the_draw_is_taken_raw():
    m = counter(-7)
    assert counters.step_5_0_0(m) == (-6 & MAX)
    assert m.value == -6


def test_4_2_0_starts_at_zero_when_the_draw_has_no_absolute_value():
    assert counters.step_4_2_0(counter(MIN)) == 1


def test_4_2_0_goes_from_the_top_to_zero():
    m = running(MAX)
    assert [counters.step_4_2_0(m) for _ in range(2)] == [0, 1]


def test_4_8_0_flips_between_smallest_and_largest_for_ever():
    m = running(MAX)
    assert [counters.step_4_8_0(m) for _ in range(4)] == [MIN, MAX, MIN, MAX]


def test_4_9_0_walks_backwards_past_the_top():
    m = running(MAX)
    assert [counters.step_4_9_0(m) for _ in range(3)] == [MIN, MAX, MAX - 1]


def test_4_9_4_answers_without_the_sign_bit():
    m = running(MAX)
    assert [counters.step_4_9_4(m) for _ in range(3)] == [0, 1, 2]
    assert m.value == MIN + 2


def test_reset_replaces_the_counter_by_a_value_below_int_max():
    m = counter(MAX)
    counters.reset_index(m)
    assert m.seeded == 1
    assert 0 <= m.value < MAX


def test_a_draw_is_the_low_half_of_the_generator_and_moves_it_on():
    m = counter((5 << 32) | 0xFFFFFFFF)
    assert next_int(m) == -1
    assert m.random != (5 << 32) | 0xFFFFFFFF


def test_draws_are_splitmix64():
    m = counter(0)
    next_int(m)
    assert int(m.random) & (2**64 - 1) == 0xE220A8397B1DCDAF
