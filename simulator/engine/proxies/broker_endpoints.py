"""The broker that a gRPC client's request goes to in local mode, where each broker has a proxy in its own process.

The routes name the brokers' own endpoints, so the client's choice of a broker counts. As a message begins, the client
takes a queue of as many brokers as it may make attempts, the next ones of its route, without those that it isolated;
where all are, of any. Its attempts go through these in turn. What fails isolates its broker until that answers a
heartbeat, one each 10 s. A route that names a broker which is new to the client, and does not answer, is not taken. The
queue is its proxy's choice: that reads its own route for each message, and a counter that begins at random makes it any
queue. A message with a message group has one queue, and all of its attempts go there.

Clients of other languages differ (GrpcLanguage): some do not leave out what they isolated, have all attempts go to one
broker, or take the next queue for each.

Source: rocketmq-clients java 5.0.0-5.0.8, PublishingLoadBalancer.takeMessageQueues, ProducerImpl.send0 and .isolate,
ClientImpl.doHeartbeat and .onTopicRouteDataFetched; rocketmq 5.0.0-5.3.3, proxy LocalTopicRouteService.
"""

from __future__ import annotations

from simulator import codes
from simulator.client.java_int import wrap_int
from simulator.client.message_queue import broker_of, packed
from simulator.client.selection.selectors import decimal_hash
from simulator.client.sending.grpc_send import BROKERS_IN_TURN, NEXT_QUEUES, ROUTE_REFRESH_US
from simulator.client.sending.message_groups import consistent_place, sip_hash_of_number
from simulator.client.view import QueueList
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.links import NO_PROXY, LocalClient
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.sender_thread import SELECT_BY_HASH
from simulator.engine.memory.world import World
from simulator.engine.proxies.cached_routes import route_of
from simulator.engine.proxies.proxy_process import goes_on_at, is_there
from simulator.engine.routes.known_routes import version_of
from simulator.engine.routes.route_polls import take_route
from simulator.engine.shared.key_names import key_name
from simulator.engine.shared.threads import (
    client_of,
    kind_of,
    message_of,
    producer_of,
    proxy_client,
    row_at,
    view_of,
)
from simulator.kernel.randomness import ATTEMPT_PROXY_QUEUE, attempt_word, below

HEARTBEAT_US = 10_000_000
NO_BROKER = -1


@rule()
def _answers(world: World, broker: int, now_us: Us, wait_us: Us) -> bool:
    """Whether the proxy of a broker answers what it is sent now within that time."""
    return is_there(world, broker, now_us) and goes_on_at(world, broker, now_us, now_us) < now_us + wait_us


@rule()
def _asked_proxy(world: World, first: int, now_us: Us, wait_us: Us) -> int:
    """The first of the client's list that answers a request for a route, or NO_PROXY."""
    for i in range(world.settings.proxies):
        proxy = (first + i) % world.settings.proxies
        if is_there(world, proxy, now_us):
            return proxy if _answers(world, proxy, now_us, wait_us) else NO_PROXY
    return NO_PROXY


@rule()
def _has_queue_on(queues: QueueList, broker: int) -> int:
    """How many queues of a list a broker has."""
    found = 0
    for i in range(queues.count):
        found += int(queues.queues[i].broker == broker)
    return found


@rule()
def _can_be_taken(world: World, before: QueueList, now: QueueList, now_us: Us, wait_us: Us) -> bool:
    """Whether all brokers that are new to a client answer: it takes no route before they have its settings."""
    for i in range(now.count):
        broker = now.queues[i].broker
        if _has_queue_on(before, broker) == 0 and not _answers(world, broker, now_us, wait_us):
            return False
    return True


@rule()
def _ask_for_routes(world: World, producer: int, now_us: Us, wait_us: Us) -> None:
    """The client asks for the routes of its topics; a proxy answers with what it remembers of them."""
    proxy = _asked_proxy(world, world.grpc_clients[producer].first, now_us, wait_us)
    if proxy == NO_PROXY:
        return
    topics = world.settings.topics
    for topic in range(topics):
        route_of(world, proxy, topic, now_us)
        known = world.known_routes[proxy_client(world, proxy) * topics + topic]
        if known >= 0 and known != world.known_routes[producer * topics + topic]:
            before = view_of(world, row_at(world, producer, 0), topic).queues
            if _can_be_taken(world, before, version_of(world, known).queues, now_us, wait_us):
                take_route(world, producer, topic, known, now_us)


