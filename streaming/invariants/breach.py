"""A rule that rows break: its name, their table, and the first of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streaming.texts.invariant_texts import InvariantTexts

Broken = Mapping[str, npt.NDArray[Any]]  # by rule: a flag for each row, or the numbers of rows


@dataclass(frozen=True)
class Breach:
    """rule: its name; rows: how many break it; first: the first of them."""

    rule: str
    table: str
    rows: int
    first: Mapping[str, Any]

    def __str__(self) -> str:
        shown = ", ".join(f"{name}={value}" for name, value in self.first.items() if value is not None)
        return InvariantTexts.BROKEN(rule=self.rule, rows=self.rows, table=self.table, first=shown)


def breaches(table: str, rows: pa.Table, broken: Broken) -> list[Breach]:
    """A breach for each rule that some rows break."""
    found = []
    for rule, those in broken.items():
        places = np.flatnonzero(those) if those.dtype == np.bool_ else those
        if len(places):
            found.append(Breach(rule, table, len(places), rows.slice(int(places[0]), 1).to_pylist()[0]))
    return found
