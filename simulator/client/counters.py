"""ThreadLocalIndex: the counter behind every choice of a queue, one step function for each of its variants.

It draws Random.nextInt() as a hash that can be scripted and stored.
A view has one (`sendWhichQueue`), a fault table another (`whichItemWorst`). A step increments first, then answers.
Source: rocketmq, client.common.ThreadLocalIndex.getAndIncrement / incrementAndGet / reset.
"""

from __future__ import annotations

import numpy as np

from simulator.client.java_int import INT_MAX, abs_int, wrap_int
from simulator.compiled.jit import rule
from simulator.compiled.records import Record
from simulator.kernel.randomness import mix, signed


class Counter(Record):
    """The counter of one thread, or of one fault table."""

    value: int  # raw Java int
    seeded: int  # 0 until the first use drew its random start
    random: int  # state of the generator it draws from: its low 32 bits are the next Random.nextInt()


@rule()
def next_int(counter: Counter) -> int:
    """Random.nextInt(): the low 32 bits of the generator as an int; it moves on to its next state."""
    value = wrap_int(counter.random & 0xFFFFFFFF)
    counter.random = signed(mix(np.uint64(counter.random)))
    return value


@rule()
def next_below_int_max(counter: Counter) -> int:
    """Random.nextInt(Integer.MAX_VALUE): a value in [0, 2**31 - 1)."""
    value = next_int(counter) & INT_MAX
    while value == INT_MAX:
        value = next_int(counter) & INT_MAX
    return value


@rule()
def next_below(counter: Counter, bound: int) -> int:
    """A value in [0, bound); even to within bound / 2**31."""
    return (next_int(counter) & INT_MAX) % bound


@rule()
def start_absolute(counter: Counter) -> None:
    """First use, up to 4.9.8: the absolute value of a random int (the smallest int stays negative)."""
    counter.seeded = 1
    counter.value = abs_int(next_int(counter))


@rule()
def start_raw(counter: Counter) -> None:
    """First use, since 5.0.0: a random int as it is."""
    counter.seeded = 1
    counter.value = next_int(counter)


@rule()
def step_4_2_0(counter: Counter) -> int:
    """4.2.0-4.7.1: stored as the absolute value; what is still negative becomes 0."""
    if counter.seeded == 0:
        start_absolute(counter)
    value = max(abs_int(wrap_int(max(counter.value, 0) + 1)), 0)
    counter.value = value
    return value


@rule()
def step_4_8_0(counter: Counter) -> int:
    """4.8.0: stored as the absolute value; at the top it flips between smallest and largest int."""
    if counter.seeded == 0:
        start_absolute(counter)
    value = abs_int(wrap_int(counter.value + 1))
    counter.value = value
    return value


@rule()
def step_4_9_0(counter: Counter) -> int:
    """4.9.0-4.9.3: stored raw, answered as the absolute value; past the top it walks backwards."""
    if counter.seeded == 0:
        start_absolute(counter)
    value = wrap_int(counter.value + 1)
    counter.value = value
    return abs_int(value)


@rule()
def step_4_9_4(counter: Counter) -> int:
    """4.9.4-4.9.8: stored raw, answered without its sign bit."""
    if counter.seeded == 0:
        start_absolute(counter)
    value = wrap_int(counter.value + 1)
    counter.value = value
    return value & INT_MAX


@rule()
def step_5_0_0(counter: Counter) -> int:
    """5.0.0 and later: as 4.9.4, but started from any int."""
    if counter.seeded == 0:
        start_raw(counter)
    value = wrap_int(counter.value + 1)
    counter.value = value
    return value & INT_MAX


@rule()
def reset_index(counter: Counter) -> None:
    """5.1.4 and later: the counter becomes a random value in [0, 2**31 - 1)."""
    counter.seeded = 1
    counter.value = next_below_int_max(counter)
