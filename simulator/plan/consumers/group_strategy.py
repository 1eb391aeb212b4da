"""From a group's strategy in the scenario to what allocations read."""

from __future__ import annotations

from simulator.consumer.allocation.fill import Strategy
from simulator.scenario.consuming.consumers import ConsumerGroup, client_ids_of


def distinct_ids(name: str, own: ConsumerGroup) -> list[str]:
    """The client ids of a group, each once, in their order."""
    return list(dict.fromkeys(client_ids_of(name, own).values()))


def id_numbers(name: str, own: ConsumerGroup) -> list[int]:
    """Of each instance, in the order of the instances: which of the distinct ids it has."""
    numbers = {client_id: number for number, client_id in enumerate(distinct_ids(name, own))}
    return [numbers[client_id] for client_id in client_ids_of(name, own).values()]


def group_strategy(own: ConsumerGroup, name: str, topic: str) -> Strategy:
    """The strategy of a group for one of its topics; rooms and lists of instances are by client id."""
    settings, ids = own.strategy_settings, client_ids_of(name, own)
    rooms = settings.instance_rooms or {}
    return Strategy(
        name=own.strategy,
        inner=settings.inner,
        configs={client_id: settings.configured(instance, topic) for instance, client_id in ids.items()},
        consumeridcs=None if settings.consumeridcs is None else frozenset(settings.consumeridcs),
        virtual_nodes=settings.virtual_node_cnt,
        broker_rooms=settings.broker_rooms or {},
        consumer_rooms={client_id: rooms.get(instance) for instance, client_id in ids.items()},
    )
