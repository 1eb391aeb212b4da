"""A standalone cluster of Spark on loopback: a Master and Workers of one core, from the installed pyspark."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from streaming.spark.children import die_with_parent
from streaming.spark.java import require_java
from streaming.spark.spark_home import installed_spark, spark_home

PATIENCE_S = 60.0
MASTER = re.compile(r"Starting Spark master at (spark://\S+)")
REGISTERED = re.compile(r"(Successfully registered) with master")
QUIET = ("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dspark.master.rest.enabled=false")


class StandaloneCluster:
    """Processes of a cluster, one log each in `folder`; `url` is what --master takes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = ""
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, workers: int, memory: str = "2g") -> None:
        """Start them and wait until the master knows its workers. Raises TimeoutError."""
        self._start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0")
        self.url = self._said("master", MASTER)
        names = [f"worker-{number}" for number in range(workers)]
        for name in names:
            options = ("--host", "127.0.0.1", "--cores", "1", "--memory", memory, "--work-dir", str(self.folder / name))
            self._start(name, "org.apache.spark.deploy.worker.Worker", *options, self.url)
        for name in names:
            self._said(name, REGISTERED)

    @property
    def workers(self) -> list[str]:
        """Names of the workers that were not killed."""
        return [name for name in self._processes if name != "master"]

    def kill_worker(self, name: str) -> None:
        """SIGKILL to a worker with its executors and their Python."""
        process = self._processes.pop(name)
        family = [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]
        for member in family:
            with suppress(psutil.NoSuchProcess):  # Python ends with its executor
                member.kill()
        process.wait()

    def stop(self) -> None:
        """End every process and whatever they began."""
        for name in [*self._processes]:
            self.kill_worker(name)

    def _start(self, name: str, main: str, *arguments: str) -> None:
        java = str(require_java().home / "bin" / "java")
        jars = installed_spark() / "jars"
        (scala,) = (path.name.split("_")[1].split("-")[0] for path in jars.glob("spark-core_*.jar"))
        command = [java, *QUIET, "-cp", f"{jars}/*", main, "--webui-port", "0", *arguments]
        home = {"SPARK_HOME": str(spark_home()), "SPARK_SCALA_VERSION": scala, "SPARK_LOCAL_IP": "127.0.0.1"}
        with (self.folder / f"{name}.log").open("wb") as log:
            self._processes[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, cwd=self.folder,
                env={**os.environ, **home}, start_new_session=True, preexec_fn=die_with_parent,
            )  # fmt: skip

    def _said(self, name: str, words: re.Pattern[str]) -> str:
        until = time.monotonic() + PATIENCE_S
        log = self.folder / f"{name}.log"
        while not (found := words.search(log.read_text(errors="replace"))):
            if self._processes[name].poll() is not None or time.monotonic() > until:
                raise TimeoutError(f"{name} did not start: {log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.05)
        return found[1]


@contextmanager
def standalone_cluster(folder: Path, workers: int) -> Iterator[StandaloneCluster]:
    """A cluster that no process of is left of afterwards."""
    cluster = StandaloneCluster(folder)
    try:
        cluster.start(workers)
        yield cluster
    finally:
        cluster.stop()
