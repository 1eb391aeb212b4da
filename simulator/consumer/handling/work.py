"""What a thread is at: how long its listener takes, and the records of its messages.

Source: rocketmq 4.2.0-5.3.3, ConsumeMessageConcurrentlyService and ConsumeMessageOrderlyService, ConsumeRequest.run.
"""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Us
from simulator.consumer.memory.consumer_events import WORKED
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import DUPLICATE
from simulator.consumer.memory.instance import NOBODY, Instance
from simulator.consumer.queue_log.filtering import service_of
from simulator.consumer.shared import due_heap
from simulator.consumer.shared.holdings import give_back_if_done
from simulator.engine.memory.settings import FAR
from simulator.kernel.latency import EDGES, service_us
from simulator.kernel.pools import give_back
from simulator.kernel.randomness import CONSUME_TIME, hash4, signed

PPM = 1_000_000


@rule()
def begin_work(world: ConsumerWorld, instance: Instance, number: int, first: int, now_us: Us) -> None:
    """A thread begins with a batch."""
    worker = world.workers[number]
    worker.first_task = first
    worker.began_us = now_us
    worker.counted_us = now_us
    worker.ends_us = max(now_us + max(_work_us(world, instance, first), 1), instance.stuck_until_us)
    instance.stuck_until_us = 0
    due_heap.push(world, worker.ends_us, WORKED, number)


@rule()
def be_idle(world: ConsumerWorld, instance: Instance, number: int) -> None:
    """A thread has nothing to do."""
    worker = world.workers[number]
    worker.first_task = NOBODY
    worker.ends_us = FAR
    worker.next_idle = instance.idle
    instance.idle = number


@rule(inlined=True)
def _drawn_us(world: ConsumerWorld, edges: Cells, group: int, draw: int) -> int:
    """How long the listener is at a message; nothing is drawn where every message takes as long."""
    if edges[0] == edges[EDGES - 1]:
        return edges[0]
    return service_us(edges, signed(hash4(world.settings.seed, CONSUME_TIME, group, draw) >> np.uint64(32)))


@rule()
def _work_us(world: ConsumerWorld, instance: Instance, first: int) -> int:
    """How long the listener is at a batch: the sum of its messages."""
    group = instance.group
    total_us = 0
    number = first
    while number != NOBODY:
        task = world.tasks[number]
        if task.fate != DUPLICATE:
            edges = world.latencies[service_of(world, task.origin, task.draw)].edges
            total_us += _drawn_us(world, edges, group, task.draw)
        number = task.next_task
    return total_us if instance.slowness_ppm == PPM else total_us * instance.slowness_ppm // PPM


@rule()
def free_task(world: ConsumerWorld, number: int) -> None:
    """Give a task back, and its queue's record if that was lost and this was its last."""
    task = world.tasks[number]
    own = task.holding
    world.holdings[own].tasks -= 1
    give_back(world.clock.tasks, task)
    give_back_if_done(world, own)


@rule()
def throw_away(world: ConsumerWorld, first: int) -> None:
    """Forget a batch."""
    number = first
    while number != NOBODY:
        behind = world.tasks[number].next_task
        free_task(world, number)
        number = behind


@rule()
def end_threads(world: ConsumerWorld, instance: Instance, now_us: Us) -> None:
    """The process is gone, what its threads were at is forgotten: they are idle."""
    instance.idle = NOBODY
    for i in range(instance.workers):
        number = instance.first_worker + instance.workers - 1 - i
        worker = world.workers[number]
        if worker.ends_us != FAR:
            world.tallies[instance.group].busy_us += now_us - worker.counted_us
        be_idle(world, instance, number)
