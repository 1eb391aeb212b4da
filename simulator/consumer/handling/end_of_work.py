"""A consume thread ends a batch: what was handled leaves the process queue, what failed is sent back.

Source: rocketmq 4.2.0-5.3.3, ConsumeMessageConcurrentlyService.processConsumeResult and .submitConsumeRequestLater.
"""

from __future__ import annotations

from simulator import histogram
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.client.consuming import free_task, start_idle_threads, take_next, wait_for_thread
from simulator.consumer.client.holdings import give_back_if_done, queue_of
from simulator.consumer.client.instance import NOBODY, ConsumeTask, Holding, Instance, Worker
from simulator.consumer.client.reconsume import LOCAL_AGAIN_MS
from simulator.consumer.handling.deduplicating import remember
from simulator.consumer.handling.failing import first_failed
from simulator.consumer.handling.fate import AGAIN_LOCALLY, DUPLICATE, NO_TOPIC, SUCCEEDED
from simulator.consumer.handling.send_back import send_back
from simulator.consumer.machine import due_heap
from simulator.consumer.machine.consumer_rows import put_consumed
from simulator.consumer.machine.consumer_settings import CONSUME_AGAIN
from simulator.consumer.machine.consumer_world import ConsumerWorld
from simulator.consumer.queue_log.log_pages import count_consumption, is_known, message_in


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
    if world.groups[instance.group].handling.retry_topic != NO_TOPIC:
        _send_back_failed(world, instance, first, now_us)
    count = 0
    at = first
    while at != NOBODY:
        task = world.tasks[at]
        _count(world, holding, worker, task, now_us)
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
    if holding.is_dropped == 1:
        give_back_if_done(world, own)
    take_next(world, instance, number, now_us)


@rule()
def _send_back_failed(world: ConsumerWorld, instance: Instance, first: int, now_us: Us) -> None:
    """Send back what of a batch failed, and note the fate of each message."""
    failed = first_failed(world, instance, first)
    at, place = first, 0
    while at != NOBODY:
        task = world.tasks[at]
        if place >= failed:
            task.fate = send_back(world, instance, task, now_us)
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
            world.holdings[task.holding].tasks -= 1
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
        instance.again_us = due_us
        due_heap.push(world, due_us, CONSUME_AGAIN, number)
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
        instance.again_us = world.tasks[instance.first_again].due_us
        due_heap.push(world, instance.again_us, CONSUME_AGAIN, number)
    start_idle_threads(world, instance, now_us)


@rule()
def _is_again(world: ConsumerWorld, group: int, task: ConsumeTask, now_us: Us, times: int) -> bool:
    """Whether a group that deduplicates has handled this message before nevertheless; it remembers the message."""
    is_known = remember(world, group, task, now_us)
    return is_known == 1 or times > 1


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
        if task.offset < log.min_offset:
            progress.missed -= 1  # it was cached when it was deleted
    else:
        tally.again += 1
        if progress.returned > 0 and task.offset < progress.returned_until:
            progress.returned -= 1
        world.clock.again += 1
    if task.fate == DUPLICATE:
        tally.deduplicated += 1
    elif task.fate != SUCCEEDED:
        tally.failed += 1
    elif world.groups[subscription.group].duplicates.entries > 0 and _is_again(
        world, subscription.group, task, now_us, times
    ):
        tally.handled_again += 1
    elif times == 1:
        tally.handled += 1
        took_us = now_us - task.arrival_us
        world.histograms[subscription.group].counts[histogram.cell_of(took_us)] += 1
        tally.max_us = max(tally.max_us, took_us)
    if world.output.consumed.room > 0:
        put_consumed(world, holding, worker, task, now_us, times)
