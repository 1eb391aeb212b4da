"""Threads of a process that is away or stands still: they take no message before it is back, or goes on.

What waits for the threads of a process that goes is lost with it, and no thread is at a local transaction any more. A
message under way ends as it would have.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.world import World
from simulator.engine.senders.hand_off import next_in_line


@rule()
def silent_until(world: World, thread: int, now_us: Us) -> int:
    """When the process of a thread is back, or goes on; now if it is there."""
    producer, until_us = world.threads[thread].producer, now_us
    for number in range(world.first_silences[producer], world.first_silences[producer + 1]):
        one = world.silences[number]
        if one.from_us <= now_us:
            until_us = max(until_us, one.until_us)
    return until_us


@rule()
def gone_before(world: World, thread: int, now_us: Us, until_us: Us) -> int:
    """When the process of a thread goes next, now if it is away; `until_us` if it does not go before."""
    producer = world.threads[thread].producer
    for number in range(world.first_silences[producer], world.first_silences[producer + 1]):
        one = world.silences[number]
        if one.is_gone == 1 and one.until_us > now_us:
            until_us = min(until_us, max(one.from_us, now_us))
    return until_us


@rule()
def lose_waiting(world: World, thread: int, now_us: Us) -> None:
    """Forget what waits for a thread and was meant for a process that has gone since."""
    own, producer, gone_us = world.thread_states[thread], world.threads[thread].producer, 0
    if own.waiting == 0:
        return
    for number in range(world.first_silences[producer], world.first_silences[producer + 1]):
        one = world.silences[number]
        if one.is_gone == 1 and one.from_us <= now_us:
            gone_us = max(gone_us, one.from_us)
    while own.waiting > 0 and world.backlog[own.first_place].since_us < gone_us:
        next_in_line(world, thread)
