"""POP consumption: nobody owns a queue, and what is not acknowledged in time comes again to any instance.

Source: rocketmq 5.0.0-5.5.0, ConsumeMessagePopConcurrentlyService.
"""

from __future__ import annotations

from simulator.compiled.jit import entry
from simulator.compiled.records import Us
from simulator.consumer.handling.nothing import cache_nothing, may_take_any, nothing
from simulator.consumer.memory.consumer_world import ConsumerWorld, ConsumptionRules
from simulator.consumer.pop.assignment import lose_popped, share_by_broker
from simulator.consumer.pop.end_of_popped import end_popped
from simulator.consumer.pop.pop_answers import go_on_popping
from simulator.consumer.pop.popped_batches import stop_popping_threads


@entry
def act_on_pop(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> int:
    """A pop goes on: there is no other event that only these groups have."""
    go_on_popping(world, number, now_us)
    return 0


@entry
def end_popping(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """The process of an instance is gone."""
    stop_popping_threads(world, world.instances[number], now_us)
    return 0


POPPING = ConsumptionRules(
    share=share_by_broker,
    may_take=may_take_any,
    taken=nothing,
    first_pull=nothing,
    cached=cache_nothing,
    ended=end_popped,
    own_event=act_on_pop,
    let_go=nothing,
    lost=lose_popped,
    stopped=nothing,
    gone=end_popping,
)
