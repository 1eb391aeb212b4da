"""Rows that findings are made from, as columns of numbers; a page of a short run does not wait for pandas' import."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class FactRows:
    """Columns by name, each [n]."""

    columns: dict[str, np.ndarray]

    @classmethod
    def none(cls, names: Sequence[str]) -> FactRows:
        """No rows of such columns."""
        return cls({name: np.empty(0, dtype=np.int64) for name in names})

    @classmethod
    def joined(cls, parts: Sequence[FactRows]) -> FactRows:
        """The rows of all parts, in their order."""
        return cls({name: np.concatenate([part[name] for part in parts]) for name in parts[0].columns})

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns[name]

    def of(self, chosen: np.ndarray) -> FactRows:
        """The rows of a mask, or of positions."""
        return FactRows({name: values[chosen] for name, values in self.columns.items()})

    def having(self, **columns: np.ndarray) -> FactRows:
        """The same rows with other or further columns."""
        return FactRows(self.columns | columns)

    def in_order(self, *names: str) -> FactRows:
        """Sorted by columns, the first of them first; equal rows keep their order."""
        return self.of(np.lexsort([self.columns[name] for name in reversed(names)]))

    def last_of(self, name: str) -> FactRows:
        """The last row of each value of a column, of rows in its order."""
        values = self.columns[name]
        return self.of(np.r_[values[1:] != values[:-1], True][: len(values)])


def weights_by(rows: FactRows, name: str) -> list[tuple[int, int]]:
    """The sum of `weight` for each value of a column, the largest first."""
    values, places = np.unique(rows[name], return_inverse=True)
    sums = np.zeros(len(values), np.int64)
    np.add.at(sums, places, rows["weight"].astype(np.int64))
    order = np.argsort(-sums, kind="stable")
    return list(zip(values[order].tolist(), sums[order].tolist(), strict=True))
