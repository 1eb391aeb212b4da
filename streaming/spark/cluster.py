"""A session whose tasks run in other machines' processes: its settings, and what spark-submit has settled before."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from simulator.compiled.cache import ROOT
from streaming.errors import EnvironmentProblem
from streaming.spark.master import LOCAL
from streaming.spark.spark_internals import block_managers, start_jvm
from streaming.texts.spark_texts import SparkTexts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXECUTOR_PATIENCE_S = 120.0
POLL_S = 0.2


def is_submitted() -> bool:
    """Whether spark-submit began this process: its JVM and its master are there already."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def is_elsewhere(master: str | None) -> bool:
    """Whether tasks run outside this session's JVM; what spark-submit was given is taken for a cluster."""
    return is_submitted() if master is None else LOCAL.fullmatch(master) is None


def cluster_settings(memory: str, java_options: str, address: str | None) -> dict[str, str]:
    """Spark's settings beside those of a local session. `address`: of this machine, as its workers reach it."""
    found = {
        "spark.executor.memory": memory,
        "spark.executor.extraJavaOptions": java_options,
        "spark.executorEnv.MALLOC_ARENA_MAX": "2",
    }
    if address is not None:
        found |= {"spark.driver.host": address, "spark.driver.bindAddress": address}
    if (ROOT / "pyproject.toml").is_file():  # a checkout; what is installed the workers' Python finds by itself
        found["spark.executorEnv.PYTHONPATH"] = str(ROOT)
    return found


def unset(settings: dict[str, str]) -> dict[str, str]:
    """Those settings that spark-submit was not given."""
    from pyspark import SparkConf

    start_jvm()
    submitted = SparkConf()
    return {name: value for name, value in settings.items() if not submitted.contains(name)}


def choose_python(*, elsewhere: bool) -> None:
    """Have Spark run this Python; on a cluster the one that PYSPARK_PYTHON names, if it does."""
    if not elsewhere:
        os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable


def wait_for_executor(spark: SparkSession, memory: str, patience_s: float = EXECUTOR_PATIENCE_S) -> None:
    """Return once the cluster has given the session a process to run tasks in.

    Raises EnvironmentProblem if it gives none in that time: Spark itself would wait forever.
    """
    until = time.monotonic() + patience_s
    while block_managers(spark) < 2:  # the driver is one of them
        if time.monotonic() > until:
            text = SparkTexts.NO_WORKER(patience_s=patience_s, memory=memory)
            raise EnvironmentProblem(text.at(spark.sparkContext.master))
        time.sleep(POLL_S)


def removed(log: str) -> str | None:
    """What a JVM's log says if the master gave up starting processes for the job, None if it does not say so."""
    if "Master removed our application" not in log:
        return None
    return "the master gave up, as no worker could start a process for the job; the workers' own logs say why"
