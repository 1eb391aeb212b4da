"""ThreadLocalIndex: the counter behind every choice of a queue, one step function for each of its variants.

A counter is three cells, in a view (`sendWhichQueue`) as in a faults block (`whichItemWorst`): the raw int,
whether its random start was drawn, and the generator it draws from. A step increments first, then answers.
Source: rocketmq, client.common.ThreadLocalIndex.getAndIncrement / incrementAndGet / reset.
"""

from __future__ import annotations

import numpy as np

from simulator.client.draw import next_below_int_max, next_int
from simulator.client.java_int import INT_MAX, abs_int, wrap_int
from simulator.client.memory import RANDOM, SEEDED, SEND_WHICH_QUEUE
from simulator.compiled.jit import pointer, rule


@rule()
def start_absolute(m: np.ndarray, at: int) -> None:
    """First use, up to 4.9.8: the absolute value of a random int (the smallest int stays negative)."""
    m[at + SEEDED] = 1
    m[at + SEND_WHICH_QUEUE] = abs_int(next_int(m, at + RANDOM))


@rule()
def start_raw(m: np.ndarray, at: int) -> None:
    """First use, since 5.0.0: a random int as it is."""
    m[at + SEEDED] = 1
    m[at + SEND_WHICH_QUEUE] = next_int(m, at + RANDOM)


@rule()
def step_4_2_0(m: np.ndarray, at: int) -> int:
    """4.2.0-4.7.1: stored as the absolute value; what is still negative becomes 0."""
    cells = pointer(m)
    if cells[at + SEEDED] == 0:
        start_absolute(m, at)
    value = max(abs_int(wrap_int(max(cells[at + SEND_WHICH_QUEUE], 0) + 1)), 0)
    cells[at + SEND_WHICH_QUEUE] = value
    return value


@rule()
def step_4_8_0(m: np.ndarray, at: int) -> int:
    """4.8.0: stored as the absolute value; at the top it flips between smallest and largest int for ever."""
    cells = pointer(m)
    if cells[at + SEEDED] == 0:
        start_absolute(m, at)
    value = abs_int(wrap_int(cells[at + SEND_WHICH_QUEUE] + 1))
    cells[at + SEND_WHICH_QUEUE] = value
    return value


@rule()
def step_4_9_0(m: np.ndarray, at: int) -> int:
    """4.9.0-4.9.3: stored raw, answered as the absolute value; past the top it walks backwards."""
    cells = pointer(m)
    if cells[at + SEEDED] == 0:
        start_absolute(m, at)
    value = wrap_int(cells[at + SEND_WHICH_QUEUE] + 1)
    cells[at + SEND_WHICH_QUEUE] = value
    return abs_int(value)


@rule()
def step_4_9_4(m: np.ndarray, at: int) -> int:
    """4.9.4-4.9.8: stored raw, answered without its sign bit."""
    cells = pointer(m)
    if cells[at + SEEDED] == 0:
        start_absolute(m, at)
    value = wrap_int(cells[at + SEND_WHICH_QUEUE] + 1)
    cells[at + SEND_WHICH_QUEUE] = value
    return value & INT_MAX


@rule()
def step_5_0_0(m: np.ndarray, at: int) -> int:
    """5.0.0 and later: as 4.9.4, but started from any int."""
    cells = pointer(m)
    if cells[at + SEEDED] == 0:
        start_raw(m, at)
    value = wrap_int(cells[at + SEND_WHICH_QUEUE] + 1)
    cells[at + SEND_WHICH_QUEUE] = value
    return value & INT_MAX


@rule()
def reset_index(m: np.ndarray, at: int) -> None:
    """5.1.4 and later: the counter becomes a random value in [0, 2**31 - 1)."""
    m[at + SEEDED] = 1
    m[at + SEND_WHICH_QUEUE] = next_below_int_max(m, at + RANDOM)
