"""Received messages at the threads of a PushConsumer: each is settled as its listener returns, and cached until then.

Of a group that consumes in order a message waits until the one before it of the same answer is settled.

Source: rocketmq-clients java 5.0.0-5.0.8, StandardConsumeService, ConsumeTask, ProcessQueueImpl.eraseMessage.
"""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.consumer.broker.check_points import let_go_of_point
from simulator.consumer.concurrent.consume_threads import cut_batch, wait_for_thread
from simulator.consumer.handling.counting import count_delivery_at
from simulator.consumer.handling.deduplicating import note_duplicates
from simulator.consumer.handling.failing import first_failed
from simulator.consumer.handling.work import be_idle, begin_work, end_threads, free_task
from simulator.consumer.memory.consumer_events import CONSUME_AGAIN
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import DEAD_LETTER, DUPLICATE, HIDDEN, SUCCEEDED, SUSPENDED, TOO_LATE, UNHANDLED
from simulator.consumer.memory.instance import NOBODY, Instance
from simulator.consumer.memory.proxied.proxied_client import NO_PROXY
from simulator.consumer.pop.pop_answers import new_task
from simulator.consumer.pop.popped_batches import point_of
from simulator.consumer.proxied.receipts import DONE, clears_at, is_invalid, settle
from simulator.consumer.shared.consumer_rows import DeliveryPlace
from simulator.consumer.shared.holdings import group_of, queue_of
from simulator.consumer.shared.instance_timers import set_timer, timer_due_us


