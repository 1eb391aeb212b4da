"""The peer of small micro-batches: Spark's own source and an operator with state that does nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery
    from pyspark.sql.streaming.state import GroupState


def remember(key: tuple[Any, ...], frames: Iterator[pd.DataFrame], state: GroupState) -> Iterator[pd.DataFrame]:
    """Give nothing; count the rows."""
    seen = state.get[0] if state.exists else 0
    state.update((seen + sum(len(frame) for frame in frames),))
    yield from ()


def start_empty(spark: SparkSession, partitions: int, checkpoint: Path) -> StreamingQuery:
    """Start the query: a row a partition -> operator -> nowhere. It goes on until it is stopped."""
    from pyspark.sql.streaming.state import GroupStateTimeout

    source = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", partitions)
    rows = source.option("numPartitions", partitions).load().selectExpr(f"value % {partitions} AS key", "value")
    counted = rows.groupBy("key").applyInPandasWithState(
        remember,
        outputStructType="seen bigint",
        stateStructType="seen bigint",
        outputMode="append",
        timeoutConf=GroupStateTimeout.NoTimeout,
    )
    writer = counted.writeStream.format("noop").option("checkpointLocation", str(checkpoint))
    return writer.outputMode("append").start()
