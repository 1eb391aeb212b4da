"""SIGKILL of a Python worker, ten times: the query goes on and the rows are the same."""

from __future__ import annotations

import random
import time

import psutil
import pytest

from tests.streaming.lives import hashes_by_pandas, last_commit, no_stack_trace, wait_for_commit, wait_until

pytestmark = pytest.mark.timeout(1200)  # real processes, on a machine that may have other work

KILLS = 10


def kill_one(life, moments):
    """Kill a worker of the operator or the writer, in the middle of a micro-batch or not; wait until there is one."""
    found = []

    def there():
        family = [(worker, worker.parent()) for worker in life.family("pyspark.worker")]
        found[:] = [worker for worker, parent in family if parent is not None and "java" not in parent.name()]
        return bool(found)

    wait_until(there, life)
    moments.choice(found).kill()


def test_ten_dead_workers_leave_the_query_running(alive, long_scenario, long_hashes, tmp_path):
    out, moments, killed = tmp_path / "out", random.Random(21), 0
    life = alive("run", long_scenario, "--out", out, "--max-events", 2000)
    while killed < KILLS and wait_for_commit(life, out, last_commit(out) + 1):
        time.sleep(moments.uniform(0, 0.5))
        try:
            kill_one(life, moments)
            killed += 1
        except psutil.NoSuchProcess:
            continue
    assert killed == KILLS
    assert life.wait() == 0, life.said
    assert life.said.count("starting Spark") == 1
    assert no_stack_trace(life.said)
    assert hashes_by_pandas(out) == long_hashes
