"""Where a message meets the batches that its client makes by itself (simulator.client.sending.accumulation)."""

from __future__ import annotations

from simulator.client.message_queue import NO_QUEUE
from simulator.client.sending.accumulation import has_hold_room
from simulator.client.steps.steps import Ending
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.send import IN_BATCH, Attempt
from simulator.engine.memory.sender_thread import SELECT_BY_STRATEGY, WAY_ASYNC, WAY_ONEWAY
from simulator.engine.memory.world import World
from simulator.engine.senders.batches import (
    accumulator_of,
    batch_for,
    batch_is_ready,
    call_guard,
    close_batch,
    enter,
    join,
)
from simulator.engine.sending.ended import end_message
from simulator.engine.sending.one_attempt import leave_thread, selected
from simulator.engine.sending.sync_send import queues_known
from simulator.engine.shared.threads import client_of, kind_of, message_of, producer_of, view_of
from simulator.kernel.pools import give_back


@rule()
def may_batch(world: World, send: Attempt) -> bool:
    """Whether the client would put the message into a batch of its own."""
    fixed = kind_of(world, send.thread)
    return client_of(world, send.thread).auto_batch == 1 and fixed.batch == 1 and fixed.way != WAY_ONEWAY


@rule()
def hold_for_ever(world: World, send: Attempt) -> None:
    """The checks refuse a message whose body was counted already; where a selector chooses, they come first."""
    if may_batch(world, send) and kind_of(world, send.thread).selector == SELECT_BY_STRATEGY:
        own = accumulator_of(world, send)
        if has_hold_room(own.held_bytes, client_of(world, send.thread).total_batch_max_bytes):
            own.held_bytes += message_of(world, send).body_bytes


@rule()
def waits_in_batch(world: World, send: Attempt, now_us: Us) -> bool:
    """Whether the message now waits in a batch; otherwise it is to be sent, by itself or with all in its batch."""
    own, queue = accumulator_of(world, send), NO_QUEUE
    if kind_of(world, send.thread).selector != SELECT_BY_STRATEGY:
        if queues_known(world, send, now_us) > 0:
            queue = selected(world, send, view_of(world, send.thread, send.topic))
        if queue == NO_QUEUE:
            return False
    if not has_hold_room(own.held_bytes, client_of(world, send.thread).total_batch_max_bytes):
        return False
    message, batch = message_of(world, send), batch_for(world, send, queue, now_us)
    own.held_bytes += message.body_bytes
    join(batch, message)
    if batch_is_ready(world, batch, now_us):
        close_batch(world, batch, send, now_us)
        return False
    send.state = IN_BATCH
    enter(world, batch, send)
    call_guard(world, producer_of(world, send), now_us)
    return True


@rule()
def follow(world: World, send: Attempt, now_us: Us) -> None:
    """A message that another one's batch carried has ended: the attempts are the other's."""
    end_message(world, send, now_us, Ending(send.outcome, send.code, 0, send.broker, send.queue_id))
    if kind_of(world, send.thread).way == WAY_ASYNC:
        give_back(world.clock.asynchronous, send)
    else:
        leave_thread(world, send, now_us)
