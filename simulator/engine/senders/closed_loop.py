"""Closed loops: a sender thread that sends, waits for the end of its send, thinks, and sends again.

The n-th message of a thread and the think time before it follow from the thread and n alone.
"""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import RESUMING
from simulator.engine.memory.send import RESTING, GivenMessage
from simulator.engine.memory.sender_thread import WAY_SYNC
from simulator.engine.memory.world import World
from simulator.engine.shared import heap
from simulator.engine.shared.threads import kind_of
from simulator.kernel.latency import service_us
from simulator.kernel.randomness import ARRIVAL_LATENCY, ARRIVAL_TOPIC, THINK_TIME, hash4, signed

THINK_LEAST_US = 1  # so that virtual time goes on


@rule()
def _next_send_at(world: World, thread: int, now_us: Us, begun_us: Us) -> int:
    """When a thread that is free begins its next message. A send that failed at once has cost a round trip."""
    fixed = kind_of(world, thread)
    loop = world.loops[fixed.loop]
    word = signed(hash4(loop.seed, THINK_TIME, loop.stream + thread, world.begun[thread]) >> np.uint64(32))
    think_us = max(service_us(loop.think.edges, word), THINK_LEAST_US)
    if fixed.way == WAY_SYNC and begun_us == now_us:
        think_us += world.settings.refused_after_us
    return now_us + think_us


@rule()
def await_next(world: World, thread: int, now_us: Us, begun_us: Us) -> None:
    """Give an idle thread the event at which it takes its next message, if it has one: at once, or when it has thought.

    `begun_us`: when it began the message that has ended.
    """
    loop, own = kind_of(world, thread).loop, world.thread_states[thread]
    at_us = now_us
    if loop >= 0:
        at_us = _next_send_at(world, thread, now_us, begun_us)
        if at_us >= world.loops[loop].until_us:
            return
    elif own.waiting == 0:
        return
    own.doing = RESTING
    heap.push(world, at_us, RESUMING, thread)


@rule()
def next_of_loop(world: World, thread: int, now_us: Us) -> GivenMessage:
    """The thread's next message, drawn as those of arrivals are."""
    number = kind_of(world, thread).loop
    loop = world.loops[number]
    n, seed, stream = world.begun[thread], loop.seed, loop.stream + thread
    world.begun[thread] = n + 1
    choice = signed(hash4(seed, ARRIVAL_TOPIC, stream, n) >> np.uint64(33))
    first = number * world.settings.topics
    topic = 0
    while choice >= world.loop_topics[first + topic]:
        topic += 1
    return GivenMessage(now_us, topic, signed(hash4(seed, ARRIVAL_LATENCY, stream, n)))
