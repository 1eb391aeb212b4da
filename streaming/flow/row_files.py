"""Files that the rows of a micro-batch are written to, and their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from streaming.texts.flow_texts import FlowTexts

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

BATCH = "sendlab.batch"  # local property of Spark's jobs: the number of the micro-batch that they are of


class RowFiles(Protocol):
    """Files that a task writes, a table and run each. `rows`: written to each table."""

    rows: dict[str, int]

    def write(self, run: str, table_name: str, table: pa.Table) -> None:
        """Append finished rows."""
        ...

    def close(self) -> None:
        """Have the files be there, whole."""
        ...


BeginFiles = Callable[[str], RowFiles]  # by their name


def part_name(batch_id: int, partition: int) -> str:
    """What files of that partition of a micro-batch are named.

    One that is run again puts the same rows under the same name, so any reader sees each row once.
    """
    return f"b{batch_id:08d}-p{partition:04d}"


def tell_batch(spark: SparkSession, batch_id: int) -> None:
    """Have tasks of what this thread runs from now on know their micro-batch."""
    spark.sparkContext.setLocalProperty(BATCH, str(batch_id))


def part_name_of_task() -> str:
    """The same of the task that asks. Raises RuntimeError if nobody has named its micro-batch (`tell_batch`)."""
    from pyspark import TaskContext

    task = TaskContext.get()
    batch = None if task is None else task.getLocalProperty(BATCH)
    if task is None or batch is None:
        raise RuntimeError(FlowTexts.NO_BATCH(name=BATCH))
    return part_name(int(batch), task.partitionId())
