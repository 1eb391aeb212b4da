"""Log-linear counts of latencies: 64 cells an octave, so a value read back is within 0.8 % of the real one."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Record, several

SUB_BITS = 6
SUB = 1 << SUB_BITS
OCTAVES = 36  # 1 us .. 2**41 us
CELLS = SUB * OCTAVES

Counts = npt.NDArray[np.int64]


class Histogram(Record):
    """Counts of one (topic, broker) in the memory of the event loop."""

    counts: Annotated[Cells, several(CELLS)]


@rule(inlined=True)
def cell_of(value_us: int) -> int:
    """Index of the cell that counts a latency in microseconds."""
    if value_us < SUB:
        return max(value_us, 0)
    v = value_us
    shift = 0
    for step in (32, 16, 8, 4, 2, 1):
        if v >= SUB << step:
            v >>= step
            shift += step
    return min((shift + 1) * SUB + (v - SUB), CELLS - 1)


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
def _add_all(counts: Counts, values_us: Counts) -> None:
    for i in range(values_us.shape[0]):
        counts[cell_of(values_us[i])] += 1


def add(counts: Counts, values_us: Counts) -> None:
    """Count int64 microseconds into `counts` (int64[CELLS]) in place."""
    _add_all(counts, np.ascontiguousarray(values_us, dtype=np.int64))


def percentile_us(counts: npt.NDArray[np.int64], rank_ppm: int) -> float:
    """`quantile` of all `counts` (int64[CELLS]) without compiled code; nan of nothing."""
    total = int(counts.sum())
    if total == 0:
        return float("nan")
    wanted = (total * rank_ppm + 999_999) // 1_000_000
    return middle_us(int(np.searchsorted(np.cumsum(counts), wanted)))


def middle_us(cell: int) -> float:
    """`value_of` without compiled code."""
    if cell < SUB:
        return float(cell)
    shift = cell // SUB - 1
    return float(((cell % SUB + SUB) << shift) + ((1 << shift) - 1) / 2)
