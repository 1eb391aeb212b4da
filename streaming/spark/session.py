"""The Spark session of a run: quiet, local unless a master is given, its JVM's own words kept in a file."""

from __future__ import annotations

import gc
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from streaming.errors import EnvironmentProblem, JvmEnded
from streaming.installation.conf_files import conf_folder
from streaming.installation.extras import require
from streaming.problems import reason
from streaming.spark.children import no_child_left
from streaming.spark.cluster import (
    choose_python,
    cluster_settings,
    is_elsewhere,
    is_submitted,
    removed,
    unset,
    wait_for_executor,
)
from streaming.spark.java import require_spark
from streaming.spark.java_archive import archive_options
from streaming.spark.jvm_log import JvmLog
from streaming.spark.local_folder import local_folder, unix_sockets
from streaming.spark.master import own_address
from streaming.spark.model_daemon import MODEL_DAEMON, USUAL_DAEMON
from streaming.spark.query_settings import OWN_FILES, query_settings
from streaming.spark.spark_home import spark_home
from streaming.spark.spark_internals import (
    forget_dead_jvm,
    found_session,
    jvm_process,
    keep_accumulators_quiet,
    leave_jvm,
    start_jvm_apart,
)
from streaming.texts.spark_texts import SparkTexts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# A lost Python worker is retried; with local[N] alone it would end the query.
TASK_TRIES = 4
NOTHING: Mapping[str, str] = MappingProxyType({})
LEAST_MEMORY = "1g"
JVM_END_S = 20
COLLECTED_FROM = 700  # Python's own default
PYTHON_BUFFER_BYTES = 1 << 20
JAVA_OPTIONS = " ".join(
    (
        # Stacks deep enough for Spark's own error handling.
        "-Xss16m",
        # The JVM only hands blocks on: the quick compiler alone and the serial collector start seconds sooner and
        # leave the cores to Python.
        "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        # Room for the blocks of a micro-batch to die young, and little beyond what lives on: a heap that may fill
        # up with garbage first grows for as long as a run lasts.
        "-Xms112m -Xmn32m -XX:SurvivorRatio=2 -XX:MinHeapFreeRatio=10",
        # As much as Spark's classes take; less costs several full collections on the way there.
        "-XX:MetaspaceSize=160m",
        # Else every thread keeps a copy of the largest block that it has sent to a worker.
        "-Djdk.nio.maxCachedBufferSize=262144",
    )
)
# Of the JVM and its Python workers, where the user has not set it. An arena a thread is kept for good, used or not.
ENVIRONMENT = {"MALLOC_ARENA_MAX": "2"}
LOOPBACK = "127.0.0.1"


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


def settings(partitions: int, memory: str, java_options: str) -> dict[str, str]:
    """Spark's settings of a session, its master apart."""
    java_options += f" -Dlog4j2.configurationFile={(conf_folder() / 'log4j2.properties').as_uri()}"
    return {
        "spark.driver.memory": memory,
        "spark.driver.extraJavaOptions": java_options,
        "spark.local.dir": str(local_folder()),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # Rows are sorted by key alone and are few: the pages that they are sorted in need not hold 8 MiB.
        "spark.buffer.pageSize": "1m",
        # The way between the JVM and Python. What each gave event mode in two quiet runs of the benchmark (3eff403 and
        # 624bf04f; in the latter one state partition had all the work): a buffer that holds a block 1.12x and 1.04x;
        # Unix sockets, which a session on this machine has (`unix_sockets`), 1.06x and 1.09x. Neither changes what a
        # checkpoint holds. Not used: pipelined transfer (1.06x and 1.17x), which is not tested with killed workers.
        "spark.sql.execution.python.udf.buffer.size": str(PYTHON_BUFFER_BYTES),
        "spark.sql.ui.retainedExecutions": "20",
        "spark.ui.retainedJobs": "20",
        "spark.ui.retainedStages": "20",
        "spark.ui.retainedTasks": "200",
        **OWN_FILES,
        **MODEL_DAEMON,
        **query_settings(partitions),
    }


