"""A scenario that was changed while it ran: its feed and its stepper, which turn to the next one at its step.

Which scenario a step is of follows from its number alone, so that rows do not depend on micro-batches or kills.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

import pyarrow as pa

from simulator.plan.run_plan import Plan
from simulator.run.carried_over import carried_over
from state.row import StateRow
from streaming.flow.blocks import Block
from streaming.flow.scenario_feed import ScenarioFeed
from streaming.flow.scenario_stepper import ScenarioStepper, in_order

Turns = Sequence[tuple[int, Plan]]  # (from which step on, the plan), the first from 0


def _place(turns: Turns, step: int) -> int:
    """Number of the plan that a step is of."""
    return max(place for place, (first, _) in enumerate(turns) if first <= max(step, 0))


class ReloadedFeed(ScenarioFeed):
    """The feed of a scenario with turns; as long as the last of them."""

    def __init__(self, turns: Turns) -> None:
        super().__init__(turns[-1][1])
        self._turns = turns

    def events_per_step(self, step: int | None = None) -> float:
        """Mean events of a step, by default of those after the last turn."""
        return super().events_per_step(self._turns[-1][0] if step is None else step)

    def blocks(self, cell: int, first: int, last: int) -> Iterator[Block]:
        """Blocks of one cell for steps [first, last), each as the plan of its step has it."""
        ends = [begin for begin, _ in self._turns[1:]] + [last]
        for (begin, plan), end in zip(self._turns, ends, strict=True):
            yield from ScenarioFeed(plan).blocks(cell, max(first, begin), min(last, end))


class ReloadedStepper:
    """One cell of such a scenario between two micro-batches."""

    def __init__(self, turns: Turns, cell: int, stored: StateRow | None, wanted: Iterable[str]) -> None:
        self._turns, self._cell, self._wanted = turns, cell, tuple(wanted)
        # A cell that stands at a turn has not taken it: it does so with the first block that lies beyond.
        self._now = 0 if stored is None else _place(turns, stored.next_window - 1)
        self._stepper = ScenarioStepper(turns[self._now][1], cell, stored, self._wanted)

    def run(self, blocks: Iterable[Block]) -> Iterator[tuple[str, pa.Table]]:
        """Step through the blocks: finished rows as (table name, rows)."""
        for place, some in groupby(in_order(blocks), lambda block: max(_place(self._turns, block.window), self._now)):
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
