"""The period of a policy's part that avoids brokers: for every producer, with the heartbeats that it hears of."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import AnyRecord, Us
from simulator.engine.memory.world import World
from simulator.engine.network.detecting import answers_after


@rule()
def avoiding(world: World, producer: int, broker: int) -> AnyRecord:
    """The record of the part that avoids brokers, for a producer or for one of its brokers."""
    settings = world.settings
    row = producer * settings.brokers + broker if settings.avoid_per_broker == 1 else producer
    return world.avoid_records[row * settings.avoid_cells]


@rule()
def _beat(world: World, producer: int, now_us: Us) -> None:
    """A producer sends every broker a heartbeat."""
    for broker in range(world.settings.brokers):
        after_us = answers_after(world, producer, broker, now_us)
        world.policy.avoid.heartbeat(avoiding(world, producer, broker), broker, now_us, after_us)


@rule()
def tick_policies(world: World, now_us: Us) -> None:
    """The part's period is over."""
    brokers = world.settings.brokers if world.settings.avoid_per_broker == 1 else 1
    for producer in range(world.settings.producers):
        for broker in range(brokers):
            world.policy.avoid.tick(avoiding(world, producer, broker), now_us)
        if world.settings.policy_heartbeats == 1:
            _beat(world, producer, now_us)
