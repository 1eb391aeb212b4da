"""Processes that work for a command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

import pytest

from streaming.runner.worker_pool import worker_pool


def test_ctrl_c_does_not_reach_a_process_that_is_still_starting():
    with worker_pool(2) as pool:
        for pid in pool._processes:
            os.kill(pid, signal.SIGINT)
        assert pool.submit(os.getpid).result(timeout=60) in pool._processes


def test_they_end_with_the_block_however_it_ends():
    own: list[BaseProcess] = []
    with pytest.raises(KeyError):
        _start_and_fail(own)
    assert len(own) == 2
    for process in own:
        assert wait([process.sentinel], 30)


def _start_and_fail(own: list[BaseProcess]) -> None:
    with worker_pool(2) as pool:
        own += pool._processes.values()
        raise KeyError


SCRIPT = """
import os
from streaming.runner.worker_pool import worker_pool
print("begins", flush=True)
with worker_pool(2) as pool:
    print(pool.submit(os.getpid).result(timeout=60) != os.getpid())
"""


def test_the_lines_of_a_script_that_asks_are_not_done_again_in_its_workers(root, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    own = os.environ | {"PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, str(script)], env=own, capture_output=True, text=True, check=True)
    assert done.stdout == "begins\nTrue\n"
