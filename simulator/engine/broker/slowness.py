"""What a slow broker adds to the service of a request: a draw of a distribution of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.compiled.jit import rule
from simulator.engine.layout import ADDED, ADDED_LATENCIES, ADDED_SCALE, LATENCIES, VALUE
from simulator.engine.periods import NO_PERIOD, period_at
from simulator.latency import EDGES, service_us
from simulator.randomness import mix

PPM = 1_000_000


@rule()
def added_service_us(c: Any, m: Any, broker: Any, now_us: Any, word: Any) -> Any:
    """Service time that a slow broker's added distribution gives a request."""
    row = period_at(c, m, broker, ADDED, now_us)
    if row == NO_PERIOD:
        return 0
    table = c[LATENCIES] + c[ADDED_LATENCIES] + m[row + VALUE] // ADDED_SCALE * EDGES
    drawn_us = service_us(c, table, np.int64(mix(np.uint64(word)) >> np.uint64(32)))
    return drawn_us * (m[row + VALUE] % ADDED_SCALE) // PPM
