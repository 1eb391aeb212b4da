"""The one way a cell is led through a scenario: what is announced, what arrives, the end; finished rows come out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa

from simulator.compiled.records import Array
from simulator.engine.memory.settings import FAR
from simulator.plan.run_plan import CellPlan, Plan
from simulator.plan.timetable import announced_in
from simulator.run.cell import Cell
from simulator.run.event_intake import concatenated
from simulator.run.events_ahead import EventsAhead
from simulator.workload import NO_ARRIVALS, Arrivals, arrivals

ARRIVALS_A_STEP = 30_000  # windows are stepped together up to this many, to bound memory

Rows = Iterator[tuple[str, pa.Table]]  # finished rows as (table name, rows)


class Driver:
    """A cell, what waits for its windows to be complete, and the arrivals that are stepped with the next windows'."""

    def __init__(self, plan: Plan, cell: Cell, ahead: EventsAhead | None = None) -> None:
        self.plan = plan
        self.cell = cell
        self.ahead = EventsAhead() if ahead is None else ahead
        self._waiting: list[Arrivals] = []
        self._count = 0  # of what waits

    def announce(self, window: int, rows: Array) -> None:
        """Take broker observations int64[n, 5] that are known from the begin of a window on."""
        self.ahead.announce(window, rows)

    def arrive(self, window: int, events: Arrivals) -> None:
        """Take arrivals of one window, all of them or some."""
        self.ahead.arrive(window, events)

    def complete(self, window: int) -> Rows:
        """Nothing more comes of the windows up to this one: take over what they have."""
        for number in self.ahead.windows_until(window):
            announced, events = self.ahead.take(number)
            if len(announced):
                yield from self._step(number * self.plan.window_us)
                self.cell.observe(announced)
            yield from self._close(number, events)
        yield from self._close(window, NO_ARRIVALS)

    def whole(self, window: int, announced: Array, events: Arrivals) -> Rows:
        """The same of a window whose events come all at once, in their order, while nothing waits for another."""
        if len(announced):
            yield from self._step(window * self.plan.window_us)
            self.cell.observe(announced)
        yield from self._close(window, events)

    def _close(self, window: int, events: Arrivals) -> Rows:
        self.cell.next_window = max(self.cell.next_window, window + 1)
        if len(events):
            self._wait(events)
        if self._count >= ARRIVALS_A_STEP:
            yield from self.catch_up()

    def _wait(self, events: Arrivals) -> None:
        self._waiting.append(events)
        self._count += len(events)

    def catch_up(self) -> Rows:
        """Handle everything up to the last window that is complete."""
        yield from self._step(min(self.cell.next_window, self.plan.windows) * self.plan.window_us)

    def pause_at(self, at_us: int) -> Rows:
        """Handle everything before a moment; the windows before its own are complete, and its own has all its events.

        What arrives in it from then on waits.
        """
        window = at_us // self.plan.window_us
        announced, events = self.ahead.take(window)
        if len(announced):
            yield from self._step(window * self.plan.window_us)
            self.cell.observe(announced)
        self._wait(events.between(0, at_us))
        self.ahead.arrive(window, events.between(at_us, FAR))
        yield from self._step(at_us)

    def end(self, windows: int | None = None) -> Rows:
        """Handle the rest and let everything in flight end; after `windows` windows instead of all of the plan's."""
        windows = self.plan.windows if windows is None else windows
        yield from self.complete(windows - 1)
        yield from self._step(windows * self.plan.window_us)
        yield from self._step(FAR)
        self.cell.next_window = self.plan.windows + 1

    def _step(self, until_us: int) -> Rows:
        events = concatenated(self._waiting) if self._waiting else NO_ARRIVALS
        self._waiting, self._count = [], 0
        if until_us == FAR or until_us > self.cell.clock_us or len(events):
            for name, tables in self.cell.step(events, until_us).items():
                for table in tables:
                    yield name, table


def windows_of(plan: Plan, own: CellPlan, first: int, last: int) -> Iterator[tuple[int, Array, Arrivals]]:
    """The events of a cell in windows [first, last): number, observations int64[n, 5] from it on, arrivals."""
    for window in range(first, min(last, plan.windows)):
        announced = announced_in(plan.observations, window, plan.window_us)
        yield window, announced, _arriving(plan, own, window)


def _arriving(plan: Plan, own: CellPlan, window: int) -> Arrivals:
    begin, until = window * plan.window_us, min((window + 1) * plan.window_us, plan.duration_us)
    if own.recorded is not None:
        return own.recorded.between(begin, until)
    found = arrivals(own.streams_at(begin), plan.seed, window, plan.window_us, plan.duration_us)
    return found if own.silent is None else _without(found, own, own.silent)


def _without(found: Arrivals, own: CellPlan, silent: Array) -> Arrivals:
    """The arrivals but those of processes that send nothing at their moment."""
    producer, kept = own.names.producer_of_thread[found.thread], np.ones(len(found), bool)
    for number, from_us, until_us in silent.tolist():
        kept &= (producer != number) | (found.at_us < from_us) | (found.at_us >= until_us)
    return found.taken(kept)


def drive(plan: Plan, cell: Cell, stopped: Callable[[], bool] = lambda: False) -> Rows:
    """A cell from where it is to the end of its scenario, or to the end of the window in which `stopped` turns true."""
    driver = Driver(plan, cell)
    for window, announced, events in windows_of(plan, cell.plan, cell.next_window, plan.windows):
        cell.events_in += len(announced) + len(events)
        yield from driver.whole(window, announced, events)
        if stopped():
            return
    yield from driver.end()
