"""The batches that wait in a producer's accumulator, and the guard that looks at them.

The rules are those of simulator.client.sending.accumulation; batches are looked at in the order in which their topics
(and queues) were first sent to.
"""

from __future__ import annotations

from simulator.client.sending.accumulation import guard_period_us, is_ready
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import LEADING, LEADING_ASYNC, SWEEPING
from simulator.engine.memory.send import Attempt, Message
from simulator.engine.memory.sender_thread import WAY_ASYNC, Batching, MadeBatch
from simulator.engine.memory.world import World
from simulator.engine.shared import heap
from simulator.engine.shared.threads import client_of, kind_of, message_of
from simulator.kernel.pools import take

NONE = -1

# What a message in a batch needs beside its body: six fields, and the properties UNIQ_KEY (32 characters) and WAIT.
# Source: rocketmq 4.2.0-5.3.3, MessageDecoder.encodeMessage, MessageClientIDSetter.
BATCH_OVERHEAD_BYTES = 22 + 42 + 10


@rule()
def accumulator_of(world: World, send: Attempt | MadeBatch) -> Batching:
    """The accumulator of the producer whose message or batch that is."""
    return world.accumulators[world.threads[send.thread].producer]


@rule()
def relist(world: World, own: Batching, batch: MadeBatch, to: int) -> None:
    """Put what begins with `to` into the place of a batch in the list."""
    batch.is_listed = 0
    if own.first == batch.number:
        own.first = to
    else:
        before = world.batches[own.first]
        while before.next_record != batch.number:
            before = world.batches[before.next_record]
        before.next_record = to
    if own.guards == 1 and own.guard_next == batch.number:
        own.guard_next = to


@rule()
def _list(world: World, own: Batching, batch: MadeBatch) -> None:
    """Put a new batch into the list: in the place of the one that is being sent, or at the end."""
    batch.is_listed = 1
    batch.next_record = NONE
    if own.first == NONE:
        own.first = batch.number
        return
    number = own.first
    while True:
        other = world.batches[number]
        if other.topic == batch.topic and other.queue == batch.queue:
            batch.next_record = other.next_record
            relist(world, own, other, batch.number)
            return
        if other.next_record == NONE:
            other.next_record = batch.number
            return
        number = other.next_record


@rule()
def batch_for(world: World, send: Attempt, queue: int, now_us: Us) -> MadeBatch:
    """The batch that takes a message for that packed queue, or NO_QUEUE: begun now if none is filling."""
    own = accumulator_of(world, send)
    number = own.first
    while number != NONE:
        batch = world.batches[number]
        if batch.topic == send.topic and batch.queue == queue and batch.is_sent == 0:
            return batch
        number = batch.next_record
    batch = take(world, world.clock.batches, world.batches)
    batch.is_sent = 0
    batch.thread = send.thread
    batch.topic = send.topic
    batch.queue = queue
    batch.begin_us = now_us
    batch.body_bytes = 0
    batch.message_bytes = 0
    batch.waiting = 0
    batch.first = NONE
    _list(world, own, batch)
    return batch


@rule()
def join(batch: MadeBatch, message: Message) -> None:
    """A message is part of a batch."""
    message.message_bytes = message.body_bytes + BATCH_OVERHEAD_BYTES
    batch.body_bytes += message.body_bytes
    batch.message_bytes += message.message_bytes


@rule()
def enter(world: World, batch: MadeBatch, send: Attempt) -> None:
    """A message of a batch waits, behind those that do."""
    send.next_record = NONE
    if batch.first == NONE:
        batch.first = send.number
    else:
        world.attempts[batch.last].next_record = send.number
    batch.last = send.number
    batch.waiting += 1


@rule()
def _first_of(world: World, batch: MadeBatch) -> Attempt:
    """Take out the message that waits longest."""
    send = world.attempts[batch.first]
    batch.first = send.next_record
    batch.waiting -= 1
    return send


@rule()
def close_batch(world: World, batch: MadeBatch, send: Attempt, now_us: Us) -> None:
    """The message, which no longer waits in the batch, sends it."""
    message = message_of(world, send)
    batch.is_sent = 1
    message.batch = 1 + batch.number
    message.begin_us = now_us
    message.message_bytes = batch.message_bytes
    if kind_of(world, send.thread).way == WAY_ASYNC:
        relist(world, accumulator_of(world, batch), batch, batch.next_record)


@rule()
def batch_is_ready(world: World, batch: MadeBatch, now_us: Us) -> bool:
    """Whether a batch is to be sent."""
    client = client_of(world, batch.thread)
    age_ms = now_us // 1000 - batch.begin_us // 1000
    return is_ready(age_ms, batch.body_bytes, client.batch_max_delay_ms, client.batch_max_bytes)


@rule()
def call_guard(world: World, producer: int, now_us: Us) -> None:
    """Let the guard look from its next moment on; it is left alone while no batch is listed."""
    own = world.accumulators[producer]
    if own.guards == 1:
        return
    period_us = guard_period_us(client_of(world, world.producers[producer].first_thread).batch_max_delay_ms)
    if own.look_us < now_us:
        own.look_us += (now_us - own.look_us + period_us - 1) // period_us * period_us
    own.guards = 1
    own.guard_waits = 0
    own.guard_next = NONE
    heap.push(world, own.look_us, SWEEPING, producer)


@rule()
def sweep(world: World, producer: int, now_us: Us) -> None:
    """The guard looks at one batch after the other, until one is locked; then it sleeps."""
    own = world.accumulators[producer]
    number = own.guard_next if own.guard_waits == 1 else own.first
    while number != NONE:
        batch = world.batches[number]
        number = batch.next_record
        if batch.is_sent == 1:
            own.awaited = batch.number
            own.guard_next = number
            own.guard_waits = 1
            return
        if batch_is_ready(world, batch, now_us):
            leader = _first_of(world, batch)
            close_batch(world, batch, leader, now_us)
            await_turn(world, leader, LEADING, LEADING_ASYNC, now_us)
        elif batch.waiting > 2:
            for _ in range(2):  # woken, and not ready: they wait again
                enter(world, batch, _first_of(world, batch))
    own.guard_waits = 0
    own.guard_next = NONE
    own.look_us = now_us + guard_period_us(client_of(world, world.producers[producer].first_thread).batch_max_delay_ms)
    if own.first == NONE:
        own.guards = 0
    else:
        heap.push(world, own.look_us, SWEEPING, producer)


@rule()
def await_turn(world: World, send: Attempt, kind: int, kind_of_async: int, now_us: Us) -> None:
    """What happens to a message of a batch happens at once, but in its turn."""
    if kind_of(world, send.thread).way == WAY_ASYNC:
        heap.await_alone(world, send, kind_of_async, now_us)
    else:
        heap.await_in_thread(world, send, kind, now_us)
