"""What the operator asks of a stepper, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

import pyarrow as pa

from state.row import StateRow
from streaming.flow.blocks import Block
from streaming.flow.run_spec import RunSpec


class Stepper(Protocol):
    """One cell between two micro-batches.

    A stepper lives for one micro-batch. It is called in this order:

    1. It is made from the state row that the last micro-batch stored, or from None in the first one (`StepperOf`).
    2. `run` once, with all blocks of the cell in this micro-batch, in any order.
    3. The rows of `run` to their end. `run` is lazy: a block is stepped through as its rows are taken.
    4. `snapshot` once. What it gives is stored, and the next stepper is made from it.

    A snapshot taken before the rows of `run` are exhausted is that of a cell which has not taken all its blocks. The
    micro-batch is committed all the same, and the rest is never given again: rows would be missing.
    """

    def run(self, blocks: Iterable[Block]) -> Iterator[tuple[str, pa.Table]]:
        """Step through blocks: finished rows as (table name, rows)."""
        ...

    def snapshot(self) -> StateRow:
        """What is remembered; holds only after the rows of `run` are exhausted."""
        ...


# (run, cell, the state row that was stored, names of the tables to give) -> the stepper of that cell
StepperOf = Callable[[RunSpec, int, StateRow | None, Iterable[str]], Stepper]
