"""The consume threads of an instance: one first-in-first-out queue of batches for all queues that it holds.

Source: rocketmq 4.2.0-5.3.3, ConsumeMessageConcurrentlyService. What waits for a thread when its queue is lost is
thrown away as a thread comes to it; what is with a thread then ends, and commits nothing.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.handling.deduplicating import note_duplicates
from simulator.consumer.handling.work import be_idle, begin_work, end_threads, throw_away
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import ILLEGAL
from simulator.consumer.memory.instance import NOBODY, Instance


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
    while instance.first_task != NOBODY:
        first = cut_batch(world, instance)
        holding = world.holdings[world.tasks[first].holding]
        if holding.is_dropped == 1 or holding.state == ILLEGAL:
            throw_away(world, first)
            continue
        begin_batch(world, instance, number, first, now_us)
        return
    be_idle(world, instance, number)


@rule()
def begin_batch(world: ConsumerWorld, instance: Instance, number: int, first: int, now_us: Us) -> None:
    """A thread begins with a batch, in which there may be what the group knows already."""
    if world.groups[instance.group].duplicates.entries > 0:
        note_duplicates(world, instance.group, first, now_us)
    begin_work(world, instance, number, first, now_us)


@rule()
def cut_batch(world: ConsumerWorld, instance: Instance) -> int:
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
def stop_threads(world: ConsumerWorld, instance: Instance, now_us: Us) -> None:
    """The process is gone: nothing is worked at, and nothing waits for a thread, now or later."""
    for i in range(instance.workers):
        throw_away(world, world.workers[instance.first_worker + i].first_task)
    while instance.first_task != NOBODY:
        throw_away(world, cut_batch(world, instance))
    throw_away(world, instance.first_again)
    instance.first_again = NOBODY
    end_threads(world, instance, now_us)
