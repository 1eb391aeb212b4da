"""Where decisions go: Parquet files named by their micro-batch, or the console. One pass a micro-batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from streaming.flow.blocks import PROGRESS, decode
from streaming.flow.parquet_files import SPARE_PREFIX, ParquetFiles
from streaming.spark.worker import giving_back, settle

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

WRITTEN_SCHEMA = "tbl string, rows bigint, payload binary"
SHOWN_ROWS = 10


def _written(rows: list[tuple[str, int, bytes]]) -> pa.RecordBatch:
    import pyarrow as pa

    schema = pa.schema([("tbl", pa.string()), ("rows", pa.int64()), ("payload", pa.binary())])
    columns = [[row[i] for row in rows] for i in range(len(schema))]
    return pa.RecordBatch.from_arrays(
        [pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema
    )


def parquet_writer(out: str, batch_id: int) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A mapInArrow function: writes the rows of blocks, gives (table, rows) and the progress documents.

    A file is named by micro-batch and partition: a micro-batch that is run again puts the same rows under the
    same name, so any reader sees each row once.
    """

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow.parquet  # noqa: F401
        from pyspark import TaskContext

        settle()
        task = TaskContext.get()
        partition = 0 if task is None else task.partitionId()
        files = ParquetFiles(Path(out), f"b{batch_id:08d}-p{partition:04d}")
        progress = []
        for batch in batches:
            columns = [batch.column(name) for name in ("run", "tbl", "payload")]
            for run, table_name, payload in zip(*columns, strict=True):
                if table_name.as_py() == PROGRESS:
                    progress.append((PROGRESS, 1, payload.as_py()))
                else:
                    files.write(run.as_py(), table_name.as_py(), decode(payload.as_buffer()))
        files.close()
        yield _written([(name, rows, b"") for name, rows in files.rows.items()] + progress)

    return giving_back(write)


def write_parquet(blocks: DataFrame, out: Path, batch_id: int) -> list[tuple[str, int, bytes]]:
    """Write one micro-batch; (table, rows, document) of every task."""
    rows = blocks.mapInArrow(parquet_writer(str(out), batch_id), WRITTEN_SCHEMA).collect()
    return [(row.tbl, row.rows, bytes(row.payload)) for row in rows]


def keep_progress_and_head(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A mapInArrow function: progress documents, row counts, and the first attempts of each task as a block."""
    from streaming.flow.blocks import encode

    rows: list[tuple[str, int, bytes]] = []
    shown = False
    for batch in batches:
        for table_name, count, payload in zip(
            *(batch.column(n).to_pylist() for n in ("tbl", "rows", "payload")), strict=True
        ):
            if table_name == PROGRESS:
                rows.append((PROGRESS, 1, payload))
            elif table_name == "attempts" and not shown:
                shown = True
                rows.append((table_name, count, encode(decode(payload).slice(0, SHOWN_ROWS))))
            else:
                rows.append((table_name, count, b""))
    yield _written(rows)


def show_on_console(blocks: DataFrame, out: Path, batch_id: int) -> list[tuple[str, int, bytes]]:
    """Give the first attempts of one micro-batch to the console; (table, rows, document) of every task."""
    rows = blocks.mapInArrow(keep_progress_and_head, WRITTEN_SCHEMA).collect()
    return [(row.tbl, row.rows, bytes(row.payload)) for row in rows]


def attempt_lines(written: list[tuple[str, int, bytes]]) -> Iterator[str]:
    """What the console sink gave, a line an attempt, and a line that counts the rest."""
    for table_name, count, payload in written:
        if table_name != "attempts" or not payload:
            continue
        rows = decode(payload).to_pylist()
        for row in rows:
            sent = f"{row['topic']} #{row['send_seq']} of producer {row['producer']}.{row['thread']}"
            code = f" {row['response_code']}" if row["response_code"] else ""
            more = ", retried" if row["will_retry"] else ""
            yield (
                f"{row['end_us'] / 1e6:11.6f} s  {sent}, attempt {row['attempt']}: {row['broker']} queue "
                f"{row['queue_id']} ({row['pick_reason']}) {row['outcome']}{code} after {row['latency_ms']} ms{more}"
            )
        if count > len(rows):
            yield f"{'':11}    ... and {count - len(rows):,} more attempts in this block"


SINKS = {"parquet": write_parquet, "console": show_on_console}


def sweep(out: Path) -> None:
    """Remove files that a killed task left unfinished."""
    for spare in out.glob(f"*/run=*/{SPARE_PREFIX}*"):
        spare.unlink(missing_ok=True)
