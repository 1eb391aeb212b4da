"""The addresses of masters that a producer has: the route that it took last decides, whatever its topic.

Only for runs in which a route can change (settings.routes_on). A route that is taken puts the addresses of all brokers
that it names, over those that other topics' routes gave; before each heartbeat those go that no known route names.
Source: rocketmq 4.2.0-5.3.3, MQClientInstance.updateTopicRouteInfoFromNameServer (brokerAddrTable),
cleanOfflineBroker and findBrokerAddressInPublish.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.routes import NAMED_MASTER, NOT_NAMED
from simulator.engine.memory.world import World
from simulator.engine.routes.known_routes import names, names_master

FIRST_CLEAN_US = 1_000_000  # after the start of a client: cleanOfflineBroker, before each heartbeat
CLEAN_PERIOD_US = 30_000_000


@rule()
def _was_cleaned(world: World, producer: int, now_us: Us) -> bool:
    """Whether cleanOfflineBroker has run since the producer took a route last."""
    since_us = (now_us - world.producers[producer].heartbeat_us) % CLEAN_PERIOD_US
    return now_us - since_us > world.taken_us[producer]


@rule()
def has_address(world: World, producer: int, broker: int, now_us: Us) -> int:
    """1 if the producer has the address of a broker's master."""
    if world.addresses[producer * world.settings.brokers + broker] == 0:
        return 0
    return names_master(world, producer, broker) if _was_cleaned(world, producer, now_us) else 1


@rule()
def _move(world: World, producer: int, broker: int, address: int, now_us: Us) -> None:
    """A connection to one machine is none to the next that has the broker's name."""
    connection = producer * world.settings.brokers + broker
    known = world.addresses[connection]
    if known > 0 and address > 0 and known != address:
        if world.connections[connection] == 0:
            world.clock.closed += 1
        world.connections[connection] = now_us


@rule()
def take_addresses(world: World, producer: int, topic: int, known: int, now_us: Us) -> None:
    """The producer is about to take a route of a topic, in place of the one that it knows."""
    brokers = world.settings.brokers
    for broker in range(brokers):
        named, has = names(world, topic, known, broker), has_address(world, producer, broker, now_us)
        if named != NOT_NAMED:
            has = max(1 + named - NAMED_MASTER, 0)
            _move(world, producer, broker, has, now_us)
        world.addresses[producer * brokers + broker] = has
    world.taken_us[producer] = now_us
