"""Half messages of a replica set whose master goes: which of those that it has ended the next one finds open.

That a half message is ended says an op message, which a broker of 5.1.0 and later writes for all of 3 s at once: what
the old master had not written is open again. So is what it asked about after its slaves had copied how far the half
queue is read, as the entry that it has written again is ended, and not the one before. Both are asked about again, and
a producer that commits again has the message delivered again.

Source: rocketmq 4.5.0-5.5.0, TransactionalMessageServiceImpl.check and .putBackHalfMsgQueue, SlaveSynchronize
.syncConsumerOffset; 5.1.0-5.5.0, .deletePrepareMessage and TransactionalOpBatchService.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.half_message import (
    GONE,
    IS_LOST,
    NEVER_US,
    NO_LINK,
    OPEN,
    UNCOPIED,
    UNWRITTEN,
    HalfMessage,
    HalfQueue,
)
from simulator.consumer.transactions.half_queue import give_back_if_done, link_by_age, take_out


@rule(inlined=True)
def keep_for_other_master(queue: HalfQueue, half: HalfMessage) -> None:
    """A half message that is settled and out of its queue is kept while another master would find it open."""
    half.kept = UNWRITTEN if queue.batches == 1 else 0
    if half.checks > 0 and half.again_us > queue.copied_us:
        half.kept |= UNCOPIED
    if half.kept > 0:
        half.behind = queue.first_kept
        queue.first_kept = half.number


@rule()
def forget_ended(world: ConsumerWorld, broker: int, why: int) -> None:
    """Another master finds no half message open for that reason any more: UNWRITTEN or UNCOPIED."""
    queue = world.half_queues[broker]
    at = queue.first_kept
    queue.first_kept = NO_LINK
    while at != NO_LINK:
        half = world.halves[at]
        behind = half.behind
        half.kept &= ~why
        if half.kept & (UNWRITTEN | UNCOPIED) == 0:
            half.kept = 0
            give_back_if_done(world, at)
        else:
            half.behind = queue.first_kept
            queue.first_kept = at
        at = behind


@rule()
def note_copied(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """The slaves of a set copy how far its half queue is read."""
    world.half_queues[broker].copied_us = now_us
    forget_ended(world, broker, UNCOPIED)


@rule()
def open_as_new_master(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """A slave becomes the master: what it finds open is open, and no producer knows it yet."""
    queue = world.half_queues[broker]
    at = queue.first_kept
    queue.first_kept = NO_LINK
    while at != NO_LINK:
        half = world.halves[at]
        behind, is_lost = half.behind, half.kept & IS_LOST > 0
        half.kept = 0
        if is_lost:
            give_back_if_done(world, at)
        else:
            half.fate = OPEN
            half.settled_us = NEVER_US
            half.by_check = 0
            queue.open += 1
            link_by_age(world, queue, at)
        at = behind
    queue.epoch_us = now_us
    queue.copied_us = now_us


@rule()
def lose_half(world: ConsumerWorld, broker: int, log: int, draw: int) -> None:
    """A half message is lost: one that is open is gone, and no other master finds one that is settled."""
    queue = world.half_queues[broker]
    at = queue.last
    while at != NO_LINK:
        half = world.halves[at]
        before = half.before
        if half.draw == draw and half.log == log:
            half.fate = GONE
            queue.open -= 1
            take_out(world, queue, at)
            give_back_if_done(world, at)
        at = before
    at = queue.first_kept
    while at != NO_LINK:
        half = world.halves[at]
        if half.draw == draw and half.log == log:
            half.kept |= IS_LOST
        at = half.behind
