"""The peers of small micro-batches: an operator with state that does nothing, alone, and in the stages of a job."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery
    from pyspark.sql.streaming.state import GroupState


def remember(key: tuple[Any, ...], frames: Iterator[pd.DataFrame], state: GroupState) -> Iterator[pd.DataFrame]:
    """Give nothing; count the rows."""
    seen = state.get[0] if state.exists else 0
    state.update((seen + sum(len(frame) for frame in frames),))
    yield from ()


def _counted(rows: DataFrame, partitions: int) -> DataFrame:
    from pyspark.sql.streaming.state import GroupStateTimeout

    return (
        rows.selectExpr(f"value % {partitions} AS key", "value")
        .groupBy("key")
        .applyInPandasWithState(
            remember,
            outputStructType="seen bigint",
            stateStructType="seen bigint",
            outputMode="append",
            timeoutConf=GroupStateTimeout.NoTimeout,
        )
    )


def start_empty(spark: SparkSession, partitions: int, checkpoint: Path) -> StreamingQuery:
    """Start the query: a row a partition -> operator -> nowhere. It goes on until it is stopped."""
    source = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", partitions)
    rows = source.option("numPartitions", partitions).load()
    writer = _counted(rows, partitions).writeStream.format("noop").option("checkpointLocation", str(checkpoint))
    return writer.outputMode("append").start()


class OneRow(InputPartition):
    """A partition of one row."""


class OneRowReader(DataSourceStreamReader):
    """Offsets are {"batch": n}; each micro-batch has a row a partition."""

    def __init__(self, partitions: int) -> None:
        self._partitions = partitions

    def initialOffset(self) -> dict[str, int]:
        """The first."""
        return {"batch": 0}

    def latestOffset(self, start: dict[str, int], limit: Any) -> dict[str, int]:
        """The next."""
        return {"batch": start["batch"] + 1}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> list[InputPartition]:
        """As many as were asked for."""
        return [OneRow(number) for number in range(self._partitions)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:  # type: ignore[override]
        """The row, which is the partition's number."""
        import pyarrow as pa

        yield pa.RecordBatch.from_pydict({"value": pa.array([partition.value], pa.int64())})


class OneRowSource(DataSource):
    """`spark.readStream.format("one-row")`."""

    @classmethod
    def name(cls) -> str:
        """Name of the format."""
        return "one-row"

    def schema(self) -> str:
        """Its column."""
        return "value bigint"

    def streamReader(self, schema: Any) -> DataSourceStreamReader:
        """The reader."""
        return OneRowReader(int(self.options["partitions"]))


def _take(batch: DataFrame, _: int) -> None:
    batch.collect()


def start_stages(spark: SparkSession, partitions: int, checkpoint: Path) -> StreamingQuery:
    """Start a query with the stages of a job: a source in Python -> the same operator -> what it says to the driver."""
    spark.dataSource.register(OneRowSource)
    rows = spark.readStream.format(OneRowSource.name()).option("partitions", partitions).load()
    writer = _counted(rows, partitions).writeStream.foreachBatch(_take)
    return writer.outputMode("append").option("checkpointLocation", str(checkpoint)).start()
