"""What is due in the consumers' machine, in order of time, kind and number."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_events import what_happens_to
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.event_heap import rise, take_first


@rule()
def push(world: ConsumerWorld, at_us: Us, kind: int, number: int) -> None:
    """Add an event; one whose time is not that of its actor any more is out of date."""
    place = world.clock.heap_size
    world.clock.heap_size = place + 1
    rise(world.heap, place, at_us, what_happens_to(kind, number))


@rule()
def pop(world: ConsumerWorld) -> int:
    """Remove the earliest event and give what happens; the heap must not be empty."""
    world.clock.heap_size -= 1
    return take_first(world.heap, world.clock.heap_size)
