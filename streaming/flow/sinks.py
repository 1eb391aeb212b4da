"""The sinks by name, and how one micro-batch is given to several."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from streaming.flow.console_sink import ConsoleSink
from streaming.flow.parquet_sink import ParquetSink
from streaming.flow.sink import Sink, Written

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SINKS = ("parquet", "console")


def sink_of(name: str, out: Path) -> Sink:
    """The sink of that name for a job with that output folder."""
    return ParquetSink(out) if name == "parquet" else ConsoleSink()


def write_all(sinks: Sequence[Sink], blocks: DataFrame, batch_id: int) -> Written:
    """Give one micro-batch to every sink; what all of them wrote."""
    if len(sinks) == 1:
        return sinks[0].write(blocks, batch_id)
    blocks.persist()  # every pass over the blocks would step the cells again
    try:
        return [part for sink in sinks for part in sink.write(blocks, batch_id)]
    finally:
        blocks.unpersist()
