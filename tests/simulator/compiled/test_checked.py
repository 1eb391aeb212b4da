"""A checked build names the region and the index that is outside it."""

import os
import subprocess
import sys
from tempfile import NamedTemporaryFile

import pytest

PROGRAM = """
import numpy as np
from simulator.client.view import QueueList, View
from simulator.client.selection.queue_choice import take
from simulator.compiled.records import OutsideError
memory = np.zeros(32, np.int64)
view, queues = View.at(memory), QueueList.at(memory, 8)
view.queues, queues.count = queues, 3
take(view, 2, 0)
try:
    take(view, 3, 0)
except OutsideError as error:
    print(error)
"""

FEW_BITS = """
import numpy as np
from simulator.compiled.jit import rule
from simulator.compiled.records import OutsideError
from simulator.engine.memory.send import ThreadState

@rule()
def wait(state: ThreadState, messages: int) -> int:
    state.waiting = messages
    return state.waiting

state = ThreadState.at(np.zeros(8, np.int64))
print(wait(state, 3))
try:
    wait(state, 1 << 27)
except OutsideError as error:
    print(error)
"""


def _said(program: str, without_jit: str) -> str:
    env = {**os.environ, "SENDLAB_CHECKED": "1", "NUMBA_DISABLE_JIT": without_jit}
    env.pop("NUMBA_CACHE_DIR", None)
    with NamedTemporaryFile("w", suffix=".py") as file:  # numba looks for the file of what it keeps
        file.write(program)
        file.flush()
        command = [sys.executable, file.name]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("without_jit", ["0", "1"])
def test_a_number_that_does_not_fit_its_bits_raises_with_both(without_jit):
    assert _said(FEW_BITS, without_jit) == "3\nregion waiting: index 134217728 is outside its 268435456 elements\n"


@pytest.mark.parametrize("without_jit", ["0", "1"])
def test_an_index_outside_its_region_raises_with_both(without_jit):
    assert _said(PROGRAM, without_jit) == "region queues: index 3 is outside its 3 elements\n"
