"""A cell of memory by its address: how plain Python reads and writes what compiled rules work on."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

CELL_BYTES = 8
BYTES_OF_PLACE = 3  # an address shifted right by so many bits counts cells


class _Memory:
    """Every cell of the process but the first, in an array: reading one by its place is a third of a ctypes read.

    It is never looked at as a whole.
    """

    def __init__(self, kind: str) -> None:
        self.__array_interface__ = {"version": 3, "data": (CELL_BYTES, False), "shape": (1 << 59,), "typestr": kind}


NUMBERS: npt.NDArray[np.int64] = np.asarray(_Memory("=i8"))
REALS: npt.NDArray[np.float64] = np.asarray(_Memory("=f8"))


def place_of(address: int) -> int:
    """Where a cell lies in `NUMBERS` and `REALS`."""
    return (address >> BYTES_OF_PLACE) - 1


def number_at(address: int) -> int:
    """The number in a cell, as numpy's int64: it wraps where a compiled rule's does."""
    return NUMBERS[(address >> BYTES_OF_PLACE) - 1]  # type: ignore[no-any-return]


def put_number(address: int, value: int) -> None:
    """Write a number into a cell; it wraps to 64 bits."""
    try:
        NUMBERS[(address >> BYTES_OF_PLACE) - 1] = int(value)
    except OverflowError:
        NUMBERS[(address >> BYTES_OF_PLACE) - 1] = wrapped(int(value))


def wrapped(number: int) -> int:
    """The int64 that a number overflows to."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def real_at(address: int) -> float:
    """The double whose bits are in a cell."""
    return float(REALS[place_of(address)])


def put_real(address: int, value: float) -> None:
    """Write the bits of a double into a cell."""
    REALS[place_of(address)] = float(value)


def numbers_at(address: int, count: int) -> npt.NDArray[np.int64]:
    """The cells from an address on as an array; it does not keep them alive."""
    return NUMBERS[place_of(address) :][:count]


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
    return wrapped(int(word) & ~mask | int(number) << shift & mask)


def reference(distance: int, length: int) -> int:
    """The cell of a stored reference."""
    return length << 32 | distance & 0xFFFFFFFF
