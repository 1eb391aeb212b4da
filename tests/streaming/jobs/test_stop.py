"""Ctrl-C, SIGTERM, a JVM that dies, a second run on the same folder: one sentence, and the same command goes on."""

from __future__ import annotations

import json
import signal
import time

import pytest

from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.job_texts import JobTexts
from tests.says import prints
from tests.streaming.lives import (
    hashes_by_duckdb,
    hashes_by_pandas,
    last_commit,
    no_stack_trace,
    wait_for_commit,
    wait_until,
)

pytestmark = pytest.mark.timeout(1200)  # real processes, on a machine that may have other work


@pytest.fixture
def command(long_scenario, tmp_path):
    return ("run", long_scenario, "--out", tmp_path / "out", "--max-events", 1000)


def interrupted(life, number):
    life.interrupt(number)
    assert life.wait() == 130, life.said
    assert no_stack_trace(life.said), life.said
    assert life.said.rstrip().splitlines()[-1] == JobTexts.STOPPED()


def test_an_interrupted_run_goes_on_with_the_same_command(alive, command, long_hashes, tmp_path):
    out = tmp_path / "out"

    first = alive(*command)
    assert wait_for_commit(first, out, 1)
    second = alive(*command)
    assert second.wait() == 2
    assert prints(second.said, JobTexts.FOLDER_IN_USE)
    assert f"(process {first.process.pid})" in second.said
    interrupted(first, signal.SIGINT)
    _offsets_are_all_committed(out)

    starting = alive(*command)
    wait_until(lambda: "resuming" in starting.said, starting)
    time.sleep(0.7)
    interrupted(starting, signal.SIGINT)

    third = alive(*command)
    assert wait_for_commit(third, out, last_commit(out) + 1)
    interrupted(third, signal.SIGTERM)
    _offsets_are_all_committed(out)

    fourth = alive(*command)
    assert wait_for_commit(fourth, out, last_commit(out) + 1)
    for process in fourth.family("java"):
        process.kill()
    assert fourth.wait() == 3
    assert prints(fourth.said, JobTexts.JVM_ENDED)
    assert no_stack_trace(fourth.said), fourth.said

    ended = alive(*command)
    assert wait_for_commit(ended, out, last_commit(out) + 1)
    for process in ended.family("java"):
        process.terminate()
    assert ended.wait() == 3, ended.said
    assert prints(ended.said, JobTexts.JVM_ENDED)
    assert no_stack_trace(ended.said), ended.said

    fifth = alive(*command)
    assert wait_for_commit(fifth, out, last_commit(out) + 1)
    fifth.terminate_all()
    assert fifth.wait() == 130, fifth.said
    assert fifth.said.rstrip().splitlines()[-1] in {JobTexts.STOPPED(), JobTexts.STOPPED_WITH_JVM()}
    assert json.loads((out / "run.json").read_text())["stopped"]
    assert no_stack_trace(fifth.said), fifth.said

    last = alive(*command)
    assert last.wait() == 0, last.said
    assert hashes_by_pandas(out) == hashes_by_duckdb(out) == long_hashes
    assert json.loads((out / "run.json").read_text())["finished"]

    again = alive(*command)
    assert again.wait() == 0
    assert prints(again.said, CommandResultTexts.RUN_FINISHED)


def _offsets_are_all_committed(out):
    """Drained: no micro-batch was broken off."""
    offsets = max(int(path.name) for path in (out / "_checkpoint/spark/offsets").glob("[0-9]*"))
    assert offsets == last_commit(out)
