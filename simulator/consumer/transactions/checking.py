"""Check-backs: in every round a broker asks producers about the half messages that nothing has ended.

A round goes through the half queue from its oldest entry to the first that is too young. Each message that it asks
about is written again behind the others, and the number of its checks counts up, also where its immunity keeps it from
being asked; one that was asked about often enough goes to TRANS_CHECK_MAX_TIME_TOPIC. Which producer is asked goes
round among those of the group whose channel the broker lists.

Which messages are ended op messages say. A round reads them as it begins. If there were any, and it comes to a message
that none is about, it looks for more and sleeps for a second (SLEEP_WHILE_NO_OP) before it asks about this one and the
others; the next round begins by that later. Read again are those about messages that the round before did not reach.

A broker that stands still does as it goes on what was due meanwhile, and the next round comes an interval after that.

Source: rocketmq 4.3.0-5.5.0, TransactionalMessageServiceImpl.check (the sleep from 5.1.0 on),
AbstractTransactionalMessageCheckListener, ProducerManager.getAvailableChannel.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_events import CHECK_NEXT, CHECK_ROUND
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.half_message import CHECK_ARRIVES, GIVEN_UP, NO_LINK, UNKNOWN, HalfMessage, HalfQueue
from simulator.consumer.memory.queue_log import SENDER_SHIFT
from simulator.consumer.shared import due_heap
from simulator.consumer.transactions.beats import last_beat_us
from simulator.consumer.transactions.dead_streams import goes_to_dead_stream
from simulator.consumer.transactions.escaping import escape_next
from simulator.consumer.transactions.half_outcomes import RequestTask, send_request
from simulator.consumer.transactions.half_queue import give_back_if_done, link_last, take_out
from simulator.consumer.transactions.over_proxies import asked_over_proxies, check_passes_at


@rule()
def begin_round(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """The broker's round goes on at its first entry; it ends with the first that is too young."""
    queue = world.half_queues[broker]
    if queue.check_us != now_us or (world.serving[broker].is_away != 0 and world.store_rules[broker].escapes == 0):
        return
    if world.serving[broker].stands_still == 1:
        queue.check_us = max(world.serving[broker].back_us, now_us + 1)
        due_heap.push(world, queue.check_us, CHECK_ROUND, broker)
        return
    queue.check_us = now_us + queue.interval_us
    due_heap.push(world, queue.check_us, CHECK_ROUND, broker)
    if world.serving[broker].is_unled == 1:
        return
    queue.reads_ops = _reads_ops(queue)
    queue.round_us = now_us
    due_heap.push(world, now_us, CHECK_NEXT, broker)


@rule(inlined=True)
def _reads_ops(queue: HalfQueue) -> int:
    """1 if a round that begins now finds op messages, and its release sleeps on that."""
    is_new = queue.ended_us >= queue.round_us or queue.ended_copy_us >= queue.round_us - queue.timeout_us
    return 1 if queue.pause_us > 0 and queue.ended_us > 0 and is_new else 0


