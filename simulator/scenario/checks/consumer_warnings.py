"""What of consumer groups is probably not meant: instances without a queue, ids that collide, nobody's rooms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from simulator.scenario.checks.invisible_time import invisible_time_warnings
from simulator.scenario.consuming.consumers import ConsumerGroup, client_ids_of, queues_of
from simulator.scenario.consuming.strategies import without_room
from simulator.scenario.scenario import Scenario

EVENLY = ("AVG", "AVG_BY_CIRCLE")


def consumer_warnings(scenario: Scenario) -> Iterator[str]:
    """The warnings, a sentence each, group by group."""
    for name, group in scenario.consumers.items():
        yield from invisible_time_warnings(name, group)
        if not group.is_broadcasting and not group.is_pop:
            yield from _idle(scenario, name, group)
            yield from _colliding(name, group)
            yield from _without_room(scenario, name, group)


def _idle(scenario: Scenario, name: str, group: ConsumerGroup) -> Iterator[str]:
    queues = queues_of(group, scenario.topics, list(scenario.brokers))
    most = max(Counter(topic for topic, _, _ in queues).values(), default=0)
    scaled = group.autoscale
    instances = group.instances if scaled is None or scaled.allow_idle_consumers else group.count
    if group.strategy in EVENLY and instances > most:
        idle = instances - most
        yield (
            f"consumer group {name} has {instances} instances for {most} queue{'s' * (most != 1)}: "
            f"{idle} instance{'s' * (idle != 1)} get{'s' * (idle == 1)} none"
        )


def _colliding(name: str, group: ConsumerGroup) -> Iterator[str]:
    for client_id, times in Counter(client_ids_of(name, group).values()).items():
        if times > 1:
            yield (
                f"{times} instances of consumer group {name} have the client id {client_id}: all of them take the "
                "queues of the first, and nobody takes those of the others"
            )


def _without_room(scenario: Scenario, name: str, group: ConsumerGroup) -> Iterator[str]:
    brokers = sorted({broker for _, broker, _ in queues_of(group, scenario.topics, list(scenario.brokers))})
    missing = without_room(group.strategy, group.strategy_settings, list(client_ids_of(name, group)), brokers)
    if missing:
        yield (
            f"{', '.join(missing)} {'has' if len(missing) == 1 else 'have'} no room: as soon as an instance of "
            f"consumer group {name} sees one without, the strategy throws and it keeps the queues that it has"
        )
