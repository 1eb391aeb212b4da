"""The half queue of a broker as a list, the pool that its messages are taken from, and the row of one that is done."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.memory.consumer_output import copy_transaction_state
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.half_message import GONE, NEVER_US, NO_HALF, NO_LINK, OPEN, HalfQueue
from simulator.kernel import pools
from simulator.kernel.row_table import next_row


@rule()
def take_half(world: ConsumerWorld) -> int:
    """A record of a new half message."""
    half = pools.take(world, world.clock.halves, world.halves)
    half.fate = OPEN
    half.checks = 0
    half.answers = 0
    half.local_us = NEVER_US
    half.settled_us = NEVER_US
    half.by_check = 0
    half.delivered = 0
    half.under_way = 0
    half.kept = 0
    half.has_escaped = 0
    half.proxy = NO_LINK
    return half.number


@rule()
def link_last(world: ConsumerWorld, queue: HalfQueue, number: int) -> None:
    """Put a half message at the end of the queue."""
    half = world.halves[number]
    half.before = queue.last
    half.behind = NO_LINK
    if queue.last == NO_HALF:
        queue.first = number
    else:
        world.halves[queue.last].behind = number
    queue.last = number


@rule()
def link_by_age(world: ConsumerWorld, queue: HalfQueue, number: int) -> None:
    """Put a half message behind those that were written before it."""
    half = world.halves[number]
    before, behind = queue.last, NO_LINK
    while before != NO_LINK and world.halves[before].again_us > half.again_us:
        behind = before
        before = world.halves[before].before
    half.before = before
    half.behind = behind
    if before == NO_LINK:
        queue.first = number
    else:
        world.halves[before].behind = number
    if behind == NO_LINK:
        queue.last = number
    else:
        world.halves[behind].before = number


@rule()
def take_out(world: ConsumerWorld, queue: HalfQueue, number: int) -> None:
    """Take a half message out of the queue."""
    half = world.halves[number]
    if half.before == NO_LINK:
        queue.first = half.behind
    else:
        world.halves[half.before].behind = half.behind
    if half.behind == NO_LINK:
        queue.last = half.before
    else:
        world.halves[half.behind].before = half.before


@rule()
def give_back_if_done(world: ConsumerWorld, number: int) -> None:
    """Put out and give back a half message that is settled, that no request is about and that is not kept."""
    half = world.halves[number]
    if half.fate == OPEN or half.under_way > 0 or half.kept > 0:
        return
    put_transaction(world, number)
    pools.give_back(world.clock.halves, half)


@rule()
def put_transaction(world: ConsumerWorld, number: int) -> None:
    """Put out a half message as it stands, unless it is gone."""
    if world.output.transactions.room == 0 or world.halves[number].fate == GONE:
        return
    row = world.output.transaction_rows[next_row(world.output, world.output.transactions)]
    copy_transaction_state(row, world.halves[number])
