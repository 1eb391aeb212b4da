"""Spark's settings of a query: what its plan and its state are made with, whoever opened the session."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from streaming.spark.spark_internals import file_system

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BLOCKS_A_BATCH = 64
BYTES_A_BATCH = "1m"
# How Spark puts a file of a checkpoint in its place. With FileContext, its default, it starts eight `readlink` for each
# file in a folder: 33 processes a micro-batch. FileSystem renames in one step, and replaces what is there, if `file:`
# is Hadoop's own: Hive's, which Spark would take, keeps the old file without an error, as stores may.
# Source: Spark 4.3, FileSystemBasedCheckpointFileManager; hadoop 3.5, RawLocalFs; hive 2.3, ProxyLocalFileSystem.
FILE_MANAGER = "spark.sql.streaming.checkpointFileManagerClass"
ONLY_FOLDERS = "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
OWN_FILES = {"spark.hadoop.fs.file.impl": "org.apache.hadoop.fs.LocalFileSystem"}
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
def set_for_query(spark: SparkSession, partitions: int, *, in_folder: bool) -> Iterator[None]:
    """Have a query that is started in here run with its own settings; the session has the caller's again afterwards.

    `in_folder`: whether its checkpoint is in one.
    A query copies its session's settings when it is started (Spark 4.3, StreamExecution).
    """
    with _starting:
        wanted = {name: value for name, value in query_settings(partitions).items() if spark.conf.isModifiable(name)}
        if in_folder and file_system(spark) in OWN_FILES.values():
            wanted[FILE_MANAGER] = ONLY_FOLDERS
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