@rule()
def _free_isolated(world: World, own: LocalClient, queues: QueueList, now_us: Us, wait_us: Us) -> None:
    """Heartbeats, or answers: a broker of the client's routes is isolated no longer once it has answered."""
    own.answered_us = 0
    for broker in range(world.settings.brokers):
        bit = 1 << broker
        if own.isolated & bit != 0 and _has_queue_on(queues, broker) > 0 and _answers(world, broker, now_us, wait_us):
            answered_us = goes_on_at(world, broker, now_us, now_us)
            if answered_us > now_us:
                own.answered_us = answered_us
            else:
                own.isolated &= ~bit


@rule()
def _catch_up(world: World, send: Attempt, now_us: Us) -> None:
    """What the client's timers have done since its last attempt: they ask for routes, and send heartbeats."""
    producer = producer_of(world, send)
    client, own = world.grpc_clients[producer], world.local_clients[producer]
    wait_us = client_of(world, send.thread).send_msg_timeout_ms * 1000
    if now_us >= client.refresh_us:
        client.refresh_us += ((now_us - client.refresh_us) // ROUTE_REFRESH_US + 1) * ROUTE_REFRESH_US
        if world.settings.routes_on == 1:
            _ask_for_routes(world, producer, now_us, wait_us)
    queues = view_of(world, send.thread, send.topic).queues
    if 0 < own.answered_us <= now_us:
        _free_isolated(world, own, queues, now_us, wait_us)
    if now_us >= own.heartbeat_us:
        own.heartbeat_us += ((now_us - own.heartbeat_us) // HEARTBEAT_US + 1) * HEARTBEAT_US
        if own.isolated != 0:
            _free_isolated(world, own, queues, now_us, wait_us)


@rule()
def _candidates(world: World, queues: QueueList, index: int, excluded: int, most: int) -> int:
    """How many brokers the attempts of a message go to; the packed queue of each is written to world.scratch."""
    count = 0
    for i in range(queues.count):
        if count >= most:
            break
        queue = queues.queues[(index + i) % queues.count]
        is_new = (excluded >> queue.broker) & 1 == 0
        for k in range(count):
            is_new = is_new and broker_of(world.scratch[k]) != queue.broker
        if is_new:
            world.scratch[count] = packed(queue.broker, queue.queue_id)
            count += 1
    return count


@rule()
def _broker_of_group(world: World, send: Attempt, queues: QueueList) -> int:
    """The same of a message with a message group, whether its broker is isolated or not."""
    if queues.count == 0:
        return NO_BROKER
    name = key_name(world.settings.seed, message_of(world, send).key)
    send.broker = queues.queues[sip_hash_of_number(name) % queues.count].broker
    send.queue_id = consistent_place(decimal_hash(name), _has_queue_on(queues, send.broker))
    send.reason = codes.PICK_BY_GROUP
    return send.broker


@rule()
def take_broker_now(world: World, send: Attempt, now_us: Us) -> int:
    """The broker of the next attempt, NO_BROKER without a route: writes it and a queue into the attempt."""
    _catch_up(world, send, now_us)
    producer, part = producer_of(world, send), world.proxied_parts[send.number]
    client = client_of(world, send.thread)
    if send.attempt == 1 or client.tries == NEXT_QUEUES:
        place = producer * world.settings.topics + send.topic
        part.index = world.balancers[place]
        part.excluded = world.local_clients[producer].isolated if client.isolates == 1 else 0
        world.balancers[place] = wrap_int(part.index + 1)
    queues = view_of(world, send.thread, send.topic).queues
    most = client.attempts_total if client.tries == BROKERS_IN_TURN else 1
    if kind_of(world, send.thread).selector == SELECT_BY_HASH:
        return _broker_of_group(world, send, queues)
    count = _candidates(world, queues, part.index, part.excluded, most)
    if count == 0:
        count = _candidates(world, queues, part.index, 0, most)
    if count == 0:
        return NO_BROKER
    send.broker = broker_of(world.scratch[(send.attempt - 1) % count])
    word = attempt_word(send.draw, ATTEMPT_PROXY_QUEUE, send.attempt)
    send.queue_id = below(word, _has_queue_on(queues, send.broker))
    send.reason = codes.PICK_ENDPOINTS
    return send.broker


@rule(inlined=True)
def isolate(world: World, send: Attempt) -> None:
    """An attempt has failed: its broker is isolated."""
    world.local_clients[producer_of(world, send)].isolated |= 1 << send.broker
