"""The commit log of a broker: one put at a time, its lock, stalls of the disk and the busy page cache."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.world import World
from simulator.engine.shared.periods import end_of_work, end_with_disk, start_after_standstill


@rule()
def append(world: World, broker: int, now_us: Us, start_us: Us, append_us: Us) -> int:
    """When a put whose service starts at `start_us` is appended; it holds the lock from when that is free.

    A put that a stall of the disk catches keeps the lock. Held for more than osPageCacheBusyTimeOutMills, the page
    cache is busy until it is released (DefaultMessageStore.isOSPageCacheBusy, 4.2.0-5.3.3). Only stalls count: a
    process that stands still does not look at its clock, and an append takes microseconds.
    """
    state = world.broker_states[broker]
    begin_us = max(start_us, state.lock_free_us)
    end_us = end_with_disk(world, broker, begin_us, append_us)
    state.lock_free_us = end_us
    busy_us = (begin_us // 1000 + world.brokers[broker].lock_busy_ms + 1) * 1000
    unstalled_us = end_of_work(world, broker, start_after_standstill(world, broker, begin_us), append_us)
    if end_us > busy_us and end_us > unstalled_us:
        # Holders that follow each other without a pause make one busy time.
        if state.busy_until_us <= now_us:
            state.busy_from_us = busy_us
        state.busy_until_us = end_us
    return end_us
