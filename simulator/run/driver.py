"""The one way a cell is led through a scenario: what is announced, what arrives, the end; finished rows come out."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from simulator.compiled.records import Array
from simulator.engine.settings import FAR
from simulator.plan.run_plan import CellPlan, Plan
from simulator.plan.timetable import announced_in
from simulator.run.cell import Cell
from simulator.run.event_intake import concatenated
from simulator.run.workload import NO_ARRIVALS, Arrivals, arrivals

ARRIVALS_A_STEP = 30_000  # windows are stepped together up to this many, to bound memory

Rows = Iterator[tuple[str, pa.Table]]  # finished rows as (table name, rows)


class Driver:
    """A cell and the arrivals that wait to be stepped with those of the next windows."""

    def __init__(self, plan: Plan, cell: Cell) -> None:
        self.plan = plan
        self.cell = cell
        self._waiting: list[Arrivals] = []

    def announce(self, window: int, rows: Array) -> Rows:
        """Take over broker observations int64[n, 5] that are known from the begin of a window on."""
        yield from self._step(window * self.plan.window_us)
        self.cell.observe(rows)

    def arrive(self, window: int, events: Arrivals) -> Rows:
        """Take the arrivals of one window; it closes the window."""
        self.cell.next_window = window + 1
        self._waiting.append(events)
        if sum(map(len, self._waiting)) >= ARRIVALS_A_STEP:
            yield from self.catch_up()

    def catch_up(self) -> Rows:
        """Handle everything up to the last window that is closed."""
        yield from self._step(min(self.cell.next_window, self.plan.windows) * self.plan.window_us)

    def end(self) -> Rows:
        """Handle the rest and let everything in flight end."""
        yield from self._step(self.plan.windows * self.plan.window_us)
        yield from self._step(FAR)
        self.cell.next_window = self.plan.windows + 1

    def _step(self, until_us: int) -> Rows:
        events = concatenated(self._waiting) if self._waiting else NO_ARRIVALS
        self._waiting = []
        if until_us == FAR or until_us > self.cell.clock_us or len(events):
            for name, tables in self.cell.step(events, until_us).items():
                for table in tables:
                    yield name, table


def windows_of(plan: Plan, own: CellPlan, first: int, last: int) -> Iterator[tuple[int, Array, Arrivals]]:
    """The events of a cell in windows [first, last): number, observations int64[n, 5] from it on, arrivals."""
    for window in range(first, min(last, plan.windows)):
        announced = announced_in(plan.observations, window, plan.window_us)
        yield window, announced, arrivals(own.streams, plan.seed, window, plan.window_us, plan.duration_us)


def drive(plan: Plan, cell: Cell) -> Rows:
    """A cell from the beginning of its scenario to the end."""
    driver = Driver(plan, cell)
    for window, announced, events in windows_of(plan, cell.plan, 0, plan.windows):
        cell.events_in += len(announced) + len(events)
        if len(announced):
            yield from driver.announce(window, announced)
        yield from driver.arrive(window, events)
    yield from driver.end()
