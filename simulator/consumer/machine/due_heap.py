"""The machine's heap of (time, key): the key breaks ties, so the order is total."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.machine.consumer_settings import KIND_SHIFT, Due
from simulator.consumer.machine.consumer_world import ConsumerWorld


@rule(inlined=True)
def _put(due: Due, at_us: Us, key: int) -> None:
    due.at_us = at_us
    due.key = key


@rule(inlined=True)
def _rise(world: ConsumerWorld, i: int, at_us: Us, key: int) -> None:
    heap = world.heap
    while i > 0:
        parent = (i - 1) >> 1
        above = heap[parent]
        if above.at_us < at_us or (above.at_us == at_us and above.key < key):
            break
        _put(heap[i], above.at_us, above.key)
        i = parent
    _put(heap[i], at_us, key)


@rule()
def push(world: ConsumerWorld, at_us: Us, kind: int, number: int) -> None:
    """Add an event."""
    size = world.clock.heap_size
    world.clock.heap_size = size + 1
    _rise(world, size, at_us, kind << KIND_SHIFT | number)


@rule()
def pop(world: ConsumerWorld) -> int:
    """Remove the earliest event and give its key; the heap must not be empty."""
    heap = world.heap
    first = heap[0].key
    n = world.clock.heap_size - 1
    world.clock.heap_size = n
    i = 0
    child = 2
    while child < n:
        left, right = heap[child - 1], heap[child]
        tie = (left.at_us == right.at_us) & (left.key < right.key)
        child -= (left.at_us < right.at_us) | tie
        _put(heap[i], heap[child].at_us, heap[child].key)
        i = child
        child = 2 * i + 2
    if child == n:
        _put(heap[i], heap[n - 1].at_us, heap[n - 1].key)
        i = n - 1
    _rise(world, i, heap[n].at_us, heap[n].key)
    return first
