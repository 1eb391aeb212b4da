"""The routes that a proxy remembers, as consumers meet them: they say which brokers a client receives from.

A proxy reads one again when it is asked for it and what it has is 20 s old; who asks then gets the old one.
Source: rocketmq 5.0.0-5.3.3, proxy TopicRouteService (Caffeine refreshAfterWrite).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.links.instance_routes import delivered_at
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.proxied.proxied_client import NEVER_ASKED, NOTHING_COMES

RELOAD_US = 2_000  # a round trip to a name server and back


@rule()
def route_at_proxy(world: ConsumerWorld, proxy: int, topic: int, now_us: Us) -> int:
    """The version of a topic's route that a proxy has now, below 0: none."""
    own, name_server = world.known_routes[proxy * world.settings.topics + topic], world.proxies[proxy].name_server
    if own.version == NEVER_ASKED:
        own.version = delivered_at(world, name_server, topic, now_us)
        return own.version
    if own.ready_us != NOTHING_COMES and own.ready_us <= now_us:
        own.loaded_us = own.ready_us
        own.ready_us = NOTHING_COMES
        if own.coming >= 0:
            own.version = own.coming
    if own.ready_us == NOTHING_COMES and now_us - own.loaded_us >= world.settings.proxy_refresh_us:
        own.coming = delivered_at(world, name_server, topic, now_us)
        own.ready_us = now_us + RELOAD_US
    return own.version


@rule()
def knows_broker(world: ConsumerWorld, proxy: int, topic: int, broker: int, now_us: Us) -> bool:
    """Whether a proxy's route of a topic has the broker; else a receipt handle of that broker is invalid.

    In local mode it is the broker's own proxy, which asks nobody (LocalTopicRouteService.getBrokerAddr).
    """
    if world.settings.proxies_local == 1:
        return True
    version = route_at_proxy(world, proxy, topic, now_us)
    return version >= 0 and world.route_queues[version * world.settings.brokers + broker] > 0
