"""The bounded hand-off queue before each sender thread: messages that wait while the thread is blocked."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.engine.memory.send import GivenMessage
from simulator.engine.memory.world import World


@rule()
def wait_in_line(world: World, thread: int, message: GivenMessage) -> None:
    """Put a message at the end of the thread's queue; the caller has checked its limit."""
    place = world.clock.free_place
    waiting = world.backlog[place]
    world.clock.free_place = waiting.next_place
    waiting.next_place = -1
    waiting.since_us = message.arrival_us
    waiting.topic = message.topic
    waiting.draw = message.draw
    own = world.thread_states[thread]
    if own.waiting == 0:
        own.first_place = place
    else:
        world.backlog[own.last_place].next_place = place
    own.last_place = place
    own.waiting += 1


@rule()
def next_in_line(world: World, thread: int) -> GivenMessage:
    """Take the first waiting message."""
    own = world.thread_states[thread]
    place = own.first_place
    waiting = world.backlog[place]
    message = GivenMessage(waiting.since_us, waiting.topic, waiting.draw)
    own.first_place = waiting.next_place
    own.waiting -= 1
    # A free place is empty: a state that keeps what waited there long ago grows as long as a run lasts.
    waiting.since_us = waiting.topic = waiting.draw = 0
    waiting.next_place = world.clock.free_place
    world.clock.free_place = place
    return message
