"""A thread ends popped messages: each is acknowledged, or stays invisible for longer as it failed.

Source: rocketmq 5.0.0-5.5.0, ConsumeMessagePopConcurrentlyService.processConsumeResult, .changePopInvisibleTime and
.checkNeedAckOrDelay.
"""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.consumer.broker.check_points import acknowledge, change_invisible
from simulator.consumer.handling.counting import count_delivery_at
from simulator.consumer.handling.failing import first_failed
from simulator.consumer.memory.consume_task import ConsumeTask
from simulator.consumer.memory.consumer_side import FAILED_TO_HANDLE, CheckPoint
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import (
    DEAD_LETTER,
    DUPLICATE,
    HIDDEN,
    NOT_ACKNOWLEDGED,
    SUCCEEDED,
    TOO_LATE,
    UNHANDLED,
)
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.pop.popped_batches import forget_late, is_late, point_of, take_popped
from simulator.consumer.rules.pop_delays import ACKNOWLEDGED, NO_DELAY, pop_delay_of_old_us, pop_delay_us
from simulator.consumer.shared.consumer_rows import DeliveryPlace


@entry
def end_popped(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """A thread ends its batch, and takes the next."""
    worker = world.workers[number]
    instance, first = world.instances[worker.instance], worker.first_task
    holding = world.holdings[world.tasks[first].holding]
    late = is_late(world, first, now_us) or holding.is_dropped == 1
    failed, place, at, delay_us = first_failed(world, instance, first), 0, first, 0
    while at != NOBODY:
        task, point = world.tasks[at], point_of(world, at)
        where = DeliveryPlace(point.subscription, point.log, holding.is_dropped)
        if late:
            _note_late(task, point, place >= failed)
        elif place >= failed:
            if delay_us != NO_DELAY:  # what it throws leaves out the rest of the batch
                delay_us = _delay_us(world, worker.instance, at, now_us)
            task.fate = _hide(world, worker.instance, at, delay_us, now_us)
        elif not acknowledge(world, worker.instance, point):
            task.fate = DUPLICATE if task.fate == DUPLICATE else NOT_ACKNOWLEDGED
        elif task.fate != DUPLICATE:
            task.fate = SUCCEEDED
        count_delivery_at(world, where, worker, task, now_us)
        place += 1
        at = task.next_task
    forget_late(world, first, now_us)
    take_popped(world, instance, number, now_us)
    return 0


@rule()
def _note_late(task: ConsumeTask, point: CheckPoint, has_failed: bool) -> None:
    """Note the fate of a message whose invisible time was over as its listener returned."""
    if has_failed:
        point.why = FAILED_TO_HANDLE
        task.fate = UNHANDLED
    elif task.fate != DUPLICATE:
        task.fate = TOO_LATE


@rule()
def _delay_us(world: ConsumerWorld, instance: int, at: int, now_us: Us) -> Us:
    """For how long the client has a message that failed stay invisible."""
    task, own = world.tasks[at], world.groups[world.instances[instance].group].handling
    if task.reconsume_times >= own.most_reconsumes:
        return pop_delay_of_old_us(now_us - task.arrival_us)
    return pop_delay_us(own.next_level, task.reconsume_times)


@rule()
def _hide(world: ConsumerWorld, instance: int, at: int, delay_us: Us, now_us: Us) -> int:
    """Have a message that failed come again later, or give it up; its fate."""
    point = point_of(world, at)
    point.why = FAILED_TO_HANDLE
    if delay_us == ACKNOWLEDGED:
        return DEAD_LETTER if acknowledge(world, instance, point) else UNHANDLED
    is_hidden = delay_us != NO_DELAY and change_invisible(world, instance, point, delay_us, now_us)
    return HIDDEN if is_hidden else UNHANDLED
