"""The events of orderly groups: locks are renewed, a queue goes on, a lock is given back."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_settings import QUEUE_TURN, RENEW_LOCKS
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.orderly.queue_locks import renew_locks, unlock_now
from simulator.consumer.orderly.turns import go_on_with_turn
from simulator.consumer.shared import due_heap


@rule()
def handle_orderly(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> None:
    """Handle an event, unless it is out of date or its process stands still: then it happens as that goes on."""
    if kind == RENEW_LOCKS:
        due_us, owner = world.instances[number].locks_us, number
    else:
        holding = world.holdings[number]
        due_us = holding.turn_us if kind == QUEUE_TURN else holding.unlock_us
        owner = holding.instance
    if due_us != now_us or owner < 0:
        return
    until_us = world.instances[owner].frozen_until_us
    if until_us > now_us:
        _put_off(world, kind, number, until_us)
    elif kind == RENEW_LOCKS:
        renew_locks(world, number, now_us)
    elif kind == QUEUE_TURN:
        go_on_with_turn(world, number, now_us)
    else:
        unlock_now(world, number)


@rule()
def _put_off(world: ConsumerWorld, kind: int, number: int, until_us: Us) -> None:
    if kind == RENEW_LOCKS:
        world.instances[number].locks_us = until_us
    elif kind == QUEUE_TURN:
        world.holdings[number].turn_us = until_us
    else:
        world.holdings[number].unlock_us = until_us
    due_heap.push(world, until_us, kind, number)
