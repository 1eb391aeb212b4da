"""SIGKILL at six random moments, the same command at once after each: every row once, the same rows."""

from __future__ import annotations

import random
import time

import pytest

from tests.streaming.lives import (
    hashes_by_duckdb,
    hashes_by_pandas,
    last_commit,
    no_stack_trace,
    wait_for_commit,
    wait_until,
)

pytestmark = pytest.mark.timeout(1200)  # real processes, on a machine that may have other work

SMALL_BATCHES = ("--max-events", 2000)
KILLS = 6  # every second one with its JVM; `make chaos` kills a hundred times


def kill_at_a_random_moment(life, out, moments, *, jvm):
    """Some micro-batches on, at any point of the next one."""
    if moments.random() < 0.2:
        # Early: while Python, Spark or the first micro-batch starts.
        wait_until(lambda: (out / "_checkpoint" / "owner.json").exists(), life)
        time.sleep(moments.uniform(0, 6))
    else:
        wait_for_commit(life, out, last_commit(out) + moments.randint(1, 2))
        time.sleep(moments.uniform(0, 0.8))
    assert not life.ended, life.said
    life.kill(jvm=jvm)


def test_six_kills_of_python_alone_or_with_its_jvm_leave_every_row_once(alive, long_scenario, long_hashes, tmp_path):
    out, moments = tmp_path / "out", random.Random(11)
    command = ("run", long_scenario, "--out", out, *SMALL_BATCHES)
    for kill in range(KILLS):
        kill_at_a_random_moment(alive(*command), out, moments, jvm=kill % 2 == 1)
    last = alive(*command)
    assert last.wait() == 0, last.said
    assert last_commit(out) >= 15
    assert hashes_by_pandas(out) == hashes_by_duckdb(out) == long_hashes
    assert no_stack_trace(last.said)
