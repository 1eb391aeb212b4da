"""What of consumer groups is probably not meant: instances without a queue, ids that collide, pops that escape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from simulator.scenario.checks.group_load import EVENLY, instances_of
from simulator.scenario.checks.held_over_proxies import held_warnings
from simulator.scenario.checks.invisible_time import invisible_time_warnings
from simulator.scenario.consuming.consumers import ConsumerGroup, client_ids_of, queues_of
from simulator.scenario.consuming.strategies import without_room
from simulator.scenario.scenario import Scenario
from simulator.scenario.texts.warning_texts import WarningTexts


def consumer_warnings(scenario: Scenario) -> Iterator[str]:
    """The warnings, a sentence each, group by group."""
    for name, group in scenario.consumers.items():
        yield from invisible_time_warnings(name, group)
        yield from held_warnings(name, group, scenario.proxies)
        yield from _escaping(scenario, name, group)
        if not group.is_broadcasting and not group.is_pop:
            yield from _idle(scenario, name, group)
            yield from _colliding(name, group)
            yield from _without_room(scenario, name, group)


def _escaping(scenario: Scenario, name: str, group: ConsumerGroup) -> Iterator[str]:
    """Pops in order at a slave that acts for its master, and check points on other brokers, are not modelled."""
    read = sorted({broker for _, broker, _ in queues_of(group, scenario.topics, list(scenario.brokers))})
    struck = {period.broker for period in scenario.fault_periods()}
    acted_for = [broker for broker in read if scenario.brokers[broker].is_acted_for]
    escaping = [broker for broker in acted_for if scenario.brokers[broker].escapes]
    others = [broker for broker in acted_for if broker in struck and broker not in escaping]
    if group.is_pop and escaping:
        yield WarningTexts.ESCAPING_POPS(group=name, brokers=", ".join(escaping))
    if group.is_pop and group.mode.in_order and others and scenario.name_servers.support_acting_master:
        yield WarningTexts.ACTING_FOR_POPS(group=name, brokers=", ".join(others))


def _idle(scenario: Scenario, name: str, group: ConsumerGroup) -> Iterator[str]:
    queues = queues_of(group, scenario.topics, list(scenario.brokers))
    most = max(Counter(topic for topic, _, _ in queues).values(), default=0)
    instances = instances_of(scenario, group)
    if group.strategy in EVENLY and instances > most:
        idle = instances - most
        has = "has" if group.autoscale is None else "can have"
        yield WarningTexts.MORE_INSTANCES_THAN_QUEUES(group=name, has=has, instances=instances, queues=most, idle=idle)


def _colliding(name: str, group: ConsumerGroup) -> Iterator[str]:
    for client_id, times in Counter(client_ids_of(name, group).values()).items():
        if times > 1:
            yield WarningTexts.SAME_CLIENT_ID(instances=times, group=name, client_id=client_id)


def _without_room(scenario: Scenario, name: str, group: ConsumerGroup) -> Iterator[str]:
    brokers = sorted({broker for _, broker, _ in queues_of(group, scenario.topics, list(scenario.brokers))})
    missing = without_room(group.strategy, group.strategy_settings, list(client_ids_of(name, group)), brokers)
    if missing:
        yield WarningTexts.WITHOUT_ROOM(missing=", ".join(missing), count=len(missing), group=name)
