"""Sends that are taken and given back, and queues of them; the first of all are the sender threads' own."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine import heap
from simulator.engine.rows import pair_of
from simulator.engine.sending.message import key_order_of
from simulator.engine.sending.policy_door import delay_of_hedge
from simulator.engine.sending.send import APPENDING, HEDGE_DUE, HEDGED, IN_SOCKET, SET_ASIDE, Queue, Send
from simulator.engine.world import World
from simulator.policies.policy import NO_HEDGE

NEEDED = 8  # free records before an event: more than any takes


@rule()
def take(world: World) -> Send:
    """A free record; the loop has seen to it that there is one."""
    clock = world.clock
    send = world.sends[clock.free_record]
    clock.free_record = send.next_record
    clock.free_records -= 1
    return send


@rule()
def give_back(world: World, send: Send) -> None:
    """The record is free again."""
    clock = world.clock
    send.next_record = clock.free_record
    clock.free_record = send.number
    clock.free_records += 1


@rule()
def set_aside(world: World, send: Send) -> None:
    """The attempt that is under way goes on in a record of its own, and the message may have another."""
    aside = take(world)
    aside.thread = send.thread
    aside.topic = send.topic
    aside.send_seq = send.send_seq
    aside.attempt = send.attempt
    aside.attempt_begin_us = send.attempt_begin_us
    aside.broker = send.broker
    aside.queue_id = send.queue_id
    aside.outcome = send.outcome
    aside.code = send.code
    aside.reason = send.reason
    aside.state = SET_ASIDE
    heap.push(world, send.ends_us, aside.number)
    send.under_way += 1
    send.state = HEDGED


@rule()
def stand_by(world: World, send: Send, now_us: Us) -> None:
    """A record waits until the asynchronous attempt of a send gets another beside it, if the policy may want one."""
    if send.under_way != 0:
        return
    due_us = delay_of_hedge(world, send, now_us)
    if due_us == NO_HEDGE or (send.state != IN_SOCKET and now_us + due_us >= send.ends_us):
        return
    beside = take(world)
    beside.thread = send.thread
    beside.under_way = 1 + send.number
    beside.state = HEDGE_DUE
    send.under_way = 1 + beside.number
    heap.push(world, now_us + due_us, beside.number)


@rule()
def put_last(world: World, queue: Queue, send: Send) -> None:
    """Put a send at the end of a queue."""
    send.next_record = -1
    if queue.head < 0:
        queue.head = send.number
    else:
        world.sends[queue.tail].next_record = send.number
    queue.tail = send.number


@rule()
def take_first(world: World, queue: Queue) -> Send:
    """Take the first send of a queue that has one."""
    send = world.sends[queue.head]
    queue.head = send.next_record
    return send


@rule()
def take_out(world: World, queue: Queue, send: Send) -> None:
    """Take a send out of the middle of a queue."""
    if queue.head == send.number:
        queue.head = send.next_record
        return
    before = world.sends[queue.head]
    while before.next_record != send.number:
        before = world.sends[before.next_record]
    before.next_record = send.next_record
    if queue.tail == send.number:
        queue.tail = before.number


@rule()
def await_append(world: World, send: Send) -> None:
    """If the send's request is stored and its order is checked: an event when that happens."""
    if send.stored_us < 0 or key_order_of(world, send) < 0:
        return
    copy = take(world)
    copy.topic = send.topic
    copy.broker = send.broker
    copy.thread = send.thread
    copy.key = send.key
    copy.key_seq = send.key_seq
    copy.state = APPENDING
    heap.push(world, send.stored_us, copy.number)


@rule()
def append(world: World, send: Send) -> None:
    """A copy is in a commit log: out of order if a later message of its thread and key is in one already."""
    order = world.key_orders[key_order_of(world, send)]
    if send.key_seq + 1 < order.stored:
        world.window_pairs[pair_of(world, send.topic, send.broker)].out_of_order += 1
    order.stored = max(order.stored, send.key_seq + 1)
    give_back(world, send)
