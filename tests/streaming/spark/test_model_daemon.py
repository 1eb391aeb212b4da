"""The process that Spark forks its workers from: it has the model and no thread, and serves whatever it could load."""

from __future__ import annotations

import os
import subprocess
import sys

import psutil
import pytest

from streaming.spark.session import settings

LIBRARIES = {"_multiarray_umath", "llvmlite", "libarrow"}


@pytest.fixture
def daemon_of():
    """Starts a daemon as Spark does; gives it once it listens."""
    begun: list[subprocess.Popen[bytes]] = []

    def start(path: str = "") -> psutil.Process:
        places = os.pathsep.join(filter(None, (path, os.environ.get("PYTHONPATH"))))
        process = subprocess.Popen(
            [sys.executable, "-m", settings(1, "1g", "")["spark.python.daemon.module"], "pyspark.worker"],
            env=os.environ | {"PYTHONPATH": places}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        begun.append(process)
        assert 0 < int.from_bytes(process.stdout.read(4)) < 1 << 16  # a port, and no word before it
        return psutil.Process(process.pid)

    yield start
    for process in begun:
        process.stdin.close()  # as Spark ends it
        process.wait(60)
        process.stdout.close()


def loaded(process: psutil.Process) -> set[str]:
    """What of the model's libraries it has."""
    return {name for name in LIBRARIES if name in str(process.memory_maps())}


def test_the_daemon_of_tasks_has_the_model_and_no_thread_before_it_forks(daemon_of):
    daemon = daemon_of()
    assert loaded(daemon) == LIBRARIES
    assert daemon.num_threads() == 1


def test_a_model_that_cannot_be_loaded_is_left_to_the_workers_and_prints_nothing(daemon_of, tmp_path):
    (tmp_path / "pandas.py").write_text("print('words'); raise ImportError('broken')")
    assert loaded(daemon_of(str(tmp_path))) == set()
