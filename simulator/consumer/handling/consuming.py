"""The consume threads of an instance: one first-in-first-out queue of batches for all queues that it holds.

Source: rocketmq 4.2.0-5.3.3, ConsumeMessageConcurrentlyService. What waits for a thread when its queue is lost is
thrown away as a thread comes to it; what is with a thread then ends, and commits nothing.
"""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.handling.deduplicating import note_duplicates
from simulator.consumer.memory.consumer_events import WORKED
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import DUPLICATE
from simulator.consumer.memory.held_queue import ILLEGAL
from simulator.consumer.memory.instance import NOBODY, Instance
from simulator.consumer.queue_log.filtering import service_of
from simulator.consumer.shared import due_heap
from simulator.consumer.shared.holdings import give_back_if_done
from simulator.engine.memory.settings import FAR
from simulator.latency import service_us
from simulator.randomness import CONSUME_TIME, hash4, signed

PPM = 1_000_000


@rule()
def wait_for_thread(world: ConsumerWorld, instance: Instance, number: int) -> None:
    """Put a task behind those that wait."""
    if instance.first_task == NOBODY:
        instance.first_task = number
    else:
        world.tasks[instance.last_task].next_task = number
    instance.last_task = number
    instance.tasks += 1
    world.holdings[world.tasks[number].holding].tasks += 1


@rule()
def start_idle_threads(world: ConsumerWorld, instance: Instance, now_us: Us) -> None:
    """Have idle threads take what waits."""
    while instance.idle != NOBODY and instance.first_task != NOBODY:
        number = instance.idle
        instance.idle = world.workers[number].next_idle
        take_next(world, instance, number, now_us)


@rule()
def take_next(world: ConsumerWorld, instance: Instance, number: int, now_us: Us) -> None:
    """A thread that is free takes the next batch, or is idle."""
    worker = world.workers[number]
    while instance.first_task != NOBODY:
        first = _cut_batch(world, instance)
        own = world.tasks[first].holding
        if world.holdings[own].is_dropped == 1 or world.holdings[own].state == ILLEGAL:
            throw_away(world, first)
            give_back_if_done(world, own)
            continue
        if world.groups[instance.group].duplicates.entries > 0:
            note_duplicates(world, instance.group, first, now_us)
        worker.first_task = first
        worker.began_us = now_us
        worker.counted_us = now_us
        worker.ends_us = max(now_us + max(work_us(world, instance, first), 1), instance.stuck_until_us)
        instance.stuck_until_us = 0
        due_heap.push(world, worker.ends_us, WORKED, number)
        return
    worker.first_task = NOBODY
    worker.ends_us = FAR
    worker.next_idle = instance.idle
    instance.idle = number


@rule()
def _cut_batch(world: ConsumerWorld, instance: Instance) -> int:
    """Take the first batch out of what waits: its first task, the others behind it."""
    first = instance.first_task
    last = first
    count = world.tasks[first].batch
    for _ in range(count - 1):
        last = world.tasks[last].next_task
    instance.first_task = world.tasks[last].next_task
    instance.tasks -= count
    world.tasks[last].next_task = NOBODY
    return first


@rule()
def work_us(world: ConsumerWorld, instance: Instance, first: int) -> int:
    """How long the listener is at a batch: the sum of its messages."""
    group = instance.group
    total_us = 0
    number = first
    while number != NOBODY:
        task = world.tasks[number]
        if task.fate != DUPLICATE:
            edges = world.latencies[service_of(world, task.origin, task.draw)].edges
            word = signed(hash4(world.settings.seed, CONSUME_TIME, group, task.draw) >> np.uint64(32))
            total_us += service_us(edges, word)
        number = task.next_task
    return total_us if instance.slowness_ppm == PPM else total_us * instance.slowness_ppm // PPM


@rule()
def free_task(world: ConsumerWorld, number: int) -> None:
    """Give a task back."""
    world.tasks[number].next_task = world.clock.free_task
    world.clock.free_task = number
    world.clock.free_tasks += 1


@rule()
def throw_away(world: ConsumerWorld, first: int) -> None:
    """Forget a batch."""
    number = first
    while number != NOBODY:
        task = world.tasks[number]
        behind = task.next_task
        world.holdings[task.holding].tasks -= 1
        free_task(world, number)
        number = behind


@rule()
def stop_threads(world: ConsumerWorld, instance: Instance, now_us: Us) -> None:
    """The process is gone: nothing waits and nothing is worked at any more."""
    while instance.first_task != NOBODY:
        throw_away(world, _cut_batch(world, instance))
    throw_away(world, instance.first_again)
    instance.first_again = NOBODY
    instance.idle = NOBODY
    for i in range(instance.workers):
        number = instance.first_worker + instance.workers - 1 - i
        worker = world.workers[number]
        if worker.ends_us != FAR:
            world.tallies[instance.group].busy_us += now_us - worker.counted_us
            throw_away(world, worker.first_task)
        worker.first_task = NOBODY
        worker.ends_us = FAR
        worker.next_idle = instance.idle
        instance.idle = number
