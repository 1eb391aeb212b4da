"""A binary heap of events: what happens breaks ties of time, so the order is total."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import Event, what_happens
from simulator.engine.memory.send import Send
from simulator.engine.memory.world import World


@rule(inlined=True)
def _put(event: Event, at_us: Us, what: int) -> None:
    event.at_us = at_us
    event.what = what


@rule(inlined=True)
def _rise(world: World, i: int, at_us: Us, what: int) -> None:
    """Put an event into the hole at place `i`, or above it where those there are later."""
    heap = world.heap
    while i > 0:
        parent = (i - 1) >> 1
        above = heap[parent]
        if above.at_us < at_us or (above.at_us == at_us and above.what < what):
            break
        _put(heap[i], above.at_us, above.what)
        i = parent
    _put(heap[i], at_us, what)


@rule(inlined=True)
def push(world: World, at_us: Us, kind: int, number: int) -> None:
    """Add an event of that kind, to what has that number."""
    size = world.clock.heap_size
    world.clock.heap_size = size + 1
    _rise(world, size, at_us, what_happens(kind, number))


@rule(inlined=True)
def pop(world: World) -> int:
    """Remove the earliest event and give what happens; the heap must not be empty.

    The hole goes down to a leaf along the earlier children, then the last event goes up from there: it came from a
    leaf and seldom goes far.
    """
    heap = world.heap
    first = heap[0].what
    n = world.clock.heap_size - 1
    world.clock.heap_size = n
    i = 0
    child = 2
    while child < n:
        # Arithmetic instead of a branch that would be guessed wrong every other time.
        left, right = heap[child - 1], heap[child]
        tie = (left.at_us == right.at_us) & (left.what < right.what)
        child -= (left.at_us < right.at_us) | tie
        _put(heap[i], heap[child].at_us, heap[child].what)
        i = child
        child = 2 * i + 2
    if child == n:
        _put(heap[i], heap[n - 1].at_us, heap[n - 1].what)
        i = n - 1
    _rise(world, i, heap[n].at_us, heap[n].what)
    return first


@rule()
def hasten(world: World, at_us: Us, kind: int, number: int) -> None:
    """Bring an event forward; it must be in the heap, at `at_us` or later."""
    i, what = 0, what_happens(kind, number)
    while world.heap[i].what != what:
        i += 1
    _rise(world, i, at_us, what)


@rule(inlined=True)
def await_in_thread(world: World, send: Send, kind: int, at_us: Us) -> None:
    """A message for which its sender thread waits waits for an event."""
    send.state = kind
    push(world, at_us, kind, send.thread)


@rule(inlined=True)
def await_alone(world: World, send: Send, kind: int, at_us: Us) -> None:
    """The same of an asynchronous message."""
    send.state = kind
    push(world, at_us, kind, send.number)
