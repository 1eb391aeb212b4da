"""A consume thread ends a batch: what was handled leaves the process queue, what failed is sent back.

Source: rocketmq 4.2.0-5.3.3, ConsumeMessageConcurrentlyService.processConsumeResult and .submitConsumeRequestLater.
"""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.consumer.concurrent.consume_threads import start_idle_threads, take_next, wait_for_thread
from simulator.consumer.handling.counting import count_delivery
from simulator.consumer.handling.failing import first_failed
from simulator.consumer.handling.send_back import send_back
from simulator.consumer.handling.work import free_task
from simulator.consumer.memory.consumer_events import CONSUME_AGAIN
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import AGAIN_LOCALLY, DUPLICATE, NO_TOPIC, SUCCEEDED
from simulator.consumer.memory.instance import NOBODY, Instance
from simulator.consumer.rules.reconsume import LOCAL_AGAIN_MS
from simulator.consumer.shared.holdings import queue_of
from simulator.consumer.shared.instance_timers import set_timer


@entry
def end_work(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """A thread of a concurrent group ends its batch: what is finished leaves the process queue; it takes the next."""
    worker = world.workers[number]
    instance = world.instances[worker.instance]
    first = worker.first_task
    own = world.tasks[first].holding
    holding = world.holdings[own]
    if world.groups[instance.group].handling.retry_topic != NO_TOPIC:
        _send_back_failed(world, instance, first, now_us)
    count = 0
    at = first
    while at != NOBODY:
        task = world.tasks[at]
        count_delivery(world, holding, worker, task, now_us)
        if task.fate != AGAIN_LOCALLY:
            world.messages[2 * count] = task.offset
            world.messages[2 * count + 1] = task.body_bytes
            count += 1
        at = task.next_task
    if holding.is_dropped == 0:
        reader = world.readers[holding.subscription]
        offset = reader.remove_messages(queue_of(world, own), world.messages, count)
        holding.memory = max(holding.memory, offset)
    _finish(world, worker.instance, first, now_us)
    take_next(world, instance, number, now_us)
    return 0


@rule()
def _send_back_failed(world: ConsumerWorld, instance: Instance, first: int, now_us: Us) -> None:
    """Send back what of a batch failed, and note the fate of each message."""
    failed = first_failed(world, instance, first)
    at, place = first, 0
    while at != NOBODY:
        task = world.tasks[at]
        if place >= failed:
            task.fate = send_back(world, instance, task, 0, now_us)
        elif task.fate != DUPLICATE:
            task.fate = SUCCEEDED
        place += 1
        at = task.next_task


@rule()
def _finish(world: ConsumerWorld, number: int, first: int, now_us: Us) -> None:
    """Forget a batch that was consumed, apart from messages that nobody took back."""
    at = first
    while at != NOBODY:
        task = world.tasks[at]
        behind = task.next_task
        if task.fate == AGAIN_LOCALLY:
            _put_aside(world, number, at, now_us + LOCAL_AGAIN_MS * 1000)
        else:
            free_task(world, at)
        at = behind


@rule()
def _put_aside(world: ConsumerWorld, number: int, at: int, due_us: Us) -> None:
    """The instance consumes a message again then, its failure counted."""
    instance, task = world.instances[number], world.tasks[at]
    task.reconsume_times += 1
    task.batch = 1
    task.due_us = due_us
    task.next_task = NOBODY
    if instance.first_again == NOBODY:
        instance.first_again = at
        set_timer(world, number, CONSUME_AGAIN, due_us)
    else:
        world.tasks[instance.last_again].next_task = at
    instance.last_again = at


@rule()
def consume_again(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """Let what nobody took back wait for a thread again, once it is due."""
    instance = world.instances[number]
    while instance.first_again != NOBODY and world.tasks[instance.first_again].due_us <= now_us:
        at = instance.first_again
        instance.first_again = world.tasks[at].next_task
        world.tasks[at].next_task = NOBODY
        world.holdings[world.tasks[at].holding].tasks -= 1
        wait_for_thread(world, instance, at)
    if instance.first_again != NOBODY:
        set_timer(world, number, CONSUME_AGAIN, world.tasks[instance.first_again].due_us)
    start_idle_threads(world, instance, now_us)
