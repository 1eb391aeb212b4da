"""Bringing near what the next events will touch: a large group remembers more than the near caches hold.

With a thousand instances an event waits for half a dozen lines of memory in a row: its actor, then the instance, then
the message. Who is next stands in the heap, so that the lines are asked for while others act.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import fetch
from simulator.consumer.memory.consumer_events import PULL, WORKED, kind_of, number_of
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.shared.holdings import queue_of

LARGE = 50  # instances from which on it is worth it


@rule(inlined=True)
def look_ahead(world: ConsumerWorld) -> None:
    """Fetch what the next event is about, and who may act after it; the event before it was just taken."""
    if world.settings.instances < LARGE:
        return
    _fetch_subject(world, world.heap[0].what)
    _fetch_actor(world, world.heap[1].what)
    _fetch_actor(world, world.heap[2].what)


@rule(inlined=True)
def _fetch_actor(world: ConsumerWorld, what: int) -> None:
    kind, number = kind_of(what), number_of(what)
    if kind == WORKED:
        fetch(world.workers[number], 0)
    elif kind == PULL:
        fetch(world.holdings[number], 0)
        fetch(world.holdings[number], 1)
        fetch(world.holdings[number], 2)


@rule(inlined=True)
def _fetch_subject(world: ConsumerWorld, what: int) -> None:
    kind, number = kind_of(what), number_of(what)
    if kind == WORKED:
        worker = world.workers[number]
        _fetch_instance(world, worker.instance)
        if worker.first_task != NOBODY:
            task = world.tasks[worker.first_task]
            fetch(task, 0)
            fetch(task, 1)
            fetch(task, 2)
    elif kind == PULL:
        holding = world.holdings[number]
        _fetch_instance(world, holding.instance)
        fetch(queue_of(world, number), 0)
        fetch(world.logs[holding.log], 0)


@rule(inlined=True)
def _fetch_instance(world: ConsumerWorld, number: int) -> None:
    instance = world.instances[number]
    fetch(instance, 0)
    fetch(instance, 1)
    fetch(instance, 2)
    fetch(instance, 3)
