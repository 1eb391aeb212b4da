"""A broker's send queue and the send threads that empty it, and when fast failure looks at it."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.world import World
from simulator.engine.shared.periods import start_after_standstill

SCAN_US = 10_000
TOGETHER = 8  # send threads that are looked at without a branch, which would often be guessed wrong


@rule()
def scan_at(world: World, broker: int, at_us: Us) -> int:
    """First scan of fast failure at or after `at_us`; a process that stands still scans when it goes on."""
    phase_us = world.brokers[broker].scan_phase_us
    return start_after_standstill(world, broker, at_us + (phase_us - at_us) % SCAN_US)


@rule(inlined=True)
def first_free(world: World, broker: int, now_us: Us) -> int:
    """Number in world.servers of a send thread that is free, else of the one that is free first."""
    fixed = world.brokers[broker]
    first, after = fixed.first_server, fixed.first_server + fixed.server_count
    looked = first
    while looked + TOGETHER <= after:
        place = TOGETHER
        for i in range(TOGETHER):
            place = min(place, i if world.servers[looked + i] <= now_us else TOGETHER)
        if place < TOGETHER:
            return looked + place
        looked += TOGETHER
    for server in range(looked, after):
        if world.servers[server] <= now_us:
            return server
    return _free_first(world, first, after)


@rule()
def _free_first(world: World, first: int, after: int) -> int:
    """The one of those send threads, which all have work, that is free first."""
    free = first
    for server in range(first + 1, after):
        if world.servers[server] < world.servers[free]:
            free = server
    return free


@rule(inlined=True)
def leave_queue(world: World, broker: int, at_us: Us) -> None:
    """Note in the broker's ring that the request that just came leaves the send queue at `at_us`."""
    fixed, state = world.brokers[broker], world.broker_states[broker]
    world.rings[fixed.first_place + state.ring_place] = at_us
    state.ring_place += 1
    if state.ring_place == fixed.queue_capacity:
        state.ring_place = 0


@rule(inlined=True)
def is_full(world: World, broker: int, now_us: Us) -> bool:
    """Whether the request that left the queue `queue_capacity` places ago is still in it."""
    return world.rings[world.brokers[broker].first_place + world.broker_states[broker].ring_place] > now_us