@rule()
def check_next(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """One entry of a round: it is asked about, given up, or too young, which ends the round."""
    queue = world.half_queues[broker]
    if queue.check_us != now_us + queue.interval_us:
        return  # another process has begun while the round slept
    if world.store_rules[broker].escapes == 1 and world.serving[broker].is_away != 0:
        if world.serving[broker].slave_lost_us == 0:
            escape_next(world, broker, now_us)
        return
    number = queue.first
    if number == NO_LINK or world.serving[broker].is_away != 0 or world.serving[broker].is_unled == 1:
        return
    if world.serving[broker].stands_still == 1:
        _put_off(world, broker, now_us, max(world.serving[broker].back_us - now_us, 1))
        return
    half = world.halves[number]
    if half.checks >= queue.check_max:
        _give_up(world, queue, number, now_us)
    elif half.again_us >= queue.round_us or now_us - half.born_us < _timeout_us(world, queue, half):
        return
    elif queue.reads_ops == 1 and now_us - half.born_us >= _immunity_us(world, half):
        _sleep(world, broker, now_us)
        return
    else:
        _ask_about(world, queue, number, now_us)
    due_heap.push(world, now_us, CHECK_NEXT, broker)


@rule()
def _sleep(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """The round goes on a second later, and so does the next one begin."""
    world.half_queues[broker].reads_ops = 0
    _put_off(world, broker, now_us, world.half_queues[broker].pause_us)


@rule()
def _put_off(world: ConsumerWorld, broker: int, now_us: Us, wait_us: Us) -> None:
    """The round goes on so much later, and so does the next one begin."""
    queue = world.half_queues[broker]
    queue.check_us += wait_us
    due_heap.push(world, queue.check_us, CHECK_ROUND, broker)
    due_heap.push(world, now_us + wait_us, CHECK_NEXT, broker)


@rule(inlined=True)
def _immunity_us(world: ConsumerWorld, half: HalfMessage) -> int:
    return world.transaction_groups[world.group_of_thread[half.sender >> SENDER_SHIFT]].immunity_us


@rule(inlined=True)
def _timeout_us(world: ConsumerWorld, queue: HalfQueue, half: HalfMessage) -> int:
    """How old an entry must be that does not end the round; one with an immunity of its own never does."""
    return 0 if _immunity_us(world, half) > 0 else queue.timeout_us


@rule()
def _give_up(world: ConsumerWorld, queue: HalfQueue, number: int, now_us: Us) -> None:
    half = world.halves[number]
    half.fate = GIVEN_UP
    half.settled_us = now_us
    queue.open -= 1
    queue.given_up += 1
    take_out(world, queue, number)
    give_back_if_done(world, number)


@rule()
def _ask_about(world: ConsumerWorld, queue: HalfQueue, number: int, now_us: Us) -> None:
    """The message is written again, and a producer is asked unless the message is immune still."""
    half = world.halves[number]
    half.checks += 1
    half.again_us = now_us
    take_out(world, queue, number)
    link_last(world, queue, number)
    if now_us - half.born_us < _immunity_us(world, half):
        return
    queue.checks += 1
    group, passes_us = world.group_of_thread[half.sender >> SENDER_SHIFT], now_us
    if world.transaction_groups[group].over_proxies == 1:
        producer = asked_over_proxies(world, queue, half, group, now_us)
        own = world.transaction_groups[group]
        if producer != NO_LINK and goes_to_dead_stream(world, own, half.proxy, now_us):
            producer = NO_LINK
        if producer != NO_LINK:
            passes_us = check_passes_at(world, half.proxy, now_us)
    else:
        producer = _listed_producer(world, queue, half, now_us)
    if producer == NO_LINK:
        queue.unheard += 1
    else:
        world.transaction_producers[producer].asked += 1
        task = RequestTask(CHECK_ARRIVES, producer, 1, UNKNOWN)
        send_request(world, number, task, now_us, passes_us + world.settings.link_us)


@rule()
def _listed_producer(world: ConsumerWorld, queue: HalfQueue, half: HalfMessage, now_us: Us) -> int:
    """The next producer of the group whose channel the broker lists, NO_LINK: there is none."""
    group = world.group_of_thread[half.sender >> SENDER_SHIFT]
    own, cut_us = world.transaction_groups[group], world.transaction_links[group * world.settings.brokers + half.broker]
    heard_until_us = now_us if cut_us == 0 else cut_us
    listed = 0
    for number in range(own.first_producer, own.first_producer + own.producers):
        listed += _is_listed(world, queue, number, heard_until_us, now_us)
    if listed == 0:
        return NO_LINK
    queue.asked += 1
    turn = queue.asked % listed
    for number in range(own.first_producer, own.first_producer + own.producers):
        if _is_listed(world, queue, number, heard_until_us, now_us) == 1:
            if turn == 0:
                return number
            turn -= 1
    return NO_LINK


@rule()
def _is_listed(world: ConsumerWorld, queue: HalfQueue, number: int, heard_until_us: Us, now_us: Us) -> int:
    """1 if the broker has heard of the producer since both began, and not too long ago.

    `heard_until_us`: no heartbeat passes the network after that.
    """
    own = world.transaction_producers[number]
    if own.is_gone == 1:
        return 0
    heard_us = last_beat_us(own, min(heard_until_us, own.frozen_us) if own.frozen_us > 0 else heard_until_us)
    if heard_us < queue.started_us or own.began_us > heard_until_us:
        return 0
    return 1 if now_us - heard_us <= world.settings.expires_us else 0


@rule()
def start_checking(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """The broker's process has begun: it knows no producer, and its first round comes after an interval."""
    queue = world.half_queues[broker]
    queue.started_us = now_us
    queue.check_us = now_us + queue.interval_us
    due_heap.push(world, queue.check_us, CHECK_ROUND, broker)
