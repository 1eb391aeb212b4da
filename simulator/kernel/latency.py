"""Service times as a table of integers that an event loop looks up with one 32-bit random word.

Layout of a table, int64[EDGES], microseconds at ranks (the value at index i is the left edge of cell i):

    index    0 .. 4031   ranks i / 4096: the lower 63/64 of all words, 2**20 words a cell
    index 4032 .. 8127   ranks 63/64 + (i - 4032) / 2**18: the upper 1/64, 2**14 words a cell
    index 8128           the right edge of the last cell

Between two edges the value is linear and rounded to the nearest microsecond. Every edge but the last is the
distribution's own quantile. The last is chosen so that the mean of the last cell is the distribution's mean
above its left edge: linear interpolation up to a far quantile would give the cell far too much weight.
So values above rank 1 - 2**-18 are right on average only, and none is above SERVICE_MAX_US.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy as np
import numpy.typing as npt

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Record, several

BODY_CELLS = 4032
BODY_BITS = 20
TAIL_CELLS = 4096
TAIL_BITS = 14
TAIL_START = BODY_CELLS << BODY_BITS
EDGES = BODY_CELLS + TAIL_CELLS + 1
WORDS = 1 << 32
SERVICE_MAX_US = 3_600_000_000  # times a slow factor of 1e9 millionths it still fits 64 bits

Table = npt.NDArray[np.int64]


class LatencyTable(Record):
    """A table among others in the memory of the event loop."""

    edges: Annotated[Cells, several(EDGES)]


@rule(inlined=True)
def service_us(edges: Cells | Table, u: int) -> int:
    """Service time in microseconds of a random word `u` in [0, 2**32); never falls when u rises.

    `edges` is int64[EDGES]; `u` must be a signed 64-bit integer (numba turns uint64 with int64 into a float).
    """
    if u < TAIL_START:
        cell = u >> BODY_BITS
        part = u & ((1 << BODY_BITS) - 1)
        low = edges[cell]
        return low + (((edges[cell + 1] - low) * part + (1 << (BODY_BITS - 1))) >> BODY_BITS)
    over = u - TAIL_START
    cell = BODY_CELLS + (over >> TAIL_BITS)
    part = over & ((1 << TAIL_BITS) - 1)
    low = edges[cell]
    return low + (((edges[cell + 1] - low) * part + (1 << (TAIL_BITS - 1))) >> TAIL_BITS)


def table_us(quantile_us: Callable[[float], float], mean_above_us: Callable[[float], float]) -> Table:
    """The table of a distribution, read-only int64[EDGES].

    `quantile_us(rank)` for ranks in [0, 1) is the value at a rank; `mean_above_us(rank)` the mean above it.
    """
    ranks = edge_ranks()
    values = [quantile_us(rank) for rank in ranks[:-1]]
    values.append(max(values[-1], 2.0 * mean_above_us(ranks[-2]) - values[-1]))
    return _frozen(values)


def table_of_points_us(points: Sequence[tuple[float, int]]) -> Table:
    """The table of a piecewise linear distribution, read-only int64[EDGES].

    `points` are (rank in 0..1, microseconds), both rising; the first rank is 0 and the last is 1.
    """
    ranks, values = zip(*points, strict=True)
    return _frozen(np.interp(edge_ranks(), ranks, values).tolist())


def edge_ranks() -> list[float]:
    """The rank of every edge of a table, 0 first and 1 last; all are exact binary fractions."""
    body = [cell / 4096 for cell in range(BODY_CELLS)]
    return body + [63 / 64 + cell / 2**18 for cell in range(TAIL_CELLS + 1)]


def mean_us(table: Table) -> float:
    """Mean service time of a table over all words, in microseconds."""
    middles = (table[1:] + table[:-1]) / 2.0
    return float((middles[:BODY_CELLS].sum() * 64 + middles[BODY_CELLS:].sum()) / 2**18)


def share_above(table: Table, limit_us: int) -> float:
    """The share of the service times of a table that are longer than a limit, to the cell."""
    cells = table[1:] > limit_us
    return float((cells[:BODY_CELLS].sum() * 64 + cells[BODY_CELLS:].sum()) / 2**18)


def _frozen(values: Sequence[float]) -> Table:
    clipped = [min(max(round(value), 0), SERVICE_MAX_US) for value in values]
    table = np.maximum.accumulate(np.array(clipped, dtype=np.int64))
    assert table.shape == (EDGES,)
    table.flags.writeable = False
    return table
