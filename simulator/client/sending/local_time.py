"""Local transactions: how long the one of a message takes, drawn by the message."""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells
from simulator.kernel.latency import service_us
from simulator.kernel.randomness import LOCAL_TIME, hash3, signed


@rule()
def local_transaction_us(edges: Cells, draw: int) -> int:
    """How long the local transaction of a message takes; `edges`: the group's table of times."""
    return service_us(edges, signed(hash3(0, LOCAL_TIME, draw) >> np.uint64(32)))
