"""What Sendlab uses of pyspark 4.x beyond its documented interface, and why. No other module touches these names.

pyspark starts one JVM a process and keeps it until the process ends. Memory, class path and options of a session are
those of its JVM, so a session that is closed must end its JVM and have pyspark start another one for the next; pyspark
has no call for that. Source: pyspark 4.3, core/context.py, java_gateway.py, sql/session.py.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Name, and what breaks without it.
LEANS_ON: Mapping[str, str] = {
    "pyspark.core.context:SparkContext._gateway": "the JVM of a closed session stays, and the next one gets its memory",
    "pyspark.core.context:SparkContext._jvm": "a session after the first one asks a JVM that has ended",
    "pyspark.core.context:SparkContext._active_spark_context": "a notebook's own session is not found",
    "pyspark.core.context:SparkContext._ensure_initialized": "settings of spark-submit are overwritten",
    "pyspark.core.context:SparkContext._jsc": "a job on a cluster without a free worker waits and prints nothing",
    "pyspark.core.context:SparkContext._accumulatorServer": "a stack trace is printed when the JVM is killed",
    "pyspark.sql.session:SparkSession._instantiatedSession": "a notebook's own session is not found in another thread",
    "pyspark.java_gateway:proc": "the process of the JVM is not known, so it cannot be awaited or killed",
    "pyspark.java_gateway:launch_gateway": "a signal to the process group of a job ends its JVM in a micro-batch",
}


def jvm_process() -> subprocess.Popen[bytes] | None:
    """The JVM that pyspark started in this process; None without one, or where another program started it."""
    from pyspark import SparkContext

    return getattr(SparkContext._gateway, "proc", None)


def leave_jvm() -> None:
    """Ask the JVM to end its side of the connection. Raises Py4JError or OSError if it does not answer."""
    from pyspark import SparkContext

    if SparkContext._gateway is not None:
        SparkContext._gateway.shutdown()


def forget_dead_jvm() -> None:
    """If the JVM has ended, have pyspark start another one for the next session."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    process = jvm_process()
    if process is not None and process.poll() is not None:
        SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
        SparkSession._instantiatedSession = None


def found_session() -> SparkSession | None:
    """The session that is open in this process, whoever opened it."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    if SparkContext._active_spark_context is None:
        return None
    return SparkSession.getActiveSession() or SparkSession._instantiatedSession


def start_jvm() -> None:
    """Have a JVM, so that a SparkConf sees what spark-submit was given."""
    from pyspark import SparkContext

    SparkContext._ensure_initialized()


def start_jvm_apart(settings: Mapping[str, str]) -> None:
    """Unless there is a JVM, start one with these settings in a process group of its own.

    `timeout`, a shell's `kill %1` and Ctrl-C signal the whole process group: this process alone stops the JVM, after
    the micro-batch under way. A JVM whose parent has ended reads the end of its input, and ends.
    """
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway

    if SparkContext._gateway is None:
        conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
        SparkContext._ensure_initialized(gateway=launch_gateway(conf, {"process_group": 0}))


def is_jvm_ending() -> bool:
    """Whether the JVM of the open session has ended, or is shutting down: what it answers then explains nothing."""
    from py4j.protocol import Py4JError
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    if context is None:
        return False
    try:
        return bool(context._jsc.sc().isStopped())
    except (Py4JError, OSError, AttributeError):  # a context that has stopped has no _jsc
        return True


def jvm_pid(spark: SparkSession) -> int:
    """Process number of the session's JVM."""
    return int(spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid())  # type: ignore[union-attr]


def file_system(spark: SparkSession) -> str:
    """The class that the session reads and writes files of this machine with."""
    folder = spark.sparkContext._jvm.org.apache.hadoop.fs.Path("file:///")  # type: ignore[union-attr]
    return str(folder.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration()).getClass().getName())


def block_managers(spark: SparkSession) -> int:
    """Number of processes that hold blocks of the session: the driver, and each executor."""
    return int(spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size())


def keep_accumulators_quiet(spark: SparkSession) -> None:
    """Have no stack trace printed when the JVM ends before its connections."""
    server = getattr(spark.sparkContext, "_accumulatorServer", None)
    if server is not None:
        server.handle_error = lambda request, client_address: None
