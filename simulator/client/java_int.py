"""Java's 32-bit int arithmetic on int64 values that hold sign-extended ints.

Source: Java Language Specification 15.17.3 (remainder) and java.lang.Math.abs.
"""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule

INT_MAX = 0x7FFFFFFF
INT_MIN = -0x80000000


@rule()
def wrap_int(value: int) -> int:
    """The int that `value` overflows to."""
    return ((value + 0x80000000) & 0xFFFFFFFF) - 0x80000000


@rule()
def abs_int(value: int) -> int:
    """Math.abs: the smallest int stays negative."""
    if value == INT_MIN:
        return INT_MIN
    return abs(value)


@rule()
def remainder(value: int, divisor: int) -> int:
    """Java's `value % divisor` for a positive divisor: has the sign of `value`."""
    if value >= 0:
        return value % divisor
    return -(-value % divisor)


@rule()
def remainder_of_ints(value: int, divisor: int) -> int:
    """`value % divisor` where neither has a sign: divided as 32 bits, for which a processor needs the least time."""
    return np.int64(np.uint32(value) % np.uint32(divisor))  # type: ignore[return-value]
