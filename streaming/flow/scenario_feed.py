"""What the source can be asked for: blocks of any step, again and again the same.

A step is one window of virtual time; the step after the last window ends the run.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Protocol

import numpy as np
import pyarrow as pa

from simulator.compiled.records import Array
from simulator.plan.compile import compile_text
from simulator.plan.run_plan import CellPlan, Plan
from simulator.plan.timetable import COLUMNS
from simulator.run.driver import windows_of
from simulator.workload import Arrivals
from streaming.flow.blocks import ARRIVALS, END, OBSERVATIONS, TIME, Block, encode


class Feed(Protocol):
    """A replayable run: `steps` steps of `window_us` for `cells` cells."""

    @property
    def steps(self) -> int:
        """Steps of the run, the last one ends it."""
        ...

    @property
    def cells(self) -> int:
        """Cells of the run."""
        ...

    @property
    def window_us(self) -> int:
        """Virtual time of a step."""
        ...

    def events_per_step(self) -> float:
        """Expected events of all cells in a step, for admission control."""
        ...

    def blocks(self, cell: int, first: int, last: int) -> Iterator[Block]:
        """Blocks of one cell for steps [first, last), in order."""
        ...


def _arrivals_batch(plan: CellPlan, events: Arrivals) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(
        [
            pa.array(events.at_us),
            pa.array(plan.names.producer_of_thread[events.thread].astype(np.int32)),
            pa.array(plan.names.number_of_thread[events.thread].astype(np.int32)),
            pa.array(events.topic.astype(np.int16)),
            pa.array(events.draw),
        ],
        names=["at_us", "producer", "thread", "topic", "draw"],
    )


def _observations(rows: Array) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array(column) for column in rows.T], names=list(COLUMNS))


class ScenarioFeed:
    """Events of a compiled scenario: arrivals, and broker observations some time ahead."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    @property
    def steps(self) -> int:
        """Windows with arrivals, and the end."""
        return self.plan.windows + 1

    @property
    def cells(self) -> int:
        """Number of cells."""
        return len(self.plan.cells)

    @property
    def window_us(self) -> int:
        """Length of a step."""
        return self.plan.window_us

    def events_per_step(self, step: int = 0) -> float:
        """Mean arrivals of all cells in a window, and about as many messages as closed loops begin."""
        cells = self.plan.cells
        streams = [own.streams_at(step * self.plan.window_us) for own in cells]
        arriving = float(sum((some.interval_q / some.interval_p).sum() for some in streams))
        return arriving * self.plan.window_us + sum(own.loop_sends_per_window for own in cells)

    def blocks(self, cell: int, first: int, last: int) -> Iterator[Block]:
        """Blocks of one cell for steps [first, last): every window has one, even an empty one, and is then complete."""
        own = self.plan.cells[cell]
        for step, announced, events in windows_of(self.plan, own, first, last):
            if len(announced):
                yield Block(self.plan.run, cell, step, OBSERVATIONS, len(announced), encode(_observations(announced)))
            batch = _arrivals_batch(own, events)
            yield Block(self.plan.run, cell, step, ARRIVALS, batch.num_rows, encode(batch))
            yield Block(self.plan.run, cell, step, TIME, 0, b"")
        if first <= self.plan.windows < last:
            yield Block(self.plan.run, cell, self.plan.windows, END, 0, b"")


@cache
def plan_of(scenario_yaml: str) -> Plan:
    """The compiled scenario; compiled once a process."""
    return compile_text(scenario_yaml)
