"""The batches that wait in a producer's accumulator, and the guard that looks at them.

A batch is a record of world.sends, FILLING and then SENT, that has no event. Of it mean: length, head and tail the
messages in it (without the one that sends it), begin_us when it was begun, body_bytes and message_bytes what they come
to as they are and in a batch, queue_id the packed queue or NO_QUEUE, held 1 while the accumulator lists it. So the
guard: its head is the batch that it looks at next, held 1 if it goes on there after it has waited.
The rules are those of simulator.client.sending.accumulation; batches are looked at in the order in which their topics
(and queues) were first sent to.
"""

from __future__ import annotations

from simulator import codes
from simulator.client.sending.accumulation import guard_period_us, is_ready
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine import heap
from simulator.engine.broker.flushing import put_when_known
from simulator.engine.senders.sender_thread import WAY_ASYNC, Batching
from simulator.engine.senders.threads import kind_of, producer_of
from simulator.engine.sending.ending import Ending
from simulator.engine.sending.message import BATCH_OVERHEAD_BYTES
from simulator.engine.sending.send import FILLING, FOLLOWING, LEADING, SENT, SWEEPING, Send
from simulator.engine.sending.spare_sends import give_back, take
from simulator.engine.world import World

NONE = -1


@rule()
def accumulator_of(world: World, send: Send) -> Batching:
    """The accumulator of the producer whose message that is."""
    return world.accumulators[producer_of(world, send)]


@rule()
def _relist(world: World, own: Batching, batch: Send, to: int) -> None:
    """Put what begins with `to` into the place of a batch in the list."""
    batch.held = 0
    if own.first == batch.number:
        own.first = to
    else:
        before = world.sends[own.first]
        while before.next_record != batch.number:
            before = world.sends[before.next_record]
        before.next_record = to
    if own.guard != NONE and world.sends[own.guard].head == batch.number:
        world.sends[own.guard].head = to


@rule()
def _list(world: World, own: Batching, batch: Send) -> None:
    """Put a new batch into the list: in the place of the one that is being sent, or at the end."""
    batch.held = 1
    batch.next_record = NONE
    if own.first == NONE:
        own.first = batch.number
        return
    number = own.first
    while True:
        other = world.sends[number]
        if other.topic == batch.topic and other.queue_id == batch.queue_id:
            batch.next_record = other.next_record
            _relist(world, own, other, batch.number)
            return
        if other.next_record == NONE:
            other.next_record = batch.number
            return
        number = other.next_record


@rule()
def batch_for(world: World, send: Send, queue: int, now_us: Us) -> Send:
    """The batch that takes a message for that packed queue, or NO_QUEUE: begun now if none is filling."""
    own = accumulator_of(world, send)
    number = own.first
    while number != NONE:
        batch = world.sends[number]
        if batch.topic == send.topic and batch.queue_id == queue and batch.state == FILLING:
            return batch
        number = batch.next_record
    batch = take(world)
    batch.state = FILLING
    batch.thread = send.thread
    batch.topic = send.topic
    batch.queue_id = queue
    batch.begin_us = now_us
    batch.body_bytes = 0
    batch.message_bytes = 0
    batch.length = 0
    batch.head = NONE
    _list(world, own, batch)
    return batch


@rule()
def join(batch: Send, send: Send) -> None:
    """A message is part of a batch."""
    send.message_bytes = send.body_bytes + BATCH_OVERHEAD_BYTES
    batch.body_bytes += send.body_bytes
    batch.message_bytes += send.message_bytes


@rule()
def enter(world: World, batch: Send, send: Send) -> None:
    """A message of a batch waits, behind those that do."""
    send.next_record = NONE
    if batch.head == NONE:
        batch.head = send.number
    else:
        world.sends[batch.tail].next_record = send.number
    batch.tail = send.number
    batch.length += 1


@rule()
def _first_of(world: World, batch: Send) -> Send:
    """Take out the message that waits longest."""
    send = world.sends[batch.head]
    batch.head = send.next_record
    batch.length -= 1
    return send


