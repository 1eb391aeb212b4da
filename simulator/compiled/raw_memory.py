"""A cell of memory by its address: how plain Python reads and writes what compiled rules work on."""

from __future__ import annotations

from ctypes import c_double, c_int64

import numpy as np
import numpy.typing as npt

CELL_BYTES = 8


def number_at(address: int) -> int:
    """The number in a cell, as numpy's int64: it wraps where a compiled rule's does."""
    return np.int64(c_int64.from_address(address).value)  # type: ignore[return-value]


def put_number(address: int, value: int) -> None:
    """Write a number into a cell."""
    c_int64.from_address(address).value = int(value)


def real_at(address: int) -> float:
    """The double whose bits are in a cell."""
    return c_double.from_address(address).value


def put_real(address: int, value: float) -> None:
    """Write the bits of a double into a cell."""
    c_double.from_address(address).value = float(value)


def numbers_at(address: int, count: int) -> npt.NDArray[np.int64]:
    """The cells from an address on as an array; it does not keep them alive."""
    return np.frombuffer(memoryview((c_int64 * count).from_address(address)).cast("B"), np.int64)


def distance_of(word: int) -> int:
    """The cells from a stored reference to what it refers to: the low half of its cell."""
    return ((int(word) + 0x80000000) & 0xFFFFFFFF) - 0x80000000


def length_of(word: int) -> int:
    """The elements of the region that a stored reference refers to: the high half of its cell."""
    return int(word) >> 32


def few_bits(word: int, bits: int, shift: int) -> int:
    """The number in some bits of a cell: with a sign, of one bit 0 or 1."""
    number = int(word) >> shift & (1 << bits) - 1
    return number - (1 << bits) if bits > 1 and number >> bits - 1 else number


def with_bits(word: int, number: int, bits: int, shift: int) -> int:
    """The cell with another number there."""
    mask = (1 << bits) - 1 << shift
    word = int(word) & ~mask | int(number) << shift & mask
    return (word + (1 << 63)) % (1 << 64) - (1 << 63)


def reference(distance: int, length: int) -> int:
    """The cell of a stored reference."""
    return length << 32 | distance & 0xFFFFFFFF
