"""Assignments: a PushConsumer asks its proxy every 5 s, and receives from every broker of the proxy's route.

Nobody owns a queue, and no instance needs to know of another: all receive from all brokers. A group that consumes in
order is assigned all queues, but each of its receives, too, pops any queue of the broker.
Source: rocketmq-clients java 5.0.0-5.0.8, PushConsumerImpl.scanAssignments, .pickEndpointsToQueryAssignments; rocketmq
5.3.3, proxy RouteActivity.queryAssignment.
"""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.consumer.links.instance_routes import readable_queues
from simulator.consumer.links.proxy_choice import answering_proxy
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import NO_PULL, POP_ANSWERED, POP_DUE, POP_FAILED
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.proxied.proxied_client import NO_PROXY
from simulator.consumer.pop.assignment import ASSIGNED, UNASSIGNED, let_others_go, stands_for, take_missing
from simulator.consumer.pop.pop_answers import forget_answer
from simulator.consumer.proxied.routes_at_proxies import route_at_proxy
from simulator.consumer.shared.queue_progress import count_owners, progress_of
from simulator.engine.memory.settings import FAR

SHARED = 1  # a receive takes messages of all queues of its broker


@rule()
def _asked_proxy(world: ConsumerWorld, number: int, topic: int, now_us: Us) -> int:
    """The proxy that is asked for an assignment: in local mode that of the broker of the next queue of the route."""
    queues = readable_queues(world, number, topic)
    if world.settings.proxies_local == 0 or queues == 0:
        return answering_proxy(world, number, now_us)
    client = world.proxied[number]
    place = world.listed_queues[client.receives % queues]
    client.receives += 1
    broker = world.logs[world.log_topics[topic].first_log + place].broker
    side = world.proxies[broker]
    return NO_PROXY if side.is_away == 1 or side.stands_still == 1 else broker


@entry
def scan_assignments(world: ConsumerWorld, number: int, subscription: int, now_us: Us) -> int:
    """A scan of an instance for a topic; without an answer it keeps what it has."""
    own = world.subscriptions[subscription]
    if own.is_retry == 1:
        return 1
    proxy = _asked_proxy(world, number, own.topic, now_us)
    if proxy == NO_PROXY:
        return 1
    version = route_at_proxy(world, proxy, own.topic, now_us)
    if version < 0:
        return 1
    world.known_versions[number * world.settings.topics + own.topic] = version
    queues = readable_queues(world, number, own.topic)
    if queues == 0:  # FORBIDDEN: no readable queue
        return 1
    topic, by_queue = world.log_topics[own.topic], world.groups[own.group].proxied.by_queue
    for place in range(topic.logs):
        world.marks[place] = UNASSIGNED
    for i in range(queues):
        place = world.listed_queues[i]
        if by_queue == 0:
            place = stands_for(world, own.topic, world.logs[topic.first_log + place].broker)
        world.marks[place] = ASSIGNED
    let_others_go(world, number, subscription, SHARED, now_us)
    take_missing(world, number, subscription, SHARED, now_us)
    return 1


@entry
def lose_received(world: ConsumerWorld, at: int, now_us: Us) -> int:
    """The instance does not receive there any more. What its proxy has asked for goes on, whatever becomes of it."""
    holding = world.holdings[at]
    is_gone = world.instances[holding.instance].is_up == 0
    if holding.state == POP_DUE or holding.state == POP_FAILED or (holding.state == POP_ANSWERED and is_gone):
        holding.state = NO_PULL
        holding.due_us = FAR
    if is_gone and holding.state == NO_PULL and holding.first_found != NOBODY:
        forget_answer(world, holding)
    count_owners(world, progress_of(world, holding.subscription, holding.log), 1, now_us)
    return 0
