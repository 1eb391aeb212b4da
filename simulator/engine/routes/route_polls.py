"""What producers know of the topics' routes: polls of the name server, and what a changed route rebuilds.

Only for runs in which a route can change (settings.routes_on). A route that a name server delivers is a version, so
that "not changed" is "the same version". Tests hold what comes of it against a table of routes in plain Python.
"""

from __future__ import annotations

from simulator.client.sending.closing import NEVER
from simulator.client.view import View
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.client_kind import REMOTING
from simulator.engine.memory.routes import (
    NO_ANSWER,
    NO_REPLY,
    NOT_ASKED,
    NOT_EXISTING,
    NOT_NAMED,
    NOTHING_KNOWN,
)
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.world import World
from simulator.engine.routes.addresses import take_addresses
from simulator.engine.routes.known_routes import has_created, names, version_of
from simulator.engine.routes.replaced_routes import copy_queues, hold
from simulator.engine.shared.threads import client_of, row_at, row_count

UNANSWERED, UNREPLIED = -1, -2  # instead of a number of queues
FIRST_POLL_US = 10_000  # after the start of a client


@rule()
def delivered_at(world: World, name_server: int, topic: int, now_us: Us) -> int:
    """Version that a name server delivers, or NOT_EXISTING or NO_ANSWER."""
    times = world.route_times[name_server * world.settings.topics + topic]
    low, high = 0, times.count
    while high - low > 1:
        middle = (low + high) // 2
        if world.deliveries[times.first + middle].at_us <= now_us:
            low = middle
        else:
            high = middle
    return world.deliveries[times.first + low].version


@rule()
def _asked(world: World, producer: int, topic: int, now_us: Us) -> int:
    """The same for a producer, which moves on from its own name server while that does not answer.

    To each of the others in turn, or since 5.3.0 to the next one only: the next request moves on from there. One that
    times out has waited for a single name server; its connection is closed, or (closes_on_timeout) asked again.
    """
    count, before = world.settings.name_servers, world.name_servers[producer]
    own, first = before % count, before - before % count  # of those as this producer sees them
    client = client_of(world, world.producers[producer].first_thread)
    others = min(count - 1, client.name_servers_tried)
    for i in range(1 + others):
        name_server = first + (own + i) % count
        version = delivered_at(world, name_server, topic, now_us)
        if version == NO_REPLY and client.closes_on_timeout != NEVER:
            world.name_servers[producer] = first + (own + i + 1) % count
            return NO_REPLY
        if version != NO_ANSWER:
            world.name_servers[producer] = name_server
            return version
    world.name_servers[producer] = first + (own + others) % count
    return NO_ANSWER


@rule()
def _fill_created(world: World, topic: int, known: int, view: View) -> None:
    """Write the queue list and the write queues of a topic that sends create, for the brokers that have it."""
    version, queues = version_of(world, known), view.queues
    count = 0
    for i in range(version.queues.count):
        entry = version.queues.queues[i]
        if has_created(world, topic, known, entry.broker) == 1:
            queues.count = count + 1
            queues.queues[count].broker = entry.broker
            queues.queues[count].queue_id = entry.queue_id
            count += 1
    queues.count = count
    for broker in range(world.settings.brokers):
        has = has_created(world, topic, known, broker)
        write, own = version.writes.brokers[broker], view.writes.brokers[broker]
        own.write_queue_nums = write.write_queue_nums if has == 1 else -1
        own.is_writeable = write.is_writeable if has == 1 else 0


@rule()
def take_route(world: World, producer: int, topic: int, known: int, now_us: Us) -> None:
    """A new TopicPublishInfo: its queue list, and counters that draw their random start again."""
    topics = world.settings.topics
    take_addresses(world, producer, topic, known, now_us)
    world.known_routes[producer * topics + topic] = known
    version, auto = version_of(world, known), world.auto_topics[topic]
    for place in range(row_count(world, producer)):
        view = world.views[row_at(world, producer, place) * topics + topic]
        if auto.is_created == 1:
            if place == 0:
                _fill_created(world, topic, known, view)
        else:
            if auto.owns_queues == 0:
                view.queues = version.queues
            elif place == 0:
                copy_queues(version.queues, view.queues)
            view.writes = version.writes
        view.counter.seeded = 0
        view.counter.value = 0


