"""Orderly consumption: a queue is locked at its broker, and one thread at a time is at it, in the order of offsets.

Source: rocketmq 4.2.0-5.3.3, ConsumeMessageOrderlyService.
"""

from __future__ import annotations

from simulator.compiled.jit import entry
from simulator.compiled.records import Us
from simulator.consumer.handling.nothing import share_nothing
from simulator.consumer.memory.consumer_events import QUEUE_TURN, RENEW_LOCKS
from simulator.consumer.memory.consumer_world import ConsumerWorld, ConsumptionRules
from simulator.consumer.orderly.end_in_order import end_in_order
from simulator.consumer.orderly.first_pull import begin_locked
from simulator.consumer.orderly.queue_locks import (
    gets_lock,
    give_lock_back_later,
    lock_taken,
    renew_locks,
    unlock_all,
    unlock_now,
)
from simulator.consumer.orderly.turns import forget_queue, go_on_with_turn, offer, stop_turns


@entry
def act_in_order(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> int:
    """Locks are renewed, a queue goes on, or a lock is given back."""
    if kind == RENEW_LOCKS:
        renew_locks(world, number, now_us)
    elif kind == QUEUE_TURN:
        go_on_with_turn(world, number, now_us)
    else:
        unlock_now(world, number)
    return 0


ORDERLY = ConsumptionRules(
    share=share_nothing,
    may_take=gets_lock,
    taken=lock_taken,
    first_pull=begin_locked,
    cached=offer,
    ended=end_in_order,
    own_event=act_in_order,
    let_go=give_lock_back_later,
    lost=forget_queue,
    stopped=unlock_all,
    gone=stop_turns,
)
