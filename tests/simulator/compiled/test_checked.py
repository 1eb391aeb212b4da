"""A checked build names the region and the index that is outside it."""

import os
import subprocess
import sys

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


@pytest.mark.parametrize("without_jit", ["0", "1"])
def test_an_index_outside_its_region_raises_with_both(without_jit):
    env = {**os.environ, "SENDLAB_CHECKED": "1", "NUMBA_DISABLE_JIT": without_jit}
    env.pop("NUMBA_CACHE_DIR", None)
    found = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=True)
    assert found.stdout == "region queues: index 3 is outside its 3 elements\n"
