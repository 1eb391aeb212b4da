"""Queues of messages by number, linked by their next_record."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.engine.memory.send import Attempt, Queue
from simulator.engine.memory.world import World


@rule()
def put_last(world: World, queue: Queue, send: Attempt) -> None:
    """Put a send at the end of a queue."""
    send.next_record = -1
    if queue.head < 0:
        queue.head = send.number
    else:
        world.attempts[queue.tail].next_record = send.number
    queue.tail = send.number


@rule()
def take_first(world: World, queue: Queue) -> Attempt:
    """Take the first send of a queue that has one."""
    send = world.attempts[queue.head]
    queue.head = send.next_record
    return send


@rule()
def take_out(world: World, queue: Queue, send: Attempt) -> None:
    """Take a send out of the middle of a queue."""
    if queue.head == send.number:
        queue.head = send.next_record
        return
    before = world.attempts[queue.head]
    while before.next_record != send.number:
        before = world.attempts[before.next_record]
    before.next_record = send.next_record
    if queue.tail == send.number:
        queue.tail = before.number
