"""From the blocks of one micro-batch to finished rows, for one cell of a scenario. No Spark here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pyarrow as pa

from simulator.plan.run_plan import Plan
from simulator.run.cell import CELL_TABLES, Cell
from simulator.run.driver import Driver
from simulator.run.event_intake import Refused, UnreadableBlock, arrivals_of, observations_of
from simulator.run.events_ahead import EventsAhead
from state.packing import LayoutError
from state.row import StateRow
from state.tables import REJECTS
from streaming.flow.blocks import ARRIVALS, END, OBSERVATIONS, ORDER, TIME, Block, BlockError, decode
from streaming.texts.flow_texts import FlowTexts

RECORD_MAX = 1_000


def in_order(blocks: Iterable[Block]) -> list[Block]:
    """Blocks by window, observations before arrivals before what ends it; Spark gives them in no order."""
    return sorted(blocks, key=lambda block: (block.window, ORDER.get(block.table, 9), block.table, block.payload))


class Rejects:
    """Rows of the rejects table of one cell as they come up."""

    def __init__(self, cell: int) -> None:
        self.cell = cell
        self.events = 0
        self._rows: list[tuple[str, str, int, str]] = []

    def block(self, block: Block, reason: str) -> None:
        """Refuse a whole block."""
        self.add(block.position, reason, block.events, repr(block.payload[:200]))

    def rows(self, block: Block, refused: Iterable[Refused]) -> None:
        """Refuse rows of a block."""
        for row in refused:
            self.add(f"{block.position}, row {row.row}", row.reason, 1, row.record)

    def add(self, position: str, reason: str, events: int, record: str) -> None:
        """Refuse one thing."""
        self.events += events
        self._rows.append((position, reason, events, record[:RECORD_MAX]))

    def take(self) -> pa.Table | None:
        """The rows so far as a table, None if there are none."""
        if not self._rows:
            return None
        position, reason, events, record = zip(*self._rows, strict=True)
        self._rows = []
        cells = pa.array([self.cell] * len(position), pa.int32())
        columns = [cells, pa.array(position), pa.array(reason), pa.array(events, pa.int64()), pa.array(record)]
        return pa.Table.from_arrays(columns, schema=REJECTS.schema)


class ScenarioStepper:
    """One cell of a scenario between two micro-batches."""

    def __init__(self, plan: Plan, cell: int, stored: StateRow | None, wanted: Iterable[str]) -> None:
        own = plan.cells[cell]
        tables = [name for name in wanted if name in CELL_TABLES]
        self.plan = plan
        self.cell = Cell(own, tables) if stored is None else Cell.restore(own, stored, tables)
        ahead, _ = EventsAhead.unpacked(b"" if stored is None else stored.intake)
        self._driver = Driver(plan, self.cell, ahead)
        self._rejects = Rejects(cell)
        self._is_new = stored is None

    def run(self, blocks: Iterable[Block]) -> Iterator[tuple[str, pa.Table]]:
        """Step through the blocks: finished rows as (table name, rows), rejects last. Raises LayoutError."""
        ordered = in_order(blocks)
        if self._is_new and ordered and all(block.window > 0 for block in ordered):
            raise LayoutError(FlowTexts.STATE_OF_ANOTHER_RUN(run=self.plan.run, cell=self.cell.plan.names.cell))
        self._is_new = False
        for block in ordered:
            self.cell.events_in += block.events
            misplaced = self._misplaced(block)
            if misplaced is not None:
                self._rejects.block(block, misplaced)
            else:
                try:
                    yield from self._take(block)
                except (BlockError, UnreadableBlock) as error:
                    self._rejects.block(block, str(error))
        yield from self._driver.catch_up()
        refused = self._rejects.take()
        if refused is not None:
            yield REJECTS.name, refused
        self.cell.events_rejected += self._rejects.events
        self._rejects.events = 0

    def _misplaced(self, block: Block) -> str | None:
        if block.table not in ORDER:
            return FlowTexts.UNKNOWN_TABLE(table=block.table)
        if block.window < self.cell.next_window and block.table != TIME:
            return FlowTexts.LATE(window=self.cell.next_window - 1)
        if block.table == END:
            end = self.plan.windows
            return None if block.window == end else FlowTexts.WINDOW_OF_THE_END(end=end)
        last = self.plan.windows - 1
        return FlowTexts.WINDOW_BEYOND(last=last) if block.window > last else None

    def _take(self, block: Block) -> Iterator[tuple[str, pa.Table]]:
        from_us = block.window * self.plan.window_us
        if block.table == END:
            yield from self._driver.end()
        elif block.table == TIME:
            yield from self._driver.complete(block.window)
        elif block.table == OBSERVATIONS:
            rows, refused = observations_of(decode(block.payload), self.cell.plan, from_us)
            self._rejects.rows(block, refused)
            self._driver.announce(block.window, rows)
        elif block.table == ARRIVALS:
            until_us = from_us + self.plan.window_us
            events, refused = arrivals_of(decode(block.payload), self.cell.plan, from_us, until_us)
            self._rejects.rows(block, refused)
            self._driver.arrive(block.window, events)
        else:
            raise BlockError(FlowTexts.NO_TABLE_OF_SCENARIOS(table=block.table))

    def snapshot(self) -> StateRow:
        """What is remembered."""
        return replace(self.cell.snapshot(), intake=self._driver.ahead.packed())
