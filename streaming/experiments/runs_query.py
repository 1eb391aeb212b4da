"""The streaming query of an experiment: tasks -> workers -> what each run came to, until it is stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streaming.experiments.task_list import Row, TaskFolder
from streaming.experiments.task_runner import OUT_SCHEMA, task_runner
from streaming.spark.worker import warm_workers

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

TRIGGER = "0 seconds"
PARTITION_A_FILE = {"spark.sql.files.openCostInBytes": "134217728", "spark.sql.files.maxPartitionBytes": "134217728"}
_warmed: set[str] = set()  # applications


def start_query(
    spark: SparkSession, tasks: TaskFolder, checkpoint: Path, on_batch: Callable[[list[Row]], None]
) -> StreamingQuery:
    """Start the query; `on_batch` gets (arm, seed, cell, packed totals) of every task, in the callback's thread."""
    have_model_loaded(spark)
    # A file costs as much as a partition may hold: each gets a partition, and whichever core is free takes the next.
    for name, value in PARTITION_A_FILE.items():
        spark.conf.set(name, value)
    lines = spark.readStream.text(tasks.pattern)

    def sink(batch: Any, _: int) -> None:
        on_batch([(row.arm, row.seed, row.cell, bytes(row.payload)) for row in batch.collect()])

    writer = lines.mapInArrow(task_runner(tasks.path), OUT_SCHEMA).writeStream.foreachBatch(sink).outputMode("append")
    return writer.option("checkpointLocation", str(checkpoint)).trigger(processingTime=TRIGGER).start()


def have_model_loaded(spark: SparkSession) -> None:
    """Have the workers load the model, once a session."""
    if spark.sparkContext.applicationId not in _warmed:
        _warmed.add(spark.sparkContext.applicationId)
        warm_workers(spark, _load_model)


def _load_model() -> None:
    import simulator.experiments.experiment_runner  # noqa: F401
    from simulator.compiled.jit import ready
    from simulator.engine.loop import run_until

    ready(run_until)
