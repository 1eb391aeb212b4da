"""When a producer's client started before the run: what it does on timers follows from it."""

from __future__ import annotations

import numpy as np

from simulator.compiled.records import Array
from simulator.randomness import CLIENT_START, words
from simulator.scenario.client_settings import ClientSettings

# Eight clients of one process that begin at once: their first routes come within 17 to 65 ms, and polls 30 s later
# within 38 to 84 ms of each other (14 live recordings).
STARTED_WITHIN_US = 50_000


def started_before_us(client: ClientSettings, seed: int, producers: Array, period_us: int) -> Array:
    """int64[producers]: up to a period of a timer; with poll_phase aligned within what starting some clients takes."""
    within_us = min(STARTED_WITHIN_US, period_us) if client.poll_phase == "aligned" else period_us
    return (words(seed, CLIENT_START, producers) % np.uint64(within_us)).astype(np.int64)
