"""From the blocks of one micro-batch to finished rows, for one cell of a scenario. No Spark here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from simulator.engine.settings import FAR
from simulator.plan.run_plan import Plan
from simulator.run.cell import ROOM, Cell
from simulator.run.event_intake import Refused, UnreadableBlock, arrivals_of, concatenated, observations_of
from simulator.run.workload import NO_ARRIVALS, Arrivals
from state.row import StateRow
from state.tables import REJECTS
from streaming.flow.blocks import ARRIVALS, END, OBSERVATIONS, ORDER, Block, BlockError, decode

RECORD_MAX = 1_000
# Windows are stepped together up to this many arrivals, to bound memory.
ARRIVALS_A_STEP = 30_000


def in_order(blocks: Iterable[Block]) -> list[Block]:
    """Blocks by window, observations before arrivals before the end; Spark gives them in no order."""
    return sorted(blocks, key=lambda block: (block.window, ORDER.get(block.table, 9), block.table))


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
        tables = [name for name in wanted if name in ROOM]
        self.plan = plan
        self.cell = Cell(own, tables) if stored is None else Cell.restore(own, stored, tables)
        self._waiting: list[Arrivals] = []
        self._rejects = Rejects(cell)

    def run(self, blocks: Iterable[Block]) -> Iterator[tuple[str, pa.Table]]:
        """Step through the blocks: finished rows as (table name, rows), rejects last."""
        for block in in_order(blocks):
            self.cell.events_in += block.events
            misplaced = self._misplaced(block)
            if misplaced is not None:
                self._rejects.block(block, misplaced)
            else:
                try:
                    yield from self._take(block)
                except (BlockError, UnreadableBlock) as error:
                    self._rejects.block(block, str(error))
        yield from self._step(min(self.cell.next_window, self.plan.windows) * self.plan.window_us)
        refused = self._rejects.take()
        if refused is not None:
            yield REJECTS.name, refused
        self.cell.events_rejected += self._rejects.events
        self._rejects.events = 0

    def _misplaced(self, block: Block) -> str | None:
        if block.table not in ORDER:
            return f"unknown table {block.table}"
        if block.window < self.cell.next_window:
            return f"late: the cell has passed window {self.cell.next_window - 1}"
        if block.table == END:
            end = self.plan.windows
            return None if block.window == end else f"the end of the run is window {end}"
        last = self.plan.windows - 1
        return f"beyond the run's last window {last}" if block.window > last else None

    def _take(self, block: Block) -> Iterator[tuple[str, pa.Table]]:
        window_us = self.plan.window_us
        if block.table == END:
            yield from self._step(block.window * window_us)
            yield from self._step(FAR)
            self.cell.next_window = block.window + 1
        elif block.table == OBSERVATIONS:
            # Known from this window on, whatever came in the same micro-batch.
            yield from self._step(block.window * window_us)
            rows, refused = observations_of(decode(block.payload), self.cell.plan, block.window * window_us)
            self._rejects.rows(block, refused)
            self.cell.observe(rows)
        elif block.table == ARRIVALS:
            from_us = block.window * window_us
            try:
                events, refused = arrivals_of(decode(block.payload), self.cell.plan, from_us, from_us + window_us)
            finally:
                self.cell.next_window = block.window + 1
            self._rejects.rows(block, refused)
            self._waiting.append(events)
            if sum(map(len, self._waiting)) >= ARRIVALS_A_STEP:
                yield from self._step(self.cell.next_window * window_us)
        else:
            raise BlockError(f"a scenario has no table {block.table}")

    def _step(self, until_us: int) -> Iterator[tuple[str, pa.Table]]:
        arrivals = concatenated(self._waiting) if self._waiting else NO_ARRIVALS
        self._waiting = []
        if until_us == FAR or until_us > self.cell.clock_us or len(arrivals):
            for name, tables in self.cell.step(arrivals, until_us).items():
                for table in tables:
                    yield name, table

    def snapshot(self) -> StateRow:
        """What is remembered."""
        return self.cell.snapshot()