def open_session(
    folder: Path,
    *,
    master: str | None = None,
    partitions: int = 2,
    memory: str = LEAST_MEMORY,
    java_options: str = JAVA_OPTIONS,
    more: Mapping[str, str] = NOTHING,
) -> SparkSession:
    """A session whose log (`jvm.log`) is in `folder`; `memory`: the JVM's heap, as Spark spells it.

    `master`: all cores of this machine without one, or what spark-submit was given. `more`: settings beside those that
    every session has.
    Raises EnvironmentProblem if there is no Java that fits, Spark does not start or a cluster gives it no process;
    then, or interrupted, no JVM is left.
    """
    java = require_spark()
    elsewhere = is_elsewhere(master)
    address = own_address(master) if master is not None and elsewhere else None
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    choose_python(elsewhere=elsewhere)
    # Spark's own scripts look for Java in JAVA_HOME and on the PATH alone.
    usual = ENVIRONMENT | {"SPARK_HOME": str(spark_home()), "JAVA_HOME": str(java.home)}
    usual |= {} if elsewhere else {"SPARK_LOCAL_IP": LOOPBACK}
    os.environ.update({name: value for name, value in usual.items() if not os.environ.get(name)})
    folder.mkdir(parents=True, exist_ok=True)
    log, driver_options = JvmLog(folder / "jvm.log"), java_options
    if "-XX:ArchiveClassesAtExit" not in java_options:
        driver_options = f"{java_options} {archive_options(java)}".rstrip()
    near = {} if elsewhere else unix_sockets()
    chosen = {**settings(partitions, memory, driver_options), **near, **more}
    if elsewhere:
        chosen |= cluster_settings(memory, java_options, address)
    else:
        chosen |= {"spark.driver.host": LOOPBACK, "spark.driver.bindAddress": LOOPBACK}
    try:
        with _stderr_to(log.path), no_child_left():
            spark = _begun(master, chosen)
            if elsewhere:
                wait_for_executor(spark, memory)
            return spark
    except EnvironmentProblem:
        _end_jvm()
        raise
    except (PySparkException, Py4JError, RuntimeError, OSError) as error:
        why = removed(log.since()) or reason(error)
        _end_jvm()
        raise JvmEnded(SparkTexts.NOT_STARTED(why=why, log=log.path)) from error


def _collect_as_usual() -> None:
    # What Python holds of a micro-batch the JVM holds, too, and much of it is in cycles that only a collection ends.
    if gc.get_threshold()[0] > COLLECTED_FROM:
        gc.set_threshold(COLLECTED_FROM)


def _begun(master: str | None, chosen: dict[str, str]) -> SparkSession:
    from pyspark.sql import SparkSession

    _keep_quiet()
    _collect_as_usual()
    forget_dead_jvm()
    builder = SparkSession.builder.appName("sendlab").config(map=unset(chosen) if is_submitted() else chosen)
    if master is not None or not is_submitted():
        builder = builder.master(master or default_master())
    if not is_submitted():
        start_jvm_apart(chosen | {"spark.app.name": "sendlab", "spark.master": master or default_master()})
    spark = builder.getOrCreate()
    # When the JVM dies, what is connected to it would print its stack before we say what happened.
    keep_accumulators_quiet(spark)
    return spark


def _keep_quiet() -> None:
    """Have py4j's own log go nowhere: what went wrong is said once, by us."""
    if not logging.getLogger().handlers:
        logging.getLogger().addHandler(logging.NullHandler())


def close_session(spark: SparkSession, patience_s: float = JVM_END_S) -> None:
    """Stop the session and its JVM: memory, class path and options of the next one are those of its own JVM.

    One whose JVM is gone already is let go; one that has not ended after `patience_s` is killed.
    """
    from py4j.protocol import Py4JError

    with suppress(Py4JError, OSError), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # "Unable to cleanly shutdown Spark JVM process"
        spark.stop()
    _end_jvm(patience_s)


def _end_jvm(patience_s: float = JVM_END_S) -> None:
    """End the JVM, if pyspark started it, and have pyspark begin another one for the next session."""
    from py4j.protocol import Py4JError

    process = jvm_process()
    if process is None:
        return
    with suppress(Py4JError, OSError):
        leave_jvm()
    with suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()  # what it waits for
    try:
        process.wait(patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    forget_dead_jvm()


def session_at_hand() -> SparkSession | None:
    """The session that this process has open already, say that of a notebook: whoever opened it closes it."""
    if "pyspark" not in sys.modules:  # nobody can have opened one
        return None
    forget_dead_jvm()
    return found_session()


@contextmanager
def own_session(
    given: SparkSession | None,
    folder: Path,
    *,
    master: str | None = None,
    partitions: int = 2,
    memory: str = LEAST_MEMORY,
    more: Mapping[str, str] = NOTHING,
) -> Iterator[SparkSession]:
    """The session that is given, which stays open, or one for as long as it is needed; else as `open_session`."""
    if given is not None:
        yield given
        return
    spark = open_session(folder, master=master, partitions=partitions, memory=memory, more=more)
    try:
        yield spark
    finally:
        close_session(spark)


@contextmanager
def some_session(
    master: str | None = None, partitions: int = 2, more: Mapping[str, str] = NOTHING
) -> Iterator[SparkSession]:
    """The session that is open in this process, or one for as long as it is needed, its files in a scratch folder.

    The workers of its own do without the model.
    """
    require("pyspark")
    active = session_at_hand()
    if active is not None:
        yield active
        return
    # Elsewhere than the files to read: one need not be allowed to write there.
    with (
        tempfile.TemporaryDirectory(dir=local_folder(), ignore_cleanup_errors=True) as folder,
        own_session(None, Path(folder), master=master, partitions=partitions, more=USUAL_DAEMON | {**more}) as spark,
    ):
        yield spark
