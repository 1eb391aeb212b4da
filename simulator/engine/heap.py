"""A binary heap of (time, record): the record's number in world.sends breaks ties, so the order is total."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.world import Event, World


@rule(inlined=True)
def _put(event: Event, at_us: Us, record: int) -> None:
    event.at_us = at_us
    event.record = record


@rule(inlined=True)
def _rise(world: World, i: int, at_us: Us, record: int) -> None:
    """Put an event into the hole at place `i`, or above it where those there are later."""
    heap = world.heap
    while i > 0:
        parent = (i - 1) >> 1
        above = heap[parent]
        if above.at_us < at_us or (above.at_us == at_us and above.record < record):
            break
        _put(heap[i], above.at_us, above.record)
        i = parent
    _put(heap[i], at_us, record)


@rule(inlined=True)
def push(world: World, at_us: Us, record: int) -> None:
    """Add the one event that a record is waiting for."""
    size = world.clock.heap_size
    world.clock.heap_size = size + 1
    _rise(world, size, at_us, record)


@rule(inlined=True)
def pop(world: World) -> int:
    """Remove the earliest event and give its record; the heap must not be empty.

    The hole goes down to a leaf along the earlier children, then the last event goes up from there: it came from a
    leaf and seldom goes far.
    """
    heap = world.heap
    first = heap[0].record
    n = world.clock.heap_size - 1
    world.clock.heap_size = n
    i = 0
    child = 2
    while child < n:
        # Arithmetic instead of a branch that would be guessed wrong every other time.
        left, right = heap[child - 1], heap[child]
        tie = (left.at_us == right.at_us) & (left.record < right.record)
        child -= (left.at_us < right.at_us) | tie
        _put(heap[i], heap[child].at_us, heap[child].record)
        i = child
        child = 2 * i + 2
    if child == n:
        _put(heap[i], heap[n - 1].at_us, heap[n - 1].record)
        i = n - 1
    _rise(world, i, heap[n].at_us, heap[n].record)
    return first


@rule()
def hasten(world: World, at_us: Us, record: int) -> None:
    """Bring the event of a record forward; it must be in the heap, at `at_us` or later."""
    i = 0
    while world.heap[i].record != record:
        i += 1
    _rise(world, i, at_us, record)
