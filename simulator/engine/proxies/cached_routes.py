"""The routes that a proxy remembers: it reads one again when it is asked for it and what it has is 20 s old.

Who asks then gets the old one; the next who asks gets what was read. A name server that does not answer leaves the old
one for as long again. What nobody has asked for in 300 s is forgotten. Each route read has a counter of its own.
Source: rocketmq 5.0.0-5.5.0, proxy TopicRouteService (Caffeine refreshAfterWrite, expireAfterAccess), MessageQueueView.
"""

from __future__ import annotations

from simulator.client.message_queue import NO_QUEUE, packed
from simulator.client.selection.pipeline_selection import select_by_faults, select_by_penalty, select_by_pipeline
from simulator.client.sending.message_groups import consistent_place
from simulator.client.view import View
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.links import NOTHING_COMES, CachedRoute
from simulator.engine.memory.routes import NO_ANSWER, NOT_EXISTING
from simulator.engine.memory.world import World
from simulator.engine.proxies.measured_brokers import client_of_proxy
from simulator.engine.routes.route_polls import asked_route, take_route
from simulator.engine.shared.threads import proxy_client, row_at, view_of

RELOAD_US = 2_000  # a round trip to a name server and back
EXPIRES_US = 300_000_000


@rule()
def _put(world: World, proxy: int, topic: int, own: CachedRoute, now_us: Us) -> None:
    """The answer to a reload is there."""
    own.loaded_us = now_us
    own.ready_us = NOTHING_COMES
    own.is_empty = int(own.version == NOT_EXISTING)
    if own.version >= 0:
        take_route(world, proxy_client(world, proxy), topic, own.version, now_us)


@rule()
def route_of(world: World, proxy: int, topic: int, now_us: Us) -> View:
    """What a proxy chooses the queue of a message from that has come to it; it may be empty."""
    client = proxy_client(world, proxy)
    if world.settings.routes_on == 1:
        own = world.proxy_routes[proxy * world.settings.topics + topic]
        if own.ready_us != NOTHING_COMES and own.ready_us <= now_us:
            _put(world, proxy, topic, own, own.ready_us)
        is_gone = now_us - own.accessed_us >= EXPIRES_US
        if own.ready_us == NOTHING_COMES and (is_gone or now_us - own.loaded_us >= world.settings.proxy_refresh_us):
            asked = asked_route(world, client, topic, now_us)
            own.version = asked
            own.ready_us = now_us + RELOAD_US
            if is_gone and asked > NO_ANSWER:
                _put(world, proxy, topic, own, now_us)
        own.accessed_us = now_us
    return view_of(world, row_at(world, client, 0), topic)


@rule()
def choose_by_group(world: World, proxy: int, topic: int, hash_code: int, now_us: Us) -> int:
    """The packed queue of a message whose message group has that hashCode, or NO_QUEUE."""
    queues = route_of(world, proxy, topic, now_us).queues
    if queues.count == 0 or world.proxy_routes[proxy * world.settings.topics + topic].is_empty == 1:
        return NO_QUEUE
    queue = queues.queues[consistent_place(hash_code, queues.count)]
    return packed(queue.broker, queue.queue_id)


@rule()
def choose_at_proxy(world: World, proxy: int, topic: int, now_us: Us) -> int:
    """The packed queue that a proxy chooses for a message that has come to it, or NO_QUEUE."""
    view = route_of(world, proxy, topic, now_us)
    if world.proxy_routes[proxy * world.settings.topics + topic].is_empty == 1:
        return NO_QUEUE
    if client_of_proxy(world, proxy).strategy_on == 0:
        return select_by_pipeline(view)
    if world.settings.proxies_weigh == 1:
        return select_by_penalty(view, now_us // 1000)
    return select_by_faults(view, now_us // 1000)
