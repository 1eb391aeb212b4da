"""A scenario that was changed while it ran: its feed, which turns to the next plan at its step.

Which plan a step is of follows from its number alone, so that rows do not depend on micro-batches or kills.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simulator.plan.run_plan import Plan
from streaming.flow.blocks import Block
from streaming.flow.scenario_feed import ScenarioFeed

Turns = Sequence[tuple[int, Plan]]  # (from which step on, the plan), the first from 0


def place_in(turns: Turns, step: int) -> int:
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
