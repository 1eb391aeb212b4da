"""A queue leaves an instance: what an orderly one cached is forgotten with it, and it waits for nothing any more."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.handling.consuming import free_task
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.orderly.queue_locks import give_lock_back_later
from simulator.consumer.orderly.turns import cancel_turn
from simulator.consumer.rules.process_queue import CACHED
from simulator.consumer.shared.holdings import lose, queue_of


@rule()
def let_queue_go(world: ConsumerWorld, at: int, now_us: Us) -> None:
    """The instance lives on without the queue, and gives its lock back."""
    if world.groups[world.instances[world.holdings[at].instance].group].pull.is_orderly == 1:
        give_lock_back_later(world, at, now_us)
    lose_queue(world, at, now_us)


@rule()
def lose_queue(world: ConsumerWorld, at: int, now_us: Us) -> None:
    """The instance does not hold the queue any more: what it cached is lost with it."""
    holding = world.holdings[at]
    if world.groups[world.instances[holding.instance].group].pull.is_orderly == 1:
        cancel_turn(holding)
        _forget_cached(world, at)
    lose(world, at, now_us)


@rule()
def _forget_cached(world: ConsumerWorld, at: int) -> None:
    queue = queue_of(world, at)
    for place in range(queue.first, queue.end):
        entry = queue.entries[place]
        if entry.state & CACHED:
            free_task(world, entry.message)
            world.holdings[at].tasks -= 1
            entry.state &= ~CACHED
            queue.cached -= 1
