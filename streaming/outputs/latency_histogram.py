"""Percentiles without keeping the values."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from simulator.kernel.histogram import cells_of, middles
from state.sums import add_at

MAX_BITS = 40  # values from 2**40 us (12 days) on are counted as the largest


class LatencyHistogram:
    """Counts of integer values in buckets as those of `simulator.kernel.histogram`, one histogram a group.

    Each power of two is cut in 2**sub_bits equal buckets, so a percentile is off by less than
    2**-sub_bits of its value: 0.2 % with 9 bits, 0.8 % with 7. Values below 2**(sub_bits + 1) are exact.
    """

    def __init__(self, groups: int, sub_bits: int = 9) -> None:
        self.sub_bits = sub_bits
        self.buckets = (MAX_BITS - sub_bits + 1) << sub_bits
        self.counts = np.zeros((groups, self.buckets), dtype=np.uint32 if sub_bits < 9 else np.int64)
        self.largest = np.zeros(groups, dtype=np.int64)

    def add(self, group: np.ndarray, value: np.ndarray) -> None:
        """Count `value[i]` (negative counts as 0) in group `group[i]`; groups below 0 are left out."""
        kept = group >= 0
        group, value = group[kept], value[kept]
        add_at(self.counts.reshape(-1), group * self.buckets + self.bucket(value), 1)
        np.maximum.at(self.largest, group, value)

    def bucket(self, value: np.ndarray) -> np.ndarray:
        """Bucket of each value."""
        return cells_of(np.clip(value, 0, (1 << MAX_BITS) - 1).astype(np.int64), self.sub_bits)

    def quantile(self, q: float, groups: np.ndarray | slice | int | None = None) -> float | np.ndarray:
        """Nearest-rank quantile `q` (0..1) of every one of `groups`; NaN where nothing was counted.

        Without `groups`, the quantile of all groups taken together.
        """
        counts = self.counts.sum(axis=0, dtype=np.int64) if groups is None else self.counts[groups]
        largest = self.largest.max(initial=0) if groups is None else self.largest[groups]
        upto = np.atleast_2d(counts).cumsum(axis=1, dtype=np.int64)
        total = upto[:, -1]
        rank = np.maximum(np.ceil(q * total), 1)
        found = np.minimum((upto < rank[:, None]).sum(axis=1), self.buckets - 1)
        # The bucket of the largest value stands for that value: 3,000 ms, the usual timeout, not 2,998.
        value = np.where(found == self.bucket(np.atleast_1d(largest)), largest, middles(found, self.sub_bits))
        result = np.where(total > 0, value, np.nan)
        return result if counts.ndim == 2 else float(result[0])

    def quantiles_ms(self, lines: int, bins: int, quantiles: Mapping[str, float]) -> dict[str, np.ndarray]:
        """Quantiles of values in us as [lines, bins] in ms, by name; the histogram of a bin is group line * bins + bin.

        A line at a time: the running sums of all of them together would take ten times the memory.
        """
        parts = [slice(line * bins, (line + 1) * bins) for line in range(lines)]
        return {name: np.array([self.quantile(q, part) for part in parts]) / 1000 for name, q in quantiles.items()}
