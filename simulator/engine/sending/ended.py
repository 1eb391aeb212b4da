"""A message has ended: with it the batch that it carried, and its row is put out."""

from __future__ import annotations

from simulator import codes
from simulator.client.steps.steps import Ending
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import FOLLOWING, FOLLOWING_ASYNC, SWEEPING
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.sender_thread import WAY_ASYNC
from simulator.engine.memory.world import World
from simulator.engine.senders.batches import BATCH_OVERHEAD_BYTES, NONE, await_turn, relist
from simulator.engine.shared import heap
from simulator.engine.shared.open_messages import put_when_known
from simulator.engine.shared.rows import put_send
from simulator.engine.shared.threads import kind_of, message_of, producer_of
from simulator.kernel.pools import give_back


@rule()
def _end_batch(world: World, send: Attempt, now_us: Us, ending: Ending) -> None:
    """The send of a batch has ended, and so have the messages in it."""
    producer, message = producer_of(world, send), message_of(world, send)
    own, batch = world.accumulators[producer], world.batches[message.batch - 1]
    result, code = ending.result, ending.code
    is_stored = result in codes.STORED
    if not is_stored and kind_of(world, send.thread).way != WAY_ASYNC:
        result, code = codes.NO_SEND_RESULT, codes.NO_CODE
    number = batch.first
    while number != NONE:
        other = world.attempts[number]
        number = other.next_record
        in_batch = message_of(world, other)
        in_batch.begin_us = message.begin_us
        in_batch.copies = message.copies
        in_batch.kept = message.kept
        other.outcome = result
        other.code = code
        other.broker = ending.broker
        other.queue_id = ending.queue_id
        await_turn(world, other, FOLLOWING, FOLLOWING_ASYNC, now_us)
    own.held_bytes -= batch.body_bytes
    if batch.is_listed == 1:
        relist(world, own, batch, batch.next_record)
    if own.awaited == batch.number:
        own.awaited = NONE
        heap.push(world, now_us, SWEEPING, producer)
    give_back(world.clock.batches, batch)
    message.batch = 0
    message.message_bytes = message.body_bytes + BATCH_OVERHEAD_BYTES


@rule(inlined=True)
def end_message(world: World, send: Attempt, end_us: Us, ending: Ending) -> None:
    """Put the message out, at once or when it is known what its copies come to; a batch ends with it."""
    if world.settings.ends_apart == 1:
        result, code, attempts, broker, queue_id = ending
        world.late.end_apart(world, send, end_us, result, code, attempts, broker, queue_id)
    else:
        put_send(world, message_of(world, send), end_us, ending)


@rule()
def end_with_others(world: World, send: Attempt, end_us: Us, ending: Ending) -> None:
    """Put the message out when it is known what its copies come to; its batch ends with it."""
    if message_of(world, send).batch > 0:
        _end_batch(world, send, end_us, ending)
    put_when_known(world, send, end_us, ending)
