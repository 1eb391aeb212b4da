"""A message has ended: with it the batch that it carried, and its row is put out."""

from __future__ import annotations

from simulator import codes
from simulator.client.steps.steps import Ending
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import FOLLOWING, FOLLOWING_ASYNC, SWEEPING
from simulator.engine.memory.send import Send
from simulator.engine.memory.sender_thread import WAY_ASYNC
from simulator.engine.memory.world import World
from simulator.engine.senders.batches import BATCH_OVERHEAD_BYTES, NONE, await_turn, relist
from simulator.engine.shared import heap
from simulator.engine.shared.open_messages import put_when_known
from simulator.engine.shared.rows import put_send
from simulator.engine.shared.threads import kind_of, producer_of
from simulator.kernel.pools import give_back


@rule()
def _end_batch(world: World, send: Send, now_us: Us, ending: Ending) -> None:
    """The send of a batch has ended, and so have the messages in it."""
    producer = producer_of(world, send)
    own, batch = world.accumulators[producer], world.batches[send.batch - 1]
    result, code = ending.result, ending.code
    told = result in codes.STORED
    if not told and kind_of(world, send.thread).way != WAY_ASYNC:
        result, code = codes.NO_SEND_RESULT, codes.NO_CODE
    copies, kept = send.copies, send.kept
    if send.counted > 0:
        copies += world.open_messages[send.counted - 1].copies
        kept += world.open_messages[send.counted - 1].kept
    number = batch.first
    while number != NONE:
        other = world.sends[number]
        number = other.next_record
        other.begin_us = send.begin_us
        other.outcome = result
        other.code = code
        other.broker = ending.broker
        other.queue_id = ending.queue_id
        other.copies = copies
        other.kept = kept
        await_turn(world, other, FOLLOWING, FOLLOWING_ASYNC, now_us)
    own.held_bytes -= batch.body_bytes
    if batch.is_listed == 1:
        relist(world, own, batch, batch.next_record)
    if own.awaited == batch.number:
        own.awaited = NONE
        heap.push(world, now_us, SWEEPING, producer)
    give_back(world.clock.batches, batch)
    send.batch = 0
    send.message_bytes = send.body_bytes + BATCH_OVERHEAD_BYTES


@rule(inlined=True)
def end_message(world: World, send: Send, end_us: Us, ending: Ending) -> None:
    """Put the message out, at once or when it is known what its copies come to; a batch ends with it."""
    if world.settings.ends_apart == 1:
        _end_with_others(world, send, end_us, ending)
    else:
        put_send(world, send, end_us, ending)


@rule()
def _end_with_others(world: World, send: Send, end_us: Us, ending: Ending) -> None:
    if send.batch > 0:
        _end_batch(world, send, end_us, ending)
    put_when_known(world, send, end_us, ending)
