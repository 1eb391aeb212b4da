"""Delayed messages at work: stored in the queue of their level or delay, delivered by a task when they are due.

Up to 4.9.2 one Timer thread has the tasks of all levels, and a task comes back when its first message is due. From
4.9.3 on each level has a thread of its own, and a task that finds nothing due comes back after 100 ms.
The timer wheel (5.0.0 on) has slots of timerPrecisionMs: a slot is delivered once it is over, one slot after the other,
and where none is due the wheel is looked at again after 100 ms.

Source: rocketmq 4.2.0-5.3.3, ScheduleMessageService.DeliverDelayedMessageTimerTask; 5.0.0-5.3.3, TimerMessageStore and
HookUtils.transformTimerMessage.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.appending import store_message
from simulator.consumer.links.escape_bridge import NO_LOG, other_log
from simulator.consumer.memory.consumer_events import DELIVER
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.delay_queue import NO_QUEUE, READ_AT_ONCE, DelayQueue, Deliverer
from simulator.consumer.memory.queue_log import NewMessage
from simulator.consumer.queue_log.consumptions import content_of
from simulator.consumer.rules.delay_levels import stored_level
from simulator.consumer.schedule.delay_pages import add, forget_delivered, next_message
from simulator.consumer.shared import due_heap
from simulator.engine.memory.settings import FAR
from simulator.kernel import histogram

LOOK_US = 100_000  # DELAY_FOR_A_WHILE
FIRST_TASK_US = 1_000_000  # FIRST_DELAY_TIME, after the start of a broker
FIRST_TIMER = 1 << 20  # levels from here on are queues of the timer wheel


@rule()
def queue_of_level(world: ConsumerWorld, broker: int, level: int) -> DelayQueue:
    """Where a broker keeps messages of a level, or from FIRST_TIMER on of a delay of its wheel."""
    service = world.delay_services[broker]
    is_timer = level >= FIRST_TIMER
    place = service.levels + level - FIRST_TIMER if is_timer else stored_level(level, service.levels) - 1
    return world.delay_queues[service.first_queue + place]


@rule()
def delay(world: ConsumerWorld, broker: int, level: int, log: int, new: NewMessage, now_us: Us) -> None:
    """Store a message with a delay level of 1 or more: it becomes readable in its log when it is delivered.

    One with a moment that is over is readable at once.
    """
    service, queue = world.delay_services[broker], queue_of_level(world, broker, level)
    if level >= FIRST_TIMER and _asked_us(queue, now_us) <= now_us:
        store_message(world, log, new, now_us)
        return
    add(world, queue, log, new, now_us)
    world.delay_queues[queue.counted_at].added += 1
    own = world.deliverers[queue.deliverer]
    if queue.task_us == FAR and own.working != service.first_queue + queue.level - 1:
        looks_us = queue.looked_us + -(-(now_us - queue.looked_us) // LOOK_US) * LOOK_US
        queue.task_us = _next_task_us(own, _due_us(queue, now_us), looks_us)
        if own.working == NO_QUEUE and queue.task_us < own.at_us:
            _wait(world, queue.deliverer, queue.task_us)


@rule(inlined=True)
def _asked_us(queue: DelayQueue, stored_us: Us) -> int:
    """When a message should be readable: whole milliseconds count."""
    return queue.moment_us if queue.moment_us > 0 else stored_us // 1000 * 1000 + queue.delay_us


@rule(inlined=True)
def _due_us(queue: DelayQueue, stored_us: Us) -> int:
    """When a message is due: of a wheel, when its slot is over."""
    asked_us = _asked_us(queue, stored_us)
    return asked_us if queue.precision_us == 0 else -(-asked_us // queue.precision_us) * queue.precision_us


@rule()
def _next_task_us(own: Deliverer, due_us: Us, looks_us: Us) -> int:
    """When the task that looks at `looks_us` finds the message due."""
    if due_us <= looks_us:
        return looks_us
    return looks_us + -(-(due_us - looks_us) // LOOK_US) * LOOK_US if own.is_apart == 1 else due_us


@rule(inlined=True)
def _wait(world: ConsumerWorld, number: int, until_us: Us) -> None:
    world.deliverers[number].at_us = until_us
    due_heap.push(world, until_us, DELIVER, number)


@rule()
def deliver(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The event of a thread that delivers: a task begins, delivers one message, or ends."""
    own = world.deliverers[number]
    broker = world.serving[own.broker]
    if own.at_us != now_us or broker.is_unled == 1:
        return
    if broker.is_away != 0 and (world.store_rules[own.broker].escapes == 0 or broker.slave_lost_us > 0):
        return
    if broker.stands_still == 1:
        _wait(world, number, max(broker.back_us, now_us + 1))
        return
    if own.working == NO_QUEUE:
        _begin_task(world, own, now_us)
    if own.working != NO_QUEUE:
        queue = world.delay_queues[own.working]
        upto_us = now_us if queue.precision_us == 0 else own.slot_us
        if queue.next_offset < own.until_offset and _due_us(queue, next_message(world, queue).stored_us) <= upto_us:
            log = next_message(world, queue).log
            if broker.is_away != 0:
                log = other_log(world, log, queue.next_offset)
            if log == NO_LOG:
                _wait(world, number, now_us + LOOK_US)
                return
            _deliver_next(world, own, queue, log, now_us)
            _wait(world, number, now_us + own.deliver_us)
            return
        _end_task(world, own, queue, now_us)
    _await_task(world, number, now_us)


