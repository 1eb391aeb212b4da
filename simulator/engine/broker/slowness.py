"""What a slow broker adds to the service of a request: a draw of a distribution of its own."""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.periods_table import ADDED, ADDED_SCALE, NO_PERIOD
from simulator.engine.memory.world import World
from simulator.engine.shared.periods import period_at, periods_of
from simulator.kernel.latency import service_us
from simulator.kernel.randomness import mix, signed

PPM = 1_000_000
ADDED_WORD = 0xADDED  # so that what is added is drawn otherwise than when a time-out is noticed


@rule()
def added_service_us(world: World, broker: int, now_us: Us, word: int) -> int:
    """Service time that a slow broker's added distribution gives a request."""
    place = period_at(world, periods_of(world, broker, ADDED), now_us)
    if place == NO_PERIOD:
        return 0
    value = world.timetable[place].value
    table = world.latencies[world.settings.added_latencies + value // ADDED_SCALE]
    drawn_us = service_us(table.edges, signed(mix(np.uint64(word + ADDED_WORD)) >> np.uint64(32)))
    return drawn_us * (value % ADDED_SCALE) // PPM
