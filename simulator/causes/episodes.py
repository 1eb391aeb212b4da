"""Stretches of bins in which something happens, as (first, last) of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from simulator.causes.run_figures import Series

NEAR_US = 10_000_000  # what comes again so soon is one episode
DIP = 0.5  # of the lower of two peaks: a lag that falls below it in between makes two episodes


def episodes(happens: npt.NDArray[np.bool_], bin_us: int) -> list[tuple[int, int]]:
    """The episodes, in order."""
    places = np.flatnonzero(happens)
    if not len(places):
        return []
    apart = max(NEAR_US // bin_us, 1)
    parts = np.split(places, np.flatnonzero(np.diff(places) > apart) + 1)
    return [(int(part[0]), int(part[-1])) for part in parts]


def split_at(found: Iterable[tuple[int, int]], begins: Sequence[int], bin_us: int) -> Iterator[tuple[int, int]]:
    """The episodes, cut at moments that lie in them."""
    edges = sorted({int(at_us // bin_us) for at_us in begins})
    for first, last in found:
        at = first
        for edge in edges:
            if at < edge <= last:
                yield at, edge - 1
                at = edge
        yield at, last


def lag_episodes(lag: Series, calm: float, high: float) -> Iterator[tuple[int, int, int | None]]:
    """Episodes in which a lag rises above `high`, from when it leaves `calm` until it is back for good or dips.

    As (first, last, gone): `gone` is the bin from which on it is calm again, None where it is not, or rises again.
    """
    above = np.flatnonzero(lag > calm)
    for part in np.split(above, np.flatnonzero(np.diff(above) > 1) + 1) if len(above) else ():
        if lag[part].max() <= high:
            continue
        first, last = int(part[0]), int(part[-1])
        gone = last + 1 if last + 1 < len(lag) else None
        cuts = [first, *_dips(lag, first, last, high), last + 1]
        for begin, end in pairwise(cuts):
            yield begin, end - 1, gone if end == last + 1 else None


def _dips(lag: Series, first: int, last: int, high: float) -> Iterator[int]:
    """Bins of the lowest lag between two peaks that it leaves clearly."""
    peak, low, low_at = lag[first], np.inf, first
    for at in range(first + 1, last + 1):
        if low < DIP * peak and lag[at] > high and lag[at] > low / DIP:
            yield low_at
            peak, low = lag[at], np.inf
        if lag[at] > peak and low == np.inf:
            peak = lag[at]
        elif lag[at] < low:
            low, low_at = lag[at], at
        if low < np.inf and lag[at] > peak:
            peak, low = lag[at], np.inf
