"""Spark's settings of a query: what its plan and its state are made with, whoever opened the session."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BLOCKS_A_BATCH = 64
BYTES_A_BATCH = "1m"
_starting = threading.Lock()


def query_settings(partitions: int) -> dict[str, str]:
    """The settings of a query whose state has that many partitions."""
    return {
        "spark.sql.adaptive.enabled": "false",
        # Few rows pass through the JVM, each a block: compiling code for them costs more than it saves.
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.shuffle.partitions": str(partitions),
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(BLOCKS_A_BATCH),
        "spark.sql.execution.arrow.maxBytesPerBatch": BYTES_A_BATCH,
        "spark.sql.streaming.minBatchesToRetain": "20",
        "spark.sql.streaming.stateStore.maintenanceInterval": "30s",
        "spark.sql.streaming.numRecentProgressUpdates": "20",
        "spark.sql.streaming.stopTimeout": "60s",
        "spark.sql.streaming.noDataMicroBatches.enabled": "false",
    }


@contextmanager
def set_for_query(spark: SparkSession, partitions: int) -> Iterator[None]:
    """Have a query that is started in here run with its own settings; the session has the caller's again afterwards.

    A query copies its session's settings when it is started (Spark 4.3, StreamExecution).
    """
    with _starting:
        wanted = {name: value for name, value in query_settings(partitions).items() if spark.conf.isModifiable(name)}
        before = {name: spark.conf.get(name, None) for name in wanted}
        try:
            for name, value in wanted.items():
                spark.conf.set(name, value)
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    spark.conf.unset(name)
                else:
                    spark.conf.set(name, value)
