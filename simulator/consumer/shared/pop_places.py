"""Where a POP group's queues and retries are at a broker, and which of its subscriptions belong together.

The subscriptions of a POP group are its topics, then the retry topics of these in the same order.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.memory.consumer_side import QueueProgress
from simulator.consumer.memory.consumer_world import ConsumerWorld


@rule(inlined=True)
def pops(world: ConsumerWorld, subscription: int) -> bool:
    """Whether the group of a subscription pops."""
    return world.groups[world.subscriptions[subscription].group].pop.batch > 0


@rule(inlined=True)
def place_of_pop(world: ConsumerWorld, subscription: int, broker: int) -> int:
    """Place of a topic's subscription at a broker, in world.pop_places and world.pop_waits."""
    return subscription * world.settings.brokers + broker


@rule(inlined=True)
def topics_of(world: ConsumerWorld, subscription: int) -> int:
    """How many topics the group of a subscription reads: so far behind a topic is its retry topic."""
    return world.groups[world.subscriptions[subscription].group].subscriptions // 2


@rule(inlined=True)
def note_given_twice(world: ConsumerWorld, subscription: int, progress: QueueProgress, offset: int) -> None:
    """What a POP group was given of a queue up to an offset it may be given again: that goes back."""
    if pops(world, subscription):
        progress.returned_until = max(progress.returned_until, offset)


@rule()
def pops_dealt(world: ConsumerWorld, broker: int) -> int:
    """How many pops a broker has dealt out to its revive services: those of all groups and topics, but none in order.

    The real one counts from 0 in each process. Which service comes first changes no figure: they differ by their drawn
    phases alone.

    Source: rocketmq 5.0.0-5.4.0, PopMessageProcessor.processRequest: one ckMessageNumber, queue 999 for pops in order.
    """
    dealt = 0
    for subscription in range(world.settings.subscriptions):
        if world.groups[world.subscriptions[subscription].group].pop.in_order == 0:
            dealt += world.pop_waits[place_of_pop(world, subscription, broker)].requests
    return dealt
