"""Popped messages at the threads of an instance: a thread passes over what it comes to too late.

Source: rocketmq 5.0.0-5.5.0, ConsumeMessagePopConcurrentlyService.ConsumeRequest.run.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.check_points import let_go_of_point, note_slow
from simulator.consumer.concurrent.consume_threads import begin_batch, cut_batch
from simulator.consumer.handling.work import be_idle, end_threads, free_task
from simulator.consumer.memory.consumer_side import CheckPoint
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.instance import NOBODY, Instance
from simulator.consumer.shared.holdings import queue_of


@rule(inlined=True)
def point_of(world: ConsumerWorld, task: int) -> CheckPoint:
    """The check point of a message that a client has."""
    return world.check_points[world.tasks[task].point]


@rule()
def is_late(world: ConsumerWorld, task: int, now_us: Us) -> bool:
    """Whether the invisible time of a message is over that the client popped (isPopTimeout)."""
    group = world.instances[world.holdings[world.tasks[task].holding].instance].group
    return now_us - point_of(world, task).popped_us >= world.groups[group].pop.invisible_us


@rule()
def start_popping_threads(world: ConsumerWorld, instance: Instance, now_us: Us) -> None:
    """Have idle threads take what waits."""
    while instance.idle != NOBODY and instance.first_task != NOBODY:
        number = instance.idle
        instance.idle = world.workers[number].next_idle
        take_popped(world, instance, number, now_us)


@rule()
def take_popped(world: ConsumerWorld, instance: Instance, number: int, now_us: Us) -> None:
    """A thread that is free takes the next batch whose time is not over, or is idle."""
    while instance.first_task != NOBODY:
        first = cut_batch(world, instance)
        if world.holdings[world.tasks[first].holding].is_dropped == 1 or is_late(world, first, now_us):
            forget_late(world, first, now_us)
            continue
        begin_batch(world, instance, number, first, now_us)
        return
    be_idle(world, instance, number)


@rule()
def forget_popped(world: ConsumerWorld, first: int) -> None:
    """The client is done with a batch, which counts as waiting for an acknowledgement no more."""
    number = first
    while number != NOBODY:
        behind, holding = world.tasks[number].next_task, world.tasks[number].holding
        let_go_of_point(world, point_of(world, number))
        queue_of(world, holding).msg_count -= 1
        free_task(world, number)
        number = behind


@rule()
def forget_late(world: ConsumerWorld, first: int, now_us: Us) -> None:
    """The client passes over a batch to which it comes too late."""
    number = first
    while number != NOBODY:
        if is_late(world, number, now_us):
            note_slow(world, point_of(world, number))
        number = world.tasks[number].next_task
    forget_popped(world, first)


@rule()
def stop_popping_threads(world: ConsumerWorld, instance: Instance, now_us: Us) -> None:
    """The process is gone: what it has comes again when its invisible time is over."""
    for i in range(instance.workers):
        forget_popped(world, world.workers[instance.first_worker + i].first_task)
    while instance.first_task != NOBODY:
        forget_popped(world, cut_batch(world, instance))
    end_threads(world, instance, now_us)
