"""What a route that a producer knows says: a version, with the brokers that had created its topic by then."""

from __future__ import annotations

from simulator.client.view import RouteVersion
from simulator.compiled.jit import rule
from simulator.engine.memory.routes import NAMED_MASTER, NOT_NAMED
from simulator.engine.memory.world import World


@rule(inlined=True)
def version_of(world: World, known: int) -> RouteVersion:
    """The version in what is known of a route."""
    return world.versions[known % world.settings.version_count]


@rule(inlined=True)
def has_created(world: World, topic: int, known: int, broker: int) -> int:
    """Whether a broker that the known version names is in the route: always, unless sends create the topic."""
    default = version_of(world, known).default
    if default < 0 or default == known:
        return 1
    place = world.created[topic * world.settings.brokers + broker]
    return 1 if 0 < place <= known // world.settings.version_count else 0


@rule()
def names(world: World, topic: int, known: int, broker: int) -> int:
    """NAMED_MASTER + machine, NAMED_SLAVES or NOT_NAMED: what a known route says of a broker."""
    named = world.masters[known % world.settings.version_count * world.settings.brokers + broker]
    return named if named != NOT_NAMED and has_created(world, topic, known, broker) == 1 else NOT_NAMED


@rule()
def names_master(world: World, producer: int, broker: int) -> int:
    """1 if a route that the producer knows names the broker's master."""
    topics = world.settings.topics
    for topic in range(topics):
        known = world.known_routes[producer * topics + topic]
        if known >= 0 and names(world, topic, known, broker) >= NAMED_MASTER:
            return 1
    return 0
