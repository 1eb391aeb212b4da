"""The bounded hand-off queue before each sender thread: messages that wait while the thread is blocked."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.engine.sending.ending import Message
from simulator.engine.world import World


@rule()
def wait_in_line(world: World, thread: int, message: Message) -> None:
    """Put a message at the end of the thread's queue; the caller has checked its limit."""
    place = world.clock.free_place
    waiting = world.backlog[place]
    world.clock.free_place = waiting.next_place
    waiting.next_place = -1
    waiting.since_us = message.arrival_us
    waiting.topic = message.topic
    waiting.draw = message.draw
    queue = world.sends[thread]
    if queue.length == 0:
        queue.head = place
    else:
        world.backlog[queue.tail].next_place = place
    queue.tail = place
    queue.length += 1


@rule()
def next_in_line(world: World, thread: int) -> Message:
    """Take the first waiting message."""
    queue = world.sends[thread]
    place = queue.head
    waiting = world.backlog[place]
    message = Message(waiting.since_us, waiting.topic, waiting.draw)
    queue.head = waiting.next_place
    queue.length -= 1
    # A free place is empty: a state that keeps what waited there long ago grows as long as a run lasts.
    waiting.since_us = waiting.topic = waiting.draw = 0
    waiting.next_place = world.clock.free_place
    world.clock.free_place = place
    return message
