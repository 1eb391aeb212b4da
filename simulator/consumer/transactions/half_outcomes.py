"""The end of a half message: a producer says commit, rollback or unknown, in a request without an answer.

What is sent to a broker that is away is lost. A broker does not remember what it has ended: the half message is still
in its log, and a second commit delivers it again.

Source: rocketmq 4.3.0-5.3.3, EndTransactionProcessor, MQClientAPIImpl.endTransactionOneway.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.client.sending.local_time import local_transaction_us
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.appending import store_message
from simulator.consumer.memory.consumer_events import HALF_REQUEST_ARRIVES
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.half_message import (
    COMMIT,
    COMMITTED,
    GONE,
    LOCAL_ENDS,
    NO_LINK,
    OPEN,
    ROLLBACK,
    ROLLED_BACK,
    UNKNOWN,
    HalfMessage,
    HalfQueue,
    Outcomes,
)
from simulator.consumer.memory.queue_log import SENDER_SHIFT, NewMessage
from simulator.consumer.queue_log.consumptions import content_of, put_content
from simulator.consumer.shared import due_heap
from simulator.consumer.transactions.half_queue import give_back_if_done, link_last, take_half, take_out
from simulator.consumer.transactions.other_master import keep_for_other_master
from simulator.consumer.transactions.over_proxies import remember_sent
from simulator.kernel.pools import give_back, take
from simulator.kernel.randomness import CHECK_ANSWER, LOCAL_OUTCOME, hash4, signed


@rule()
def store_half(world: ConsumerWorld, broker: int, log: int, new: NewMessage, now_us: Us) -> None:
    """A broker has appended a message to RMQ_SYS_TRANS_HALF_TOPIC instead of to its topic."""
    number = take_half(world)
    half = world.halves[number]
    half.broker = broker
    half.log = log
    half.stored_us = now_us
    half.again_us = now_us
    half.born_us = now_us
    put_content(half, new)
    queue = world.half_queues[broker]
    queue.halves += 1
    queue.open += 1
    link_last(world, queue, number)


@rule(inlined=True)
def _is_from(half: HalfMessage, sender: int) -> bool:
    """Whether the sender itself has sent it here."""
    return half.sender == sender and half.born_us == half.stored_us


@rule()
def end_send(world: ConsumerWorld, broker: int, sender: int, is_ok: bool, now_us: Us) -> None:
    """The answer has reached the producer: after SEND_OK it runs the local transaction, else it rolls back."""
    number = world.half_queues[broker].last
    while number != NO_LINK and not _is_from(world.halves[number], sender):
        number = world.halves[number].before
    producer = world.producer_of_thread[sender >> SENDER_SHIFT]
    if number == NO_LINK or world.transaction_producers[producer].is_gone == 1:
        return
    half = world.halves[number]
    group = world.group_of_thread[sender >> SENDER_SHIFT]
    if not is_ok:
        send_request(world, number, RequestTask(LOCAL_ENDS, producer, 0, ROLLBACK), now_us, now_us)
        return
    if world.transaction_groups[group].over_proxies == 1:
        remember_sent(world, half, producer, now_us)
    half.local_us = now_us + local_us(world, group, half.draw)
    says = local_outcome(world, group, half.draw)
    send_request(world, number, RequestTask(LOCAL_ENDS, producer, 0, says), now_us, half.local_us)


@rule(inlined=True)
def local_us(world: ConsumerWorld, group: int, draw: int) -> int:
    """How long the local transaction of a message takes."""
    return local_transaction_us(world.local_times[world.transaction_groups[group].local_times].edges, draw)


@rule()
def _drawn(outcomes: Outcomes, word: int) -> int:
    if word < outcomes.commit:
        return COMMIT
    return ROLLBACK if word < outcomes.settled else UNKNOWN


@rule(inlined=True)
def _local_word(world: ConsumerWorld, draw: int) -> int:
    return signed(hash4(world.settings.seed, LOCAL_OUTCOME, draw, 0) >> np.uint64(32))


@rule()
def local_outcome(world: ConsumerWorld, group: int, draw: int) -> int:
    """What the local transaction of a message comes to: drawn by the message."""
    return _drawn(world.transaction_groups[group].local, _local_word(world, draw))


@rule()
def _is_running(world: ConsumerWorld, half: HalfMessage, now_us: Us) -> bool:
    """Whether the local transaction of a message runs; that of a process which stands still waits for it."""
    own = world.transaction_producers[world.producer_of_thread[half.sender >> SENDER_SHIFT]]
    if own.is_gone == 1 or half.stored_us < own.began_us:
        return False
    return half.local_us > (min(now_us, own.frozen_us) if own.frozen_us > 0 else now_us)


@rule()
def check_outcome(world: ConsumerWorld, group: int, half: HalfMessage, now_us: Us) -> int:
    """What a check that begins now finds: a draw while the local transaction runs, then what that came to.

    Where it came to unknown a further draw, or nothing ever.
    """
    own = world.transaction_groups[group]
    word = signed(hash4(world.settings.seed, CHECK_ANSWER, half.draw, half.answers) >> np.uint64(32))
    if _is_running(world, half, now_us):
        return _drawn(own.running, word)
    local = local_outcome(world, group, half.draw)
    if local != UNKNOWN or _local_word(world, half.draw) >= own.local.checked:
        return local
    return _drawn(own.check, word)


class RequestTask(NamedTuple):
    """What a request is about; the fields are those of HalfRequest."""

    next_at: int
    producer: int
    is_check: int
    says: int


@rule()
def send_request(world: ConsumerWorld, half: int, task: RequestTask, now_us: Us, due_us: Us) -> None:
    """A request about a half message that is where it goes at `due_us`."""
    request = take(world, world.clock.half_requests, world.half_requests)
    request.half = half
    request.next_at = task.next_at
    request.producer = task.producer
    request.sent_us = now_us
    request.is_check = task.is_check
    request.says = task.says
    world.halves[half].under_way += 1
    due_heap.push(world, due_us, HALF_REQUEST_ARRIVES, request.number)


@rule()
def end_request(world: ConsumerWorld, number: int) -> None:
    """Nothing more comes of a request."""
    request = world.half_requests[number]
    half = request.half
    give_back(world.clock.half_requests, request)
    world.halves[half].under_way -= 1
    give_back_if_done(world, half)


@rule()
def end_half(world: ConsumerWorld, number: int, says: int, by_check: int, now_us: Us) -> None:
    """The broker has an end request: COMMIT makes the message readable, also one that was ended before.

    It does not find one that is lost.
    """
    half = world.halves[number]
    queue = world.half_queues[half.broker]
    if half.fate == GONE:
        return
    if by_check == 0 and queue.refuses_late == 1 and _is_late(world, half, now_us):
        return
    if says == COMMIT:
        half.delivered += 1
        store_message(world, half.log, content_of(half), now_us)
    if says != UNKNOWN:
        queue.ended_us = now_us
        queue.ended_copy_us = max(queue.ended_copy_us, half.again_us)
    if says != UNKNOWN and half.fate == OPEN:
        half.fate = COMMITTED if says == COMMIT else ROLLED_BACK
        half.settled_us = now_us
        half.by_check = by_check
        _count(queue, says)
        take_out(world, queue, number)
        if world.store_rules[half.broker].elects == 1:
            keep_for_other_master(queue, half)


@rule(inlined=True)
def _is_late(world: ConsumerWorld, half: HalfMessage, now_us: Us) -> bool:
    """Whether the immunity that the message has of its own is over (EndTransactionProcessor.rejectCommitOrRollback)."""
    immunity_us = world.transaction_groups[world.group_of_thread[half.sender >> SENDER_SHIFT]].immunity_us
    return 0 < immunity_us < now_us - half.born_us


@rule(inlined=True)
def _count(queue: HalfQueue, says: int) -> None:
    queue.open -= 1
    if says == COMMIT:
        queue.committed += 1
    else:
        queue.rolled_back += 1
