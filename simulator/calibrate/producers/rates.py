"""Rates over time: the periods of a group between which its load changed, by change points of its counts.

Binary segmentation of Poisson counts: a cut is made where it raises the likelihood most, as long as it raises it by
more than chance and the rates beside it differ by a part that matters.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

GAIN_LEAST = 12.0  # of the logarithm of the likelihood, times the logarithm of the number of seconds
CHANGE_LEAST = 0.2
LENGTH_LEAST = 10

Reals = npt.NDArray[np.float64]


def periods(counts: Reals) -> list[tuple[int, int, float]]:
    """(first, past the last, mean) of each period of counts a second."""
    cuts = sorted({0, len(counts), *_cuts(counts, 0, len(counts))})
    return [(low, high, float(counts[low:high].mean())) for low, high in pairwise(cuts)]


def _cuts(counts: Reals, low: int, high: int) -> list[int]:
    if high - low < 2 * LENGTH_LEAST:
        return []
    part = counts[low:high]
    n = np.arange(1, len(part))
    left, total = np.cumsum(part)[:-1], part.sum()
    right = total - left
    gain = (
        _likelihood(left, n) + _likelihood(right, len(part) - n) - _likelihood(np.array([total]), np.array([len(part)]))
    )
    gain[: LENGTH_LEAST - 1] = gain[len(gain) - LENGTH_LEAST + 1 :] = 0.0
    place = int(np.argmax(gain))
    rates = left[place] / n[place], right[place] / (len(part) - n[place])
    if gain[place] < GAIN_LEAST * np.log(len(counts)) or max(rates) < (1 + CHANGE_LEAST) * min(rates):
        return []
    cut = low + place + 1
    return [*_cuts(counts, low, cut), cut, *_cuts(counts, cut, high)]


def _likelihood(total: Reals, length: npt.NDArray[np.int64]) -> Reals:
    return np.where(total > 0, total * np.log(np.maximum(total, 1e-300) / length), 0.0)
