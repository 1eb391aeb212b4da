"""What is due in the consumers' machine, in order of time, kind and number."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_events import what_happens_to
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.kernel.event_heap import add_event


@rule()
def push(world: ConsumerWorld, at_us: Us, kind: int, number: int) -> None:
    """Add an event; one whose time is not that of its actor any more is out of date."""
    add_event(world, at_us, what_happens_to(kind, number))
