"""Parquet files as a sink, named by their micro-batch. One pass a micro-batch."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from streaming.files.parquet_files import SPARE_PREFIX, STAGE, ParquetFiles
from streaming.flow.blocks import PROGRESS, decode
from streaming.flow.row_files import BeginFiles, part_name
from streaming.flow.sink import WRITTEN_SCHEMA, Written, written_batch, written_of
from streaming.spark.worker import giving_back, settle

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame


def parquet_writer(begin: BeginFiles, batch_id: int) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A mapInArrow function: writes the rows of blocks, gives (table, rows) and the progress documents.

    `begin`: files of that name.
    """

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow.parquet  # noqa: F401
        from pyspark import TaskContext

        settle()
        task = TaskContext.get()
        partition = 0 if task is None else task.partitionId()
        files = begin(part_name(batch_id, partition))
        progress = []
        for batch in batches:
            columns = [batch.column(name) for name in ("run", "tbl", "payload")]
            for run, table_name, payload in zip(*columns, strict=True):
                if table_name.as_py() == PROGRESS:
                    progress.append((PROGRESS, 1, payload.as_py()))
                else:
                    files.write(run.as_py(), table_name.as_py(), decode(payload.as_buffer()))
        files.close()
        yield written_batch([(name, rows, b"") for name, rows in files.rows.items()] + progress)

    return giving_back(write)


class ParquetSink:
    """Writes TABLE/run=RUN/*.parquet in a folder."""

    spark_settings: Mapping[str, str] = MappingProxyType({})
    passes = 1

    def __init__(self, out: Path) -> None:
        self.out = out

    @property
    def files(self) -> BeginFiles:
        """Those in the folder."""
        return partial(ParquetFiles, self.out)

    def begin(self) -> None:
        """Remove files that a killed task left unfinished."""
        sweep(self.out)

    def write(self, blocks: DataFrame, batch_id: int) -> Written:
        """Write one micro-batch; rows by table and the documents of every task."""
        return written_of(blocks.mapInArrow(parquet_writer(self.files, batch_id), WRITTEN_SCHEMA))


def sweep(out: Path) -> None:
    """Remove files that a killed task, or a killed compaction, left unfinished."""
    for spare in out.glob(f"*/run=*/{SPARE_PREFIX}*"):
        spare.unlink(missing_ok=True)
    shutil.rmtree(out / STAGE, ignore_errors=True)
