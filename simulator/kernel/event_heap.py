"""A binary heap of events in a region: what happens breaks ties of time, so the order is total.

`simulator.engine.shared.heap` has the event loop's, `simulator.consumer.shared.due_heap` that of the consumers.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Region, Us
from simulator.kernel.machine_memory import Event, Machine


@rule(inlined=True)
def _put(event: Event, at_us: Us, what: int) -> None:
    event.at_us = at_us
    event.what = what


@rule(inlined=True)
def rise(heap: Region[Event], i: int, at_us: Us, what: int) -> None:
    """Put an event into the hole at place `i`, or above it where those there are later."""
    while i > 0:
        parent = (i - 1) >> 1
        above = heap[parent]
        if above.at_us < at_us or (above.at_us == at_us and above.what < what):
            break
        _put(heap[i], above.at_us, above.what)
        i = parent
    _put(heap[i], at_us, what)


@rule(inlined=True)
def take_first(heap: Region[Event], last: int) -> int:
    """Remove the earliest event, which may be the one at place `last`, the last; gives what happens.

    The hole goes down to a leaf along the earlier children, then the last event goes up from there: it came from a
    leaf and seldom goes far.
    """
    first = heap[0].what
    i = 0
    child = 2
    while child < last:
        # Arithmetic instead of a branch that would be guessed wrong every other time.
        left, right = heap[child - 1], heap[child]
        tie = (left.at_us == right.at_us) & (left.what < right.what)
        child -= (left.at_us < right.at_us) | tie
        _put(heap[i], heap[child].at_us, heap[child].what)
        i = child
        child = 2 * i + 2
    if child == last:
        _put(heap[i], heap[last - 1].at_us, heap[last - 1].what)
        i = last - 1
    rise(heap, i, heap[last].at_us, heap[last].what)
    return first


@rule(inlined=True)
def add_event(world: Machine, at_us: Us, what: int) -> None:
    """Add an event."""
    place = world.clock.heap_size
    world.clock.heap_size = place + 1
    rise(world.heap, place, at_us, what)


@rule(inlined=True)
def pop(world: Machine) -> int:
    """Remove the earliest event and give what happens; the heap must not be empty."""
    world.clock.heap_size -= 1
    return take_first(world.heap, world.clock.heap_size)