@rule()
def _earliest(world: ConsumerWorld, own: Deliverer) -> int:
    """The queue whose task is due first."""
    found = own.first_queue
    for number in range(own.first_queue + 1, own.first_queue + own.queues):
        if world.delay_queues[number].task_us < world.delay_queues[found].task_us:
            found = number
    return found


@rule()
def _begin_task(world: ConsumerWorld, own: Deliverer, now_us: Us) -> None:
    """Take the task that has been due for longest; it sees what is stored by now."""
    number = _earliest(world, own)
    queue = world.delay_queues[number]
    if queue.task_us <= now_us:
        own.working = number
        queue.task_us = FAR
        own.until_offset = min(queue.max_offset, (queue.next_offset // READ_AT_ONCE + 1) * READ_AT_ONCE)
        if queue.precision_us > 0 and queue.next_offset < queue.max_offset:
            own.until_offset = queue.max_offset
            own.slot_us = min(_due_us(queue, next_message(world, queue).stored_us), now_us)


@rule()
def _deliver_next(world: ConsumerWorld, own: Deliverer, queue: DelayQueue, log: int, now_us: Us) -> None:
    message = next_message(world, queue)
    wanted_us = queue.moment_us if queue.moment_us > 0 else message.stored_us + queue.delay_us
    counted = world.delay_queues[queue.counted_at]
    late_us = max(now_us - wanted_us, 0)
    world.late_histograms[queue.counted_at].counts[histogram.cell_of(late_us)] += 1
    counted.late_max_us = max(counted.late_max_us, late_us)
    counted.delivered += 1
    counted.again += int(queue.next_offset < queue.reached_offset)
    new = content_of(message)
    queue.next_offset += 1
    queue.reached_offset = max(queue.reached_offset, queue.next_offset)
    if own.is_apart == 1 and queue.precision_us == 0:
        queue.kept_offset = queue.next_offset
    store_message(world, log, new, now_us)


@rule()
def _end_task(world: ConsumerWorld, own: Deliverer, queue: DelayQueue, now_us: Us) -> None:
    """The task has met a message that is not due, or has read all that it saw: its next is planned.

    A wheel writes down what it has delivered after each slot, and goes on with the next that is due.
    """
    queue.kept_offset = queue.next_offset
    if queue.precision_us > 0:
        queue.flushed_offset = queue.next_offset
    if queue.next_offset == queue.max_offset:
        queue.task_us = FAR
        queue.looked_us = now_us
    else:
        due_us = _due_us(queue, next_message(world, queue).stored_us)
        is_read = queue.next_offset == own.until_offset
        looks_us = now_us + LOOK_US if is_read or own.is_apart == 1 else due_us
        if queue.precision_us > 0 and due_us <= now_us:
            queue.task_us = due_us
        else:
            queue.task_us = _next_task_us(own, due_us, looks_us)
    own.working = NO_QUEUE


@rule()
def _await_task(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The thread's next event is that of its next task."""
    own = world.deliverers[number]
    task_us = world.delay_queues[_earliest(world, own)].task_us
    if task_us == FAR:
        own.at_us = FAR
    else:
        _wait(world, number, max(task_us, now_us))


@rule()
def flush_delays(world: ConsumerWorld, broker: int) -> None:
    """The broker writes down how far it has delivered each level (delayOffset.json, every 10 s)."""
    service = world.delay_services[broker]
    for number in range(service.first_queue, service.first_queue + service.queues):
        queue = world.delay_queues[number]
        queue.flushed_offset = queue.kept_offset
        forget_delivered(world, queue)


@rule()
def stop_delivering(world: ConsumerWorld, broker: int, is_graceful: int) -> None:
    """The broker's process is gone: a new one resumes from what is in the file, also after a graceful stop up to 4.9.2.

    Source: rocketmq 4.2.0-4.9.2, ScheduleMessageService.shutdown cancels its Timer; 4.9.3-5.3.3, it calls persist, too.
    """
    service = world.delay_services[broker]
    is_written = is_graceful == 1 and service.persists_at_stop == 1
    for number in range(service.first_queue, service.first_queue + service.queues):
        queue = world.delay_queues[number]
        if is_written:
            queue.flushed_offset = queue.next_offset
        queue.next_offset = queue.flushed_offset
        queue.kept_offset = queue.flushed_offset
        queue.read_page = queue.first_page
        queue.task_us = FAR
    for number in range(service.first_deliverer, service.first_deliverer + service.deliverers):
        world.deliverers[number].at_us = FAR
        world.deliverers[number].working = NO_QUEUE


@rule()
def start_delivering(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """The broker's process has begun: the tasks of all levels come after a second, the wheel goes on at once."""
    service = world.delay_services[broker]
    for number in range(service.first_queue, service.first_queue + service.queues):
        queue = world.delay_queues[number]
        queue.looked_us = now_us + FIRST_TASK_US
        if queue.next_offset < queue.max_offset:
            due_us = _due_us(queue, next_message(world, queue).stored_us)
            queue.task_us = queue.looked_us if queue.precision_us == 0 else due_us
    for number in range(service.first_deliverer, service.first_deliverer + service.deliverers):
        _await_task(world, number, now_us)
