"""Which part of a topic's messages a subscription takes."""

from __future__ import annotations

from simulator.consumer.rules.tags import passes_tag
from simulator.scenario.consuming.sql_filter import PropertyMix, dialects, mix_of, shares_of
from simulator.scenario.consuming.topic_readings import TopicReading
from simulator.scenario.scenario import Scenario


def taken_of(scenario: Scenario, topic: str, reading: TopicReading) -> dict[str | None, float]:
    """Which part of a topic's messages a reading takes, by tag; None: they have no tags."""
    tags, heard = scenario.topics[topic].tags, reading.subscription
    if not tags:
        return {None: _by_sql(scenario, topic, reading, None)}
    total = sum(tags.values())
    return {
        tag: weight / total * _by_sql(scenario, topic, reading, tag)
        for tag, weight in tags.items()
        if heard.is_all or passes_tag(heard, tag)
    }


def _by_sql(scenario: Scenario, topic: str, reading: TopicReading, tag: str | None) -> float:
    """The share that an expression takes: of groups of producers, the mean by what they send as the run begins."""
    if reading.sql is None:
        return 1.0
    taken = sent = 0.0
    for group in scenario.producers:
        if topic in group.topics:
            share = group.topics[topic] / sum(group.topics.values())
            weight = share * group.count * (float(group.rate_at(0)) or group.threads)
            taken += weight * _share(scenario, reading.sql, mix_of(scenario.topics[topic], group), tag)
            sent += weight
    return taken / sent if sent else _share(scenario, reading.sql, mix_of(scenario.topics[topic]), tag)


def _share(scenario: Scenario, sql: str, mix: PropertyMix, tag: str | None) -> float:
    return shares_of(sql, next(dialects(scenario.brokers)), mix if tag is None else mix.with_tag(tag))[0]
