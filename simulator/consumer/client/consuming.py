"""The consume threads of an instance: one first-in-first-out queue of batches for all queues that it holds.

Source: rocketmq 4.2.0-5.3.3, ConsumeMessageConcurrentlyService. What waits for a thread when its queue is lost is
thrown away as a thread comes to it; what is with a thread then ends, and commits nothing.
"""

from __future__ import annotations

import numpy as np

from simulator import histogram
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.client.filtering import service_of
from simulator.consumer.client.holdings import give_back_if_done, queue_of
from simulator.consumer.client.instance import NOBODY, ConsumeTask, Holding, Instance, Worker
from simulator.consumer.machine import due_heap
from simulator.consumer.machine.consumer_rows import put_consumed
from simulator.consumer.machine.consumer_settings import WORKED
from simulator.consumer.machine.consumer_world import ConsumerWorld
from simulator.consumer.queue_log.log_pages import count_consumption, is_known, message_in
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
        _take_next(world, instance, number, now_us)


@rule()
def _take_next(world: ConsumerWorld, instance: Instance, number: int, now_us: Us) -> None:
    """A thread that is free takes the next batch, or is idle."""
    worker = world.workers[number]
    while instance.first_task != NOBODY:
        first = _cut_batch(world, instance)
        own = world.tasks[first].holding
        if world.holdings[own].is_dropped == 1:
            _throw_away(world, first)
            give_back_if_done(world, own)
            continue
        worker.first_task = first
        worker.began_us = now_us
        worker.counted_us = now_us
        worker.ends_us = max(now_us + max(_work_us(world, instance, first), 1), instance.stuck_until_us)
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
def _work_us(world: ConsumerWorld, instance: Instance, first: int) -> int:
    """How long the listener is at a batch: the sum of its messages."""
    group = instance.group
    subscription = world.holdings[world.tasks[first].holding].subscription
    total_us = 0
    number = first
    while number != NOBODY:
        task = world.tasks[number]
        edges = world.latencies[service_of(world, subscription, task.draw)].edges
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
def _throw_away(world: ConsumerWorld, first: int) -> None:
    """Forget a batch."""
    number = first
    while number != NOBODY:
        task = world.tasks[number]
        behind = task.next_task
        world.holdings[task.holding].tasks -= 1
        free_task(world, number)
        number = behind


@rule()
def end_work(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A thread is done with its batch: what is finished leaves the process queue, and the thread takes the next."""
    worker = world.workers[number]
    instance = world.instances[worker.instance]
    first = worker.first_task
    own = world.tasks[first].holding
    holding = world.holdings[own]
    tally = world.tallies[instance.group]
    tally.busy_us += now_us - worker.counted_us
    count = 0
    at = first
    while at != NOBODY:
        task = world.tasks[at]
        _count(world, holding, worker, task, now_us)
        world.messages[2 * count] = task.offset
        world.messages[2 * count + 1] = task.body_bytes
        count += 1
        at = task.next_task
    if holding.is_dropped == 0:
        reader = world.readers[holding.subscription]
        offset = reader.remove_messages(queue_of(world, own), world.messages, count)
        holding.memory = max(holding.memory, offset)
    _throw_away(world, first)
    if holding.is_dropped == 1:
        give_back_if_done(world, own)
    _take_next(world, instance, number, now_us)


@rule()
def _count(world: ConsumerWorld, holding: Holding, worker: Worker, task: ConsumeTask, now_us: Us) -> None:
    """Count a consumption, and put it out if it is asked for."""
    subscription = world.subscriptions[holding.subscription]
    log = world.logs[holding.log]
    times = 2  # of what every group had read
    if is_known(world, log, task.offset):
        message = message_in(world.pages[task.page], task.offset)
        times = count_consumption(message, subscription.shift, subscription.times_max)
    place = subscription.first_progress + holding.log - world.log_topics[log.topic].first_log
    progress = world.progress[place]
    tally = world.tallies[subscription.group]
    progress.consumed += 1
    tally.consumed += 1
    world.clock.consumed += 1
    if times == 1:
        progress.first_times += 1
        took_us = now_us - task.arrival_us
        world.histograms[subscription.group].counts[histogram.cell_of(took_us)] += 1
        tally.max_us = max(tally.max_us, took_us)
    else:
        tally.again += 1
        if progress.returned > 0 and task.offset < progress.returned_until:
            progress.returned -= 1
        world.clock.again += 1
    if world.output.consumed.room > 0:
        put_consumed(world, holding, worker, task, now_us, times)


@rule()
def stop_threads(world: ConsumerWorld, instance: Instance, now_us: Us) -> None:
    """The process is gone: nothing waits and nothing is worked at any more."""
    while instance.first_task != NOBODY:
        _throw_away(world, _cut_batch(world, instance))
    instance.idle = NOBODY
    for i in range(instance.workers):
        number = instance.first_worker + instance.workers - 1 - i
        worker = world.workers[number]
        if worker.ends_us != FAR:
            world.tallies[instance.group].busy_us += now_us - worker.counted_us
            _throw_away(world, worker.first_task)
        worker.first_task = NOBODY
        worker.ends_us = FAR
        worker.next_idle = instance.idle
        instance.idle = number
