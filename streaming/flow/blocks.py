"""Blocks: how events and decisions travel through Spark. One row a block, its rows an Arrow IPC stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa

from streaming.texts.flow_texts import FlowTexts

# Into the operator. `events`: how many events the payload stands for, known even if it cannot be read.
IN_SCHEMA = "run string, cell int, window bigint, tbl string, events bigint, payload binary"
IN_ARROW = pa.schema(
    [
        ("run", pa.string()),
        ("cell", pa.int32()),
        ("window", pa.int64()),
        ("tbl", pa.string()),
        ("events", pa.int64()),
        ("payload", pa.binary()),
    ]
)
# Out of the operator. `tbl` = PROGRESS carries a JSON document instead of rows.
OUT_SCHEMA = "run string, cell int, tbl string, rows bigint, payload binary"
PROGRESS = "progress"
BLOCKS_A_BATCH = 64

OBSERVATIONS = "observations"
ARRIVALS = "arrivals"
RECORDING = "recording"
TIME = "time"  # nothing more comes of windows up to the block's
END = "end"
# Blocks of one window are stepped in this order.
ORDER = {OBSERVATIONS: 0, ARRIVALS: 1, RECORDING: 1, TIME: 2, END: 3}


class BlockError(ValueError):
    """The payload of a block cannot be read; the message says why."""


@dataclass(frozen=True)
class Block:
    """One block on its way into the operator."""

    run: str
    cell: int
    window: int
    table: str
    events: int
    payload: bytes

    @property
    def position(self) -> str:
        """Where the block stands in its source."""
        return FlowTexts.POSITION(run=self.run, cell=self.cell, window=self.window, table=self.table)


def encode(batch: pa.RecordBatch | pa.Table, compression: str | None = None) -> bytes:
    """Arrow IPC stream of a record batch or table."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as writer:
        writer.write(batch)
    return sink.getvalue().to_pybytes()


def decode(payload: bytes) -> pa.Table:
    """Rows of a payload. Raises BlockError if it is not an Arrow IPC stream."""
    try:
        return pa.ipc.open_stream(payload).read_all()
    except (pa.ArrowException, OSError, TypeError) as error:
        raise BlockError(FlowTexts.NOT_ARROW(why=error)) from error


def batches_of(blocks: Iterable[Block]) -> Iterator[pa.RecordBatch]:
    """Blocks on their way into the operator as record batches of bounded size, columns as IN_ARROW."""
    waiting: list[Block] = []
    for block in blocks:
        waiting.append(block)
        if len(waiting) == BLOCKS_A_BATCH:
            yield _batch(waiting)
            waiting = []
    if waiting:
        yield _batch(waiting)


def _batch(some: list[Block]) -> pa.RecordBatch:
    columns = ([b.run for b in some], [b.cell for b in some], [b.window for b in some], [b.table for b in some])
    arrays = [*columns, [b.events for b in some], [b.payload for b in some]]
    typed = [pa.array(values, field.type) for values, field in zip(arrays, IN_ARROW, strict=True)]
    return pa.RecordBatch.from_arrays(typed, schema=IN_ARROW)
