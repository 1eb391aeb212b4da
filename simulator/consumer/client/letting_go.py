"""A queue leaves an instance, which lives on or not."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.shared.holdings import consumption_of, lose


@rule()
def let_queue_go(world: ConsumerWorld, at: int, now_us: Us) -> None:
    """The instance lives on without the queue."""
    consumption_of(world, world.holdings[at].instance).let_go(world, at, now_us)
    lose_queue(world, at, now_us)


@rule()
def lose_queue(world: ConsumerWorld, at: int, now_us: Us) -> None:
    """The instance does not hold the queue any more: what it cached is lost with it."""
    consumption_of(world, world.holdings[at].instance).lost(world, at, now_us)
    lose(world, at, now_us)