@rule()
def close_batch(world: World, batch: Send, send: Send, now_us: Us) -> None:
    """The message, which no longer waits in the batch, sends it."""
    batch.state = SENT
    send.batch = 1 + batch.number
    send.begin_us = now_us
    send.message_bytes = batch.message_bytes
    if kind_of(world, send.thread).way == WAY_ASYNC:
        _relist(world, accumulator_of(world, batch), batch, batch.next_record)


@rule()
def batch_is_ready(world: World, batch: Send, now_us: Us) -> bool:
    """Whether a batch is to be sent."""
    settings = world.settings
    age_ms = now_us // 1000 - batch.begin_us // 1000
    return is_ready(age_ms, batch.body_bytes, settings.batch_max_delay_ms, settings.batch_max_bytes)


@rule()
def call_guard(world: World, send: Send, now_us: Us) -> None:
    """Let the guard look from its next moment on; it is left alone while no batch is listed."""
    own = accumulator_of(world, send)
    if own.guard != NONE:
        return
    period_us = guard_period_us(world.settings.batch_max_delay_ms)
    if own.look_us < now_us:
        own.look_us += (now_us - own.look_us + period_us - 1) // period_us * period_us
    guard = take(world)
    guard.state = SWEEPING
    guard.thread = send.thread
    guard.held = 0
    guard.head = NONE
    own.guard = guard.number
    heap.push(world, own.look_us, guard.number)


@rule()
def sweep(world: World, guard: Send, now_us: Us) -> None:
    """The guard looks at one batch after the other, until one is locked; then it sleeps."""
    own = accumulator_of(world, guard)
    number = guard.head if guard.held == 1 else own.first
    while number != NONE:
        batch = world.sends[number]
        number = batch.next_record
        if batch.state == SENT:
            own.awaited = batch.number
            guard.head = number
            guard.held = 1
            return
        if batch_is_ready(world, batch, now_us):
            leader = _first_of(world, batch)
            close_batch(world, batch, leader, now_us)
            leader.state = LEADING
            heap.push(world, now_us, leader.number)
        elif batch.length > 2:
            for _ in range(2):  # woken, and not ready: they wait again
                enter(world, batch, _first_of(world, batch))
    guard.held = 0
    guard.head = NONE
    own.look_us = now_us + guard_period_us(world.settings.batch_max_delay_ms)
    if own.first == NONE:
        own.guard = NONE
        give_back(world, guard)
    else:
        heap.push(world, own.look_us, guard.number)


@rule()
def _end_batch(world: World, send: Send, now_us: Us, ending: Ending) -> None:
    """The send of a batch has ended, and so have the messages in it."""
    own, batch = accumulator_of(world, send), world.sends[send.batch - 1]
    result, code = ending.result, ending.code
    told = result == codes.SEND_OK or result == codes.SEND_STATUS
    if not told and kind_of(world, send.thread).way != WAY_ASYNC:
        result, code = codes.NO_SEND_RESULT, codes.NO_CODE
    number = batch.head
    while number != NONE:
        other = world.sends[number]
        number = other.next_record
        other.begin_us = send.begin_us
        other.outcome = result
        other.code = code
        other.broker = ending.broker
        other.queue_id = ending.queue_id
        other.copies = send.copies
        other.kept = send.kept
        other.state = FOLLOWING
        heap.push(world, now_us, other.number)
    own.held_bytes -= batch.body_bytes
    if batch.held == 1:
        _relist(world, own, batch, batch.next_record)
    if own.awaited == batch.number:
        own.awaited = NONE
        heap.push(world, now_us, own.guard)
    give_back(world, batch)
    send.batch = 0
    send.message_bytes = send.body_bytes + BATCH_OVERHEAD_BYTES


@rule()
def put_ended(world: World, send: Send, end_us: Us, ending: Ending) -> None:
    """`rows.put_send` of a message, at once or when it is known what its copies come to; a batch ends with it."""
    if send.batch > 0:
        _end_batch(world, send, end_us, ending)
    put_when_known(world, send, end_us, ending)
