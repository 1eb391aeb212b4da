"""consumeTimeout: a sweep sends back what threads are at for too long, so that it comes again and offsets move on.

An instance sweeps every consumeTimeout, so what takes longer is sent back between one and two of them after its begin.
Source: rocketmq 4.2.0-5.3.3, ConsumeMessageConcurrentlyService.cleanExpireMsg, ProcessQueue.cleanExpiredMsg.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.handling.send_back import send_expired
from simulator.consumer.memory.consume_task import ConsumeTask
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import AGAIN_LOCALLY
from simulator.consumer.memory.instance import NOBODY, Instance
from simulator.consumer.queue_log.filtering import pass_over_at
from simulator.consumer.queue_log.log_pages import has_page, is_known, message_in
from simulator.consumer.rules.process_queue import SWEPT_AT_MOST, cached_place, expired_place, first_cached
from simulator.consumer.rules.reconsume import LOCAL_AGAIN_MS
from simulator.consumer.shared.holdings import queue_of


@rule()
def sweep(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """A round of an instance through all its queues; 0 if it is the last."""
    instance = world.instances[number]
    _note_begins(world, instance)
    goes_on = 1
    at = instance.first_holding
    while at != NOBODY and goes_on == 1:
        goes_on = _sweep_queue(world, instance, at, now_us)
        at = world.holdings[at].next_holding
    return goes_on


@rule()
def _note_begins(world: ConsumerWorld, instance: Instance) -> None:
    """Write CONSUME_START_TIME of what threads are at, and of what failed and nobody took back."""
    for i in range(instance.workers):
        worker = world.workers[instance.first_worker + i]
        at = worker.first_task
        while at != NOBODY:
            _note(world, at, worker.began_us)
            at = world.tasks[at].next_task
    at = instance.first_again
    while at != NOBODY:
        _note(world, at, world.tasks[at].due_us - LOCAL_AGAIN_MS * 1000)
        at = world.tasks[at].next_task


@rule()
def _note(world: ConsumerWorld, at: int, began_us: Us) -> None:
    task = world.tasks[at]
    queue = queue_of(world, task.holding)
    place = cached_place(queue, task.offset)
    if place >= 0:
        queue.entries[place].consume_start_ms = max(began_us // 1000, 1)


@rule()
def _sweep_queue(world: ConsumerWorld, instance: Instance, number: int, now_us: Us) -> int:
    """Send back the first cached messages that take too long; 0 if there are no further sweeps."""
    own = world.groups[instance.group].handling
    queue = queue_of(world, number)
    for _ in range(min(queue.cached, SWEPT_AT_MOST)):
        if queue.cached == 0:
            return 1
        place = expired_place(queue, now_us // 1000, own.timeout_us // 1000)
        if place < 0:
            has_begun = queue.entries[first_cached(queue)].consume_start_ms > 0
            return 1 if has_begun else own.sweep_goes_on
        at = _task_of(world, instance, number, queue.entries[place].offset)
        if at == NOBODY or send_expired(world, instance, world.tasks[at], now_us) == AGAIN_LOCALLY:
            return 1
        _pass_over(world, number, world.tasks[at])
        world.messages[0] = world.tasks[at].offset
        world.messages[1] = world.tasks[at].body_bytes
        world.readers[world.holdings[number].subscription].remove_messages(queue, world.messages, 1)
        world.tallies[instance.group].expired += 1
    return 1


@rule()
def _task_of(world: ConsumerWorld, instance: Instance, holding: int, offset: int) -> int:
    """The task of a message that a thread is at, or NOBODY."""
    for i in range(instance.workers):
        at = world.workers[instance.first_worker + i].first_task
        while at != NOBODY:
            if world.tasks[at].holding == holding and world.tasks[at].offset == offset:
                return at
            at = world.tasks[at].next_task
    return NOBODY


@rule()
def _pass_over(world: ConsumerWorld, number: int, task: ConsumeTask) -> None:
    """What was sent back is the group's backlog in its retry topic; as its listener returns, it is consumed again."""
    holding = world.holdings[number]
    log = world.logs[holding.log]
    if not is_known(world, log, task.offset) or not has_page(world, log, task.offset, task.page):
        return
    message = message_in(world.pages[task.page], task.offset)
    if message.sender == task.sender and message.stored_us == task.stored_us:
        pass_over_at(world, holding.subscription, holding.log, message)