@rule()
def _delivered(world: World, topic: int, version: int) -> int:
    """What a producer knows that got `version`; of a topic that sends create NOT_EXISTING until a broker has it."""
    if version < 0 or version_of(world, version).default < 0:
        return version
    known = version + world.created_counts[topic] * world.settings.version_count
    for broker in range(world.settings.brokers):
        if names(world, topic, known, broker) != NOT_NAMED:
            return known
    return NOT_EXISTING


@rule()
def asked_route(world: World, producer: int, topic: int, now_us: Us) -> int:
    """What a producer knows that has asked for a route: or NOT_EXISTING or NO_ANSWER."""
    return _delivered(world, topic, _asked(world, producer, topic, now_us))


@rule()
def _is_changed(world: World, topic: int, old: int, new: int) -> int:
    """Whether two routes of a topic differ; versions do, so it is a question only where sends create the topic."""
    if old == new:
        return 0
    before, after = version_of(world, old), version_of(world, new)
    if after.default < 0 or before.default == old:
        return 1
    for broker in range(world.settings.brokers):
        named = names(world, topic, new, broker)
        if named != names(world, topic, old, broker):
            return 1
        if named != NOT_NAMED:
            was, now = before.writes.brokers[broker], after.writes.brokers[broker]
            if was.write_queue_nums != now.write_queue_nums or was.is_writeable != now.is_writeable:
                return 1
    return 0


@rule()
def poll(world: World, now_us: Us) -> int:
    """The producer whose turn it is asks for all topics it sent to; gives when the next one polls.

    An IllegalStateException ends the round: only where each request tries one name server do later ones matter then.
    """
    clock, settings = world.clock, world.settings
    poller = world.pollers[clock.poll_place]
    client = client_of(world, world.producers[poller.producer].first_thread)
    for topic in range(settings.topics if client.kind == REMOTING else 0):
        known = world.known_routes[poller.producer * settings.topics + topic]
        if known == NOT_ASKED:
            continue
        new = asked_route(world, poller.producer, topic, now_us)
        if new <= NO_ANSWER and client.throws_unanswered == 1:
            break
        if new < 0 or (known >= 0 and _is_changed(world, topic, known, new) == 0):
            continue
        if known >= 0:
            hold(world, poller.producer, topic)
        take_route(world, poller.producer, topic, new, now_us)
    clock.poll_place += 1
    if clock.poll_place == settings.producers:
        clock.poll_place = 0
        clock.poll_round_us += settings.poll_period_us
    return clock.poll_round_us + world.pollers[clock.poll_place].phase_us


@rule()
def find(world: World, send: Attempt, now_us: Us) -> int:
    """Number of queues after the name server was asked at once, because nothing usable is known of the topic.

    UNANSWERED if no name server answered, UNREPLIED if that is known only later. No send is under way with a list that
    is empty, so nothing is held.
    """
    topic, topics = send.topic, world.settings.topics
    producer = world.threads[send.thread].producer
    known = world.known_routes[producer * topics + topic]
    asked = _asked(world, producer, topic, now_us)
    new = _delivered(world, topic, asked)
    if new == NOT_EXISTING and known < 0 and asked >= 0:
        new = version_of(world, asked).default
    if new >= 0:
        take_route(world, producer, topic, new, now_us)
    elif known == NOT_ASKED:
        world.known_routes[producer * topics + topic] = NOTHING_KNOWN
    if asked <= NO_ANSWER:
        return UNANSWERED if asked == NO_ANSWER else UNREPLIED
    return world.views[send.thread * topics + topic].queues.count


@rule()
def create_on(world: World, topic: int, broker: int) -> None:
    """A broker that gets the first message of a topic creates it, and registers at once.

    Source: TopicConfigManager.createTopicInSendMessageMethod.
    """
    if world.auto_topics[topic].is_created == 0:
        return
    place = topic * world.settings.brokers + broker
    if world.created[place] == 0:
        world.created_counts[topic] += 1
        world.created[place] = world.created_counts[topic]
