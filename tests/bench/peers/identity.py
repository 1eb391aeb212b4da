"""The peer of event mode: an identity `applyInPandasWithState` that takes and gives one row an attempt.

Its rows are attempts of our own run, with the same sixteen columns, read by Spark's own Parquet source, so that
no Python makes them, and written by Spark's own Parquet sink with our codec.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from state.tables import ATTEMPTS
from streaming.files.parquet_files import CODEC

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery
    from pyspark.sql.streaming.state import GroupState

FILES_A_BATCH = 2
ROWS_A_FRAME = 50_000
KEY = "producer"  # 100 keys; `thread` gives four, `cell` two
SPARK_TYPES = {pa.int32(): "int", pa.int64(): "bigint", pa.bool_(): "boolean"}


def schema() -> str:
    """The columns of `attempts` with `run` before them, as Spark calls them."""
    columns = [f"{column.name} {SPARK_TYPES.get(column.type, 'string')}" for column in ATTEMPTS.columns]
    return ", ".join(["run string", *columns])


def prepare_rows(attempts: Path, folder: Path, rows: int, batches: int) -> None:
    """From the attempts of a run to files for that many micro-batches of `rows` rows, all the same."""
    table = pq.ParquetDataset(attempts).read(columns=ATTEMPTS.schema.names).slice(0, rows)
    if table.num_rows < rows:
        raise ValueError(f"the run has {table.num_rows} attempts, a micro-batch needs {rows}")
    table = table.add_column(0, "run", pa.array(["bench"] * rows).dictionary_encode())
    folder.mkdir(parents=True)
    share = -(-rows // FILES_A_BATCH)
    for part in range(FILES_A_BATCH):
        first = folder / f"b000-p{part}.parquet"
        pq.write_table(table.slice(part * share, share), first, compression=CODEC)
        for batch in range(1, batches):
            os.link(first, folder / f"b{batch:03d}-p{part}.parquet")


def identity(key: tuple[Any, ...], frames: Iterator[pd.DataFrame], state: GroupState) -> Iterator[pd.DataFrame]:
    """Give every frame as it came; remember how many rows there were."""
    seen = state.get[0] if state.exists else 0
    for frame in frames:
        seen += len(frame)
        yield frame
    state.update((seen,))


def start_identity(spark: SparkSession, rows: Path, out: Path, checkpoint: Path) -> StreamingQuery:
    """Start the query: rows -> operator -> Parquet."""
    from pyspark.sql.streaming.state import GroupStateTimeout

    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(ROWS_A_FRAME))
    read = spark.readStream.schema(schema()).option("maxFilesPerTrigger", str(FILES_A_BATCH)).parquet(str(rows))
    written = read.groupBy("run", KEY).applyInPandasWithState(
        identity,
        outputStructType=schema(),
        stateStructType="seen bigint",
        outputMode="append",
        timeoutConf=GroupStateTimeout.NoTimeout,
    )
    writer = written.writeStream.format("parquet").option("path", str(out)).option("compression", CODEC)
    return writer.option("checkpointLocation", str(checkpoint)).trigger(availableNow=True).start()
