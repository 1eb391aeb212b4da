"""A scenario that was changed while it ran: its stepper, which turns to the next plan at its step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

import pyarrow as pa

from simulator.run.carried_over import carried_over
from state.row import StateRow
from streaming.flow.blocks import Block
from streaming.flow.reloaded_feed import Turns, place_in
from streaming.operator.scenario_stepper import ScenarioStepper, in_order


class ReloadedStepper:
    """One cell of such a scenario between two micro-batches."""

    def __init__(self, turns: Turns, cell: int, stored: StateRow | None, wanted: Iterable[str]) -> None:
        self._turns, self._cell, self._wanted = turns, cell, tuple(wanted)
        # A cell that stands at a turn has not taken it: it does so with the first block that lies beyond.
        self._now = 0 if stored is None else place_in(turns, stored.next_window - 1)
        self._stepper = ScenarioStepper(turns[self._now][1], cell, stored, self._wanted)

    def run(self, blocks: Iterable[Block]) -> Iterator[tuple[str, pa.Table]]:
        """Step through the blocks: finished rows as (table name, rows)."""
        for place, some in groupby(in_order(blocks), lambda block: max(place_in(self._turns, block.window), self._now)):
            while self._now < place:
                self._turn()
            yield from self._stepper.run(some)

    def _turn(self) -> None:
        """Go on under the next plan."""
        before, after = self._turns[self._now][1], self._turns[self._now + 1][1]
        row = self._stepper.snapshot()
        cell = carried_over(before.cells[self._cell], after, after.cells[self._cell], row, ())
        carried = replace(cell.snapshot(), intake=row.intake)
        self._now += 1
        self._stepper = ScenarioStepper(after, self._cell, carried, self._wanted)

    def snapshot(self) -> StateRow:
        """What is remembered."""
        return self._stepper.snapshot()
