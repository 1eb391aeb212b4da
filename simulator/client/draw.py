"""The one place where a client draws: Random.nextInt() as a hash that can be scripted and stored."""

from __future__ import annotations

import numpy as np

from simulator.client.java_int import INT_MAX, wrap_int
from simulator.compiled.jit import rule
from simulator.randomness import mix


@rule()
def next_int(m: np.ndarray, at: int) -> int:
    """Random.nextInt(): the low 32 bits of cell `at` as an int; the cell moves on to its next state."""
    value = wrap_int(m[at] & 0xFFFFFFFF)
    m[at] = np.int64(mix(np.uint64(m[at])))
    return value


@rule()
def next_below_int_max(m: np.ndarray, at: int) -> int:
    """Random.nextInt(Integer.MAX_VALUE): a value in [0, 2**31 - 1) from the generator in cell `at`."""
    value = next_int(m, at) & INT_MAX
    while value == INT_MAX:
        value = next_int(m, at) & INT_MAX
    return value


@rule()
def next_below(m: np.ndarray, at: int, bound: int) -> int:
    """A value in [0, bound) from the generator in cell `at`; even to within bound / 2**31."""
    return (next_int(m, at) & INT_MAX) % bound
