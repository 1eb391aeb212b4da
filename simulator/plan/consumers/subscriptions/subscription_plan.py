"""The subscriptions of the groups, one for each topic of each: what it takes, how long threads are at a message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.compiled.records import Array
from simulator.compiled.region_store import filled
from simulator.consumer.memory.consumer_group import BY_PROPERTIES, BY_TAGS, TAKES_ALL, SubscribedTopic, TagReading
from simulator.consumer.memory.queue_log import TIMES_BITS
from simulator.consumer.rules.tags import passes_tag, tag_code
from simulator.scenario.consuming.consumers import ConsumerGroup
from simulator.scenario.consuming.topic_readings import TopicReading
from simulator.scenario.distributions.message_mix import tag_thresholds
from simulator.scenario.topics import Topic

EVERY = -1


@dataclass(frozen=True)
class SubscriptionPlan:
    """`rows`, `tag_readings`, `latencies`, `tag_edges`: regions; of each row its group, topic and, where that is
    broadcasting, the place of the instance in the group, else EVERY; rows of each group.

    tags: (first, count) of each topic in `tag_edges`.
    """

    rows: Array
    tag_readings: Array
    latencies: Array
    tag_edges: Array
    tags: Array
    groups: Sequence[str]
    topics: Sequence[str]
    instances: Sequence[int]
    counts: Sequence[int]


class _Builder:
    """The tables of times so far, and the tags' readings."""

    def __init__(self) -> None:
        self.latencies: list[Array] = []
        self.readings: list[tuple[int, int, int]] = []

    def table(self, times: Array) -> int:
        """Number of a further table."""
        self.latencies.append(times)
        return len(self.latencies) - 1

    def reading(self, own: TopicReading, tags: Sequence[str], service: int) -> tuple[int, int, int, int]:
        """service, filters, times_by_tag and first_tag of a subscription."""
        if own.service is not None:
            service = self.table(own.service.service_table_us())
        of_tags = {tag: self.table(times.service_table_us()) for tag, times in own.service_of_tags.items()}
        first, heard = len(self.readings), own.subscription
        for tag in tags:
            is_passed = heard.is_all or tag_code(tag) in heard.codes
            self.readings.append((is_passed, passes_tag(heard, tag), of_tags.get(tag, service)))
        by_tags = any(not is_kept for _, is_kept, _ in self.readings[first:])
        filters = BY_PROPERTIES if own.sql is not None else BY_TAGS if by_tags else TAKES_ALL
        return service, filters, int(bool(of_tags)), first


def subscription_plan(
    groups: Mapping[str, ConsumerGroup], topics: Mapping[str, Topic], sizes: Mapping[str, int],
    retry_topics: Mapping[str, Sequence[str]], first_sql: Sequence[int],
) -> SubscriptionPlan:  # fmt: skip
    """The subscriptions, by group and topic, the group's retry topics last; `sizes`: logs of each topic.

    `first_sql`: of each group and topic, its place in `sql_readings`, -1 where it does not filter by properties.
    """
    build, names, places = _Builder(), list(sizes), iter(first_sql)
    rows, bits, first_progress = list[tuple[int, ...]](), dict.fromkeys(sizes, 0), 0
    of_group, of_topic, of_instance = list[str](), list[str](), list[int]()
    for number, (group, own) in enumerate(groups.items()):
        service = build.table(own.service.service_table_us())
        width = 1 if own.is_broadcasting else TIMES_BITS
        notes = int(own.is_pop and not own.mode.in_order)  # a bit says that the group has handled the message
        most = (1 << width - notes) - 1
        readings = {
            topic: build.reading(each, list(topics[topic].tags), service) for topic, each in own.readings.items()
        }
        filtered = {topic: next(places) for topic in own.readings}
        for instance in range(own.count) if own.is_broadcasting else (EVERY,):
            for topic in own.readings:
                place = (number, names.index(topic), first_progress, bits[topic], most)
                rows.append((*place, *readings[topic], 0, filtered[topic]))
                first_progress += sizes[topic]
                bits[topic] += width
                of_group.append(group)
                of_topic.append(topic)
                of_instance.append(instance)
        for topic in retry_topics.get(group, ()):
            rows.append((number, names.index(topic), first_progress, 0, most, service, 0, 0, 0, 1, -1))
            first_progress += sizes[topic]
            of_group.append(group)
            of_topic.append(topic)
            of_instance.append(EVERY)
    columns = np.array(rows, np.int64).T
    fields = (
        "group", "topic", "first_progress", "shift", "times_max", "service", "filters", "times_by_tag", "first_tag",
        "is_retry", "first_sql",
    )  # fmt: skip
    is_passed, is_kept, services = np.array(build.readings, np.int64).reshape(-1, 3).T
    tags = [topics[name].tags if name in topics else {} for name in names]
    edges = [tag_thresholds(own) if own else np.empty(0, np.int64) for own in tags]
    counts = np.array([len(each) for each in edges], np.int64)
    return SubscriptionPlan(
        rows=filled(SubscribedTopic, len(rows), **dict(zip(fields, columns, strict=True))),
        tag_readings=filled(TagReading, len(build.readings), is_passed=is_passed, is_kept=is_kept, service=services),
        latencies=np.concatenate(build.latencies),
        tag_edges=np.concatenate(edges),
        tags=np.stack([np.cumsum(counts) - counts, counts], axis=1),
        groups=of_group,
        topics=of_topic,
        instances=of_instance,
        counts=[of_group.count(group) for group in groups],
    )


def first_subscriptions(groups: Mapping[str, ConsumerGroup], first: Array) -> list[int]:
    """Of each instance: the group's, or where it is broadcasting its own."""
    return [
        int(first[n]) + (i * len(own.readings) if own.is_broadcasting else 0)
        for n, own in enumerate(groups.values())
        for i in range(own.instances)
    ]
