"""Real `sendlab` processes that tests watch, interrupt and kill; and what their output folder holds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import duckdb
import pandas as pd
import psutil

from streaming.jobs.folders.checkpoint import Checkpoint
from tests.simulator.hashed import hash_of

SENDLAB = str(Path(sys.executable).with_name("sendlab"))
PATIENCE_S = 240.0
TABLES = ("attempts", "fault_items", "sends", "windows")


class Life:
    """One process of a command, in a process group of its own, its words in a file."""

    def __init__(self, log: Path, *arguments: object, **environment: str) -> None:
        self.log = log
        with log.open("w") as words:
            self.process = subprocess.Popen(
                [SENDLAB, *map(str, arguments)],
                stdout=words,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, "COLUMNS": "500", **environment},
            )

    @property
    def said(self) -> str:
        """Everything it printed so far."""
        return self.log.read_text()

    @property
    def ended(self) -> bool:
        """Whether the process is gone."""
        return self.process.poll() is not None

    def wait(self, patience_s: float = PATIENCE_S) -> int:
        """Exit code, once it has one."""
        return self.process.wait(patience_s)

    def family(self, word: str) -> list[psutil.Process]:
        """Its descendants whose command line has that word."""
        try:
            all_of_them = psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []
        found = []
        for process in all_of_them:
            try:
                if any(word in part for part in process.cmdline()):
                    found.append(process)
            except psutil.Error:
                continue
        return found

    def kill(self, *, jvm: bool) -> None:
        """SIGKILL to the Python process, and to its JVM before if asked."""
        if jvm:
            for process in self.family("java"):
                process.kill()
        self.process.kill()
        self.process.wait()

    def interrupt(self, number: signal.Signals) -> None:
        """Signal the whole process group, as Ctrl-C, `timeout` and a shell's `kill %1` do."""
        os.killpg(self.process.pid, number)

    def terminate_all(self) -> None:
        """SIGTERM to Python and everything it began, as systemd does with KillMode=control-group."""
        for process in [psutil.Process(self.process.pid), *self.family("")]:
            with suppress(psutil.NoSuchProcess):
                process.terminate()

    def end(self) -> None:
        """Leave nothing behind, whatever happened."""
        children = self.family("")
        if not self.ended:
            self.kill(jvm=True)
        for child in children:
            try:
                child.kill()
            except psutil.NoSuchProcess:
                continue


def wait_until(happened, life: Life, patience_s: float = PATIENCE_S) -> bool:
    """Wait for something; False if the process ended first. Raises TimeoutError."""
    until = time.monotonic() + patience_s
    while not happened():
        if life.ended:
            return False
        if time.monotonic() > until:
            raise TimeoutError(life.said)
        time.sleep(0.02)
    return True


def last_commit(out: Path) -> int:
    """Number of the last committed micro-batch, -1 if there is none."""
    return (Checkpoint(out / "_checkpoint").batches() or [-1])[-1]


def wait_for_commit(life: Life, out: Path, number: int) -> bool:
    """Wait until that micro-batch is committed; False if the process ended first."""
    return wait_until(lambda: last_commit(out) >= number, life)


def hashes_by_pandas(out: Path) -> dict[str, str]:
    """Hash of every table as pandas reads the output folder."""
    return {name: hash_of(name, pd.read_parquet(out / name)) for name in TABLES}


def hashes_by_duckdb(out: Path) -> dict[str, str]:
    """Hash of every table as DuckDB reads the output folder."""
    query = "SELECT * FROM read_parquet('{}/*/*.parquet', hive_partitioning = true)"
    return {name: hash_of(name, duckdb.sql(query.format(out / name)).df()) for name in TABLES}


def no_stack_trace(text: str) -> bool:
    """Whether the words are ours alone: neither Python's nor Java's stack is among them."""
    return not any(word in text for word in ("Traceback", "\tat ", "py4j.", "Exception in thread", "StackOverflow"))
