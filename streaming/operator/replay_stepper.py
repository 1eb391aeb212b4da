"""From the blocks of one micro-batch to the decisions of a replay. No Spark here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from simulator.compiled.region_store import columns
from simulator.replay import replay_codes
from simulator.replay.recording_rows import rows_of
from simulator.replay.replay_plan import ReplayPlan
from simulator.replay.replay_world import InputRow
from simulator.replay.replayer import Replayer
from simulator.run.event_intake import Refused, UnreadableBlock
from state.row import StateRow
from state.tables import DECISIONS, REJECTS
from streaming.flow.blocks import END, RECORDING, Block, BlockError, decode
from streaming.operator.scenario_stepper import Rejects, in_order
from streaming.texts.flow_texts import FlowTexts


class ReplayStepper:
    """One recording between two micro-batches."""

    def __init__(self, plan: ReplayPlan, cell: int, stored: StateRow | None) -> None:
        self.replayer = Replayer(plan) if stored is None else Replayer.restore(plan, stored)
        self._rejects = Rejects(cell)

    def run(self, blocks: Iterable[Block]) -> Iterator[tuple[str, pa.Table]]:
        """Replay the blocks: their decisions as (table name, rows), rejects last."""
        replayer = self.replayer
        for block in in_order(blocks):
            replayer.events_in += block.events
            if block.window < replayer.next_window:
                self._rejects.block(block, f"late: the replay has passed step {replayer.next_window - 1}")
                continue
            replayer.next_window = block.window + 1
            try:
                decisions = self._take(block)
            except (BlockError, UnreadableBlock) as error:
                self._rejects.block(block, str(error))
                continue
            if decisions.num_rows:
                yield DECISIONS.name, decisions
        refused = self._rejects.take()
        if refused is not None:
            yield REJECTS.name, refused
        replayer.events_rejected += self._rejects.events
        self._rejects.events = 0

    def _take(self, block: Block) -> pa.Table:
        if block.table == END:
            return self.replayer.finish()
        if block.table != RECORDING:
            raise BlockError(FlowTexts.NO_TABLE_OF_REPLAYS(table=block.table))
        table = decode(block.payload)
        rows, unusable = rows_of(table, self.replayer.plan)
        decisions, reasons = self.replayer.step(rows)
        places = np.flatnonzero(reasons)
        numbers = table.column("row").to_numpy()
        for place in places:
            row = int(rows[place, columns(InputRow)["row"]])
            said = table.slice(int(np.flatnonzero(numbers == row)[0]), 1).to_pylist()[0]
            record = ", ".join(f"{name}={value}" for name, value in said.items() if value is not None)
            unusable.append(Refused(row, replay_codes.REFUSALS[reasons[place]], record))
        self._rejects.rows(block, sorted(unusable, key=lambda refused: refused.row))
        latest = pc.max(table.column("run_us")).as_py() if "run_us" in table.column_names else None
        self.replayer.clock_us = max(self.replayer.clock_us, latest or 0)
        return decisions

    def snapshot(self) -> StateRow:
        """What is remembered."""
        return self.replayer.snapshot()
