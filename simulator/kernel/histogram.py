"""Log-linear counts of latencies: 64 cells an octave, so a value read back is within 0.8 % of the real one."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Record, several

SUB_BITS = 6
SUB = 1 << SUB_BITS
OCTAVES = 36  # 1 us .. 2**41 us
CELLS = SUB * OCTAVES
_FIRST = (1023 + SUB_BITS - 1) * SUB  # what those bits of a double say for cell 0

Counts = npt.NDArray[np.int64]


class Histogram(Record):
    """Counts of one (topic, broker) in the memory of the event loop."""

    counts: Annotated[Cells, several(CELLS)]


@rule(inlined=True)
def cell_of(value_us: int) -> int:
    """Index of the cell that counts a latency in microseconds."""
    if value_us < SUB:
        return max(value_us, 0)
    # The first bits of the double, which is exact below 2**53: its exponent, then SUB_BITS of the mantissa.
    bits = int(np.float64(value_us).view(np.int64))
    return min((bits >> (52 - SUB_BITS)) - _FIRST, CELLS - 1)


@rule()
def value_of(cell: int) -> float:
    """Middle of a cell in microseconds, as a float."""
    if cell < SUB:
        return float(cell)
    shift = cell // SUB - 1
    low = (cell % SUB + SUB) << shift
    return low + ((1 << shift) - 1) / 2.0


@rule()
def quantile(counts: Cells | Counts, total: int, rank_ppm: int) -> float:
    """Value in microseconds at a rank, in parts per million, of `total` counts."""
    if total == 0:
        return np.nan
    wanted = (total * rank_ppm + 999_999) // 1_000_000
    seen = 0
    for cell in range(CELLS):
        seen += counts[cell]
        if seen >= wanted:
            return value_of(cell)
    return value_of(CELLS - 1)


@rule()
def half_us(counts: Cells, total: int, rank_ppm: int, longest_us: int) -> int:
    """`quantile` in half microseconds, because a cell's middle can be one, and at most the longest; -1 of nothing."""
    if total == 0:
        return -1
    return min(int(2.0 * quantile(counts, total, rank_ppm)), 2 * longest_us)


@rule()
def move(counts: Cells, into: Cells, is_counted: bool) -> None:
    """Add the counts to others if these count them, and set them to 0."""
    for cell in range(CELLS):
        if is_counted:
            into[cell] += counts[cell]
        counts[cell] = 0


@rule()
def _add_all(counts: Counts, values_us: Counts) -> None:
    for i in range(values_us.shape[0]):
        counts[cell_of(values_us[i])] += 1


def add(counts: Counts, values_us: Counts) -> None:
    """Count int64 microseconds into `counts` (int64[CELLS]) in place."""
    _add_all(counts, np.ascontiguousarray(values_us, dtype=np.int64))


def percentile_us(counts: Counts, rank_ppm: int, *, beyond: int = 0) -> float:
    """`quantile` of all `counts` (int64[CELLS]) without compiled code; nan of nothing.

    beyond: values without end besides the counted ones; inf where the rank is among them.
    """
    total = int(counts.sum())
    if total + beyond == 0:
        return float("nan")
    wanted = ((total + beyond) * rank_ppm + 999_999) // 1_000_000
    if wanted > total:
        return float("inf")
    return float(middles(np.searchsorted(np.cumsum(counts), wanted)))


def cells_of(values: Counts, sub_bits: int = SUB_BITS) -> Counts:
    """`cell_of` of values that are not negative without compiled code, of a histogram as fine as that."""
    # frexp is exact for these integers; a logarithm is not.
    exponent = np.frexp(values.astype(np.float64))[1].astype(np.int64) - 1
    shift = np.maximum(exponent - sub_bits, 0)
    return (shift << sub_bits) + (values >> shift)


def middles(cells: Any, sub_bits: int = SUB_BITS) -> Any:
    """`value_of` of a cell or of many without compiled code."""
    shift = np.maximum((cells >> sub_bits) - 1, 0)
    lowest = (cells - (shift << sub_bits)) << shift
    return lowest + ((1 << shift) - 1) / 2
