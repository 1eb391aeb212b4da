"""The receives of a SimpleConsumer: each goes to the broker of the next queue of its route, and pops any queue there.

Where the proxy's route does not have that broker any more, the proxy takes another.
Source: rocketmq-clients java 5.0.0-5.0.8, SimpleConsumerImpl.receive0, SubscriptionLoadBalancer; rocketmq 5.3.3, proxy
ReceiveMessageActivity.ReceiveMessageQueueSelector.
"""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.consumer.links.instance_routes import readable_queues
from simulator.consumer.links.proxy_choice import answering_proxy
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import POP_DUE, POP_FAILED
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.proxied.proxied_client import NO_PROXY
from simulator.consumer.pop.assignment import stands_for
from simulator.consumer.proxied.receiving import send_receive
from simulator.consumer.proxied.routes_at_proxies import knows_broker, route_at_proxy
from simulator.consumer.proxied.scanned_assignments import SHARED
from simulator.consumer.shared.holdings import group_of, pop_at, take
from simulator.consumer.shared.queue_progress import count_owners, progress_of
from simulator.engine.memory.settings import FAR


@entry
def refresh_routes(world: ConsumerWorld, number: int, subscription: int, now_us: Us) -> int:
    """The client asks for the route of a topic; with the first answer its threads begin to receive."""
    own, instance = world.subscriptions[subscription], world.instances[number]
    proxy = answering_proxy(world, number, now_us)
    if own.is_retry == 1 or proxy == NO_PROXY:
        return 1
    version = route_at_proxy(world, proxy, own.topic, now_us)
    if version >= 0:
        world.known_versions[number * world.settings.topics + own.topic] = version
    if instance.first_holding == NOBODY and readable_queues(world, number, own.topic) > 0:
        for i in range(instance.workers):
            _begin(world, number, subscription, instance.first_worker + i, now_us)
    return 1


@rule()
def _begin(world: ConsumerWorld, number: int, subscription: int, worker: int, now_us: Us) -> None:
    """A thread of the application begins its loop."""
    log = world.log_topics[world.subscriptions[subscription].topic].first_log + world.listed_queues[0]
    at = take(world, number, subscription, log, FAR, now_us)
    world.holdings[at].is_shared = SHARED
    world.holdings[at].worker = worker
    count_owners(world, progress_of(world, subscription, log), -1, now_us)  # a queue that is popped has none
    pop_at(world, at, POP_DUE, now_us + 1)


@rule()
def receive_simply(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A thread of the application calls receive()."""
    holding = world.holdings[number]
    instance, client = world.instances[holding.instance], world.proxied[holding.instance]
    topics, turn = instance.subscriptions // 2, client.receives
    client.receives += 1
    subscription = instance.first_subscription + turn % topics
    topic = world.subscriptions[subscription].topic
    queues = readable_queues(world, holding.instance, topic)
    if queues == 0:
        pop_at(world, number, POP_FAILED, now_us + 1)
        return
    first_log = world.log_topics[topic].first_log
    broker = world.logs[first_log + world.listed_queues[turn // topics % queues]].broker
    if not knows_broker(world, client.proxy, topic, broker, now_us):
        broker = _other_broker(world, client.proxy, topic, turn, broker, now_us)
    holding.subscription = subscription
    holding.log = first_log + stands_for(world, topic, broker)
    holding.most = group_of(world, holding).pop.batch
    send_receive(world, number, now_us)


@rule()
def _other_broker(world: ConsumerWorld, proxy: int, topic: int, turn: int, broker: int, now_us: Us) -> int:
    """The broker that a proxy takes in place of one that it does not know."""
    version, brokers = route_at_proxy(world, proxy, topic, now_us), world.settings.brokers
    for i in range(brokers if version >= 0 else 0):
        other = (turn + i) % brokers
        if world.route_queues[version * brokers + other] > 0:
            return other
    return broker