@rule()
def hand_to_threads(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """What the listener gets of an answer waits for a thread."""
    holding = world.holdings[number]
    instance, at, before = world.instances[holding.instance], holding.first_found, NOBODY
    in_order = group_of(world, holding).pop.in_order == 1
    holding.first_found = NOBODY
    while at != NOBODY:
        point = world.check_points[at]
        at = point.next_found
        task = new_task(world, number, point)
        world.tasks[task].batch = 1
        if in_order and before != NOBODY:
            world.tasks[before].behind = task
            holding.tasks += 1
        else:
            wait_for_thread(world, instance, task)
        before = task
    start_threads(world, instance, now_us)


@rule()
def start_threads(world: ConsumerWorld, instance: Instance, now_us: Us) -> None:
    """Have idle threads take what waits."""
    while instance.idle != NOBODY and instance.first_task != NOBODY:
        thread = instance.idle
        instance.idle = world.workers[thread].next_idle
        take_next_received(world, instance, thread, now_us)


@rule()
def take_next_received(world: ConsumerWorld, instance: Instance, number: int, now_us: Us) -> None:
    """A thread that is free takes the next message, however long that has waited, or is idle."""
    if instance.first_task == NOBODY:
        be_idle(world, instance, number)
        return
    first = cut_batch(world, instance)
    if world.groups[instance.group].duplicates.entries > 0:
        note_duplicates(world, instance.group, first, now_us)
    begin_work(world, instance, number, first, now_us)


@rule()
def note_fate(world: ConsumerWorld, number: int, if_failed: int, now_us: Us) -> None:
    """A listener returns: what becomes of its message; `if_failed`: where it failed."""
    worker = world.workers[number]
    first = worker.first_task
    task = world.tasks[first]
    has_failed = first_failed(world, world.instances[worker.instance], first) == 0
    is_late = is_invalid(world, point_of(world, first), now_us)
    if has_failed:
        task.fate = UNHANDLED if is_late else if_failed
    elif task.fate != DUPLICATE:
        task.fate = TOO_LATE if is_late else SUCCEEDED


@rule()
def count_received(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """Count the delivery that a thread ends."""
    worker = world.workers[number]
    task, point = world.tasks[worker.first_task], point_of(world, worker.first_task)
    where = DeliveryPlace(point.subscription, point.log, world.holdings[task.holding].is_dropped)
    count_delivery_at(world, where, worker, task, now_us)


@entry
def end_received(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """A thread of a PushConsumer ends its message, and takes the next."""
    instance = world.workers[number].instance
    note_fate(world, number, HIDDEN, now_us)
    count_received(world, number, now_us)
    settle_received(world, instance, world.workers[number].first_task, now_us)
    take_next_received(world, world.instances[instance], number, now_us)
    return 0


@rule()
def settle_received(world: ConsumerWorld, number: int, at: int, now_us: Us) -> None:
    """Settle a message; it stays cached until it is. Then what waits for it may be handled."""
    due_us = settle(world, number, point_of(world, at), world.tasks[at].fate, now_us)
    if due_us != DONE:
        wait_until(world, number, at, due_us)
        return
    point_of(world, at).keeper = NO_PROXY  # removeReceiptHandle
    behind = world.tasks[at].behind
    if world.tasks[at].fate == DEAD_LETTER:
        world.tallies[world.instances[number].group].dead_letters += 1
    forget_received(world, at)
    if behind != NOBODY:
        handle_now(world, number, behind)


@rule()
def handle_now(world: ConsumerWorld, number: int, at: int) -> None:
    """A message that the client has waits for a thread."""
    world.holdings[world.tasks[at].holding].tasks -= 1  # counted as it came
    world.tasks[at].next_task = NOBODY
    wait_for_thread(world, world.instances[number], at)


@rule()
def wait_until(world: ConsumerWorld, number: int, at: int, due_us: Us) -> None:
    """Something is to be done with a message then: settle it, or handle it again (SUSPENDED)."""
    world.tasks[at].due_us = due_us
    if due_us < timer_due_us(world, number, CONSUME_AGAIN):
        set_timer(world, number, CONSUME_AGAIN, due_us)
    _put_back(world, number, at)


@rule()
def _put_back(world: ConsumerWorld, number: int, at: int) -> None:
    """A message that is not due yet waits as the last one."""
    instance = world.instances[number]
    world.tasks[at].next_task = NOBODY
    if instance.first_again == NOBODY:
        instance.first_again = at
    else:
        world.tasks[instance.last_again].next_task = at
    instance.last_again = at


@rule()
def settle_again(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The instance tries again what was not settled."""
    instance = world.instances[number]
    at = instance.first_again
    instance.first_again = NOBODY
    while at != NOBODY:
        task = world.tasks[at]
        behind, due_us = task.next_task, task.due_us
        if due_us <= now_us and task.fate == SUSPENDED:
            handle_now(world, number, at)
        elif due_us <= now_us:
            settle_received(world, number, at, now_us)
        else:
            _put_back(world, number, at)
        at = behind
    _time_next(world, number)
    start_threads(world, instance, now_us)


@rule()
def _time_next(world: ConsumerWorld, number: int) -> None:
    """Set the timer for what is due first."""
    at, due_us = world.instances[number].first_again, 0
    while at != NOBODY:
        task = world.tasks[at]
        due_us = task.due_us if due_us == 0 else min(due_us, task.due_us)
        at = task.next_task
    if due_us > 0:
        set_timer(world, number, CONSUME_AGAIN, due_us)


@rule()
def forget_received(world: ConsumerWorld, at: int) -> None:
    """The client is done with a message (evictCache)."""
    point, queue = point_of(world, at), queue_of(world, world.tasks[at].holding)
    queue.msg_count -= 1
    queue.msg_size -= point.body_bytes
    let_go_of_point(world, point)
    free_task(world, at)


@rule()
def _lose_one(world: ConsumerWorld, number: int, at: int) -> None:
    """The process is gone with a message, and what waits for it: its proxy still knows the handles."""
    while at != NOBODY:
        behind = world.tasks[at].behind
        point_of(world, at).cleared_us = clears_at(world, number)
        forget_received(world, at)
        at = behind


@entry
def end_receiving(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """The process of an instance is gone: what it has comes again when its invisible time is over."""
    instance = world.instances[number]
    for i in range(instance.workers):
        _lose_one(world, number, world.workers[instance.first_worker + i].first_task)
    while instance.first_task != NOBODY:
        _lose_one(world, number, cut_batch(world, instance))
    at = instance.first_again
    instance.first_again = NOBODY
    while at != NOBODY:
        behind = world.tasks[at].next_task
        _lose_one(world, number, at)
        at = behind
    end_threads(world, instance, now_us)
    return 0
