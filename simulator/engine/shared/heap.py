"""What the event loop waits for: events of its heap."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import what_happens
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.world import World
from simulator.kernel.event_heap import add_event, rise


@rule(inlined=True)
def push(world: World, at_us: Us, kind: int, number: int) -> None:
    """Add an event of that kind, to what has that number."""
    add_event(world, at_us, what_happens(kind, number))


@rule()
def hasten(world: World, at_us: Us, kind: int, number: int) -> None:
    """Bring an event forward; it must be in the heap, at `at_us` or later."""
    i, what = 0, what_happens(kind, number)
    while world.heap[i].what != what:
        i += 1
    rise(world.heap, i, at_us, what)


@rule()
def comes_before(world: World, at_us: Us, kind: int, number: int, then: int) -> bool:
    """Whether an event, which must be in the heap, was to come after `at_us`; then one of kind `then` comes instead."""
    i, what = 0, what_happens(kind, number)
    while world.heap[i].what != what:
        i += 1
    if world.heap[i].at_us <= at_us:
        return False
    rise(world.heap, i, at_us, what_happens(then, number))
    return True


@rule(inlined=True)
def await_in_thread(world: World, send: Attempt, kind: int, at_us: Us) -> None:
    """A message for which its sender thread waits waits for an event."""
    send.state = kind
    push(world, at_us, kind, send.thread)


@rule(inlined=True)
def await_alone(world: World, send: Attempt, kind: int, at_us: Us) -> None:
    """The same of an asynchronous message."""
    send.state = kind
    push(world, at_us, kind, send.number)
