"""The Spark session of a run: quiet, local unless told otherwise, its JVM's own words kept in a file."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from streaming.errors import EnvironmentProblem
from streaming.java import require_java
from streaming.java_archive import archive_options

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOG4J2 = Path(__file__).resolve().parent.parent / "conf" / "log4j2.properties"
# A lost Python worker is retried; with local[N] alone it would end the query.
TASK_TRIES = 4
BLOCKS_A_BATCH = 64
# Stacks deep enough for Spark's own error handling. The JVM only hands blocks on: the quick compiler alone and the
# serial collector start seconds sooner and leave the cores to Python.
JAVA_OPTIONS = "-Xss16m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def default_master() -> str:
    """All cores of this machine."""
    return f"local[{os.cpu_count() or 1},{TASK_TRIES}]"


@contextmanager
def _stderr_to(path: Path) -> Iterator[None]:
    # The JVM keeps the file descriptor it is started with: its warnings stay off the console for good.
    sys.stderr.flush()
    kept = os.dup(2)
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.dup2(log, 2)
        yield
    finally:
        sys.stderr.flush()
        os.dup2(kept, 2)
        os.close(kept)
        os.close(log)


def open_session(
    folder: Path, *, master: str | None = None, partitions: int = 2, java_options: str = JAVA_OPTIONS
) -> SparkSession:
    """A session whose scratch files and log (`jvm.log`) are in `folder`.

    Raises EnvironmentProblem if there is no Java that fits or Spark does not start.
    """
    java = require_java()
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    if "-XX:ArchiveClassesAtExit" not in java_options:
        java_options = f"{java_options} {archive_options(java)}".rstrip()
    if LOG4J2.exists():
        java_options += f" -Dlog4j2.configurationFile={LOG4J2.as_uri()}"
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": java_options,
        "spark.local.dir": str(folder / "tmp"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.adaptive.enabled": "false",
        # Few rows pass through the JVM, each a block: compiling code for them costs more than it saves.
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.shuffle.partitions": str(partitions),
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(BLOCKS_A_BATCH),
        "spark.sql.streaming.minBatchesToRetain": "20",
        "spark.sql.streaming.stateStore.maintenanceInterval": "30s",
        "spark.sql.streaming.numRecentProgressUpdates": "20",
        "spark.sql.streaming.stopTimeout": "60s",
        "spark.sql.streaming.noDataMicroBatches.enabled": "false",
        "spark.sql.ui.retainedExecutions": "20",
        "spark.ui.retainedJobs": "20",
        "spark.ui.retainedStages": "20",
        "spark.ui.retainedTasks": "200",
    }
    (folder / "tmp").mkdir(parents=True, exist_ok=True)
    builder = SparkSession.builder.master(master or default_master()).appName("sendlab").config(map=settings)
    try:
        with _stderr_to(folder / "jvm.log"):
            return _quiet(builder.getOrCreate())
    except (PySparkException, RuntimeError, OSError) as error:
        raise EnvironmentProblem(f"Spark did not start ({error}); its log is {folder / 'jvm.log'}") from error


def _quiet(spark: SparkSession) -> SparkSession:
    # When the JVM dies, what is connected to it would print its stack before we say what happened.
    server = getattr(spark.sparkContext, "_accumulatorServer", None)
    if server is not None:
        server.handle_error = lambda request, client_address: None
    if not logging.getLogger().handlers:
        logging.getLogger().addHandler(logging.NullHandler())
    return spark


def jvm_pid(spark: SparkSession) -> int:
    """Process number of the session's JVM."""
    return int(spark._jvm.java.lang.ProcessHandle.current().pid())  # type: ignore[union-attr]


def close_session(spark: SparkSession) -> None:
    """Stop the session; one whose JVM is gone is let go."""
    from py4j.protocol import Py4JError

    with suppress(Py4JError, OSError), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # "Unable to cleanly shutdown Spark JVM process"
        spark.stop()
