"""What is known of a cluster, each value with where it comes from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

T = TypeVar("T")

# Topics and groups of RocketMQ itself: rocketmq 5.3.3, TopicValidator and MixAll; 4.x has fewer.
OWN_TOPIC = re.compile(
    r"%|RMQ_SYS_|rmq_sys_|(?:SCHEDULE_TOPIC_XXXX|TBW102|BenchmarkTest|SELF_TEST_TOPIC|OFFSET_MOVED_EVENT)$|\w+_REPLY_TOPIC$"
)
OWN_GROUP = re.compile(
    r"(?:TOOLS_CONSUMER|CLIENT_INNER_PRODUCER|SELF_TEST_|CID_|FILTERSRV_|%|DEFAULT_CONSUMER$|SCHEDULE_CONSUMER$)"
)


@dataclass(frozen=True)
class Sourced(Generic[T]):
    """A value and its evidence."""

    value: T
    source: str


@dataclass(frozen=True)
class QueuesSeen:
    """Queues of a topic on a broker; permission as rocketmq's PermName: 4 read, 2 write."""

    read: int
    write: int
    permission: int = 6


@dataclass
class BrokerFacts:
    """Of one broker name. settings: keys of a scenario. put_ms: puts by the longest time of their class."""

    address: str | None = None
    release: Sourced[str] | None = None
    slaves: int = 0
    settings: dict[str, Sourced[Any]] = field(default_factory=dict)
    put_per_s: Sourced[float] | None = None
    put_ms: Sourced[dict[float, int]] | None = None
    put_99_ms: Sourced[float] | None = None
    stored_bytes: Sourced[float] | None = None
    latency: Sourced[str] | None = None
    default_queues: int | None = None


@dataclass
class TopicFacts:
    """Of one topic. stored: messages on disk. per_s: at the cluster's peak."""

    queues: dict[str, QueuesSeen] = field(default_factory=dict)
    queues_source: str = ""
    stored: Sourced[int] | None = None
    per_s: Sourced[float] | None = None
    stored_bytes: Sourced[float] | None = None
    body_bytes: Sourced[int] | None = None


@dataclass
class ProducerFacts:
    """Of one producer group. topics: empty if no file says which. rate_per_s: of one producer."""

    count: Sourced[int] | None = None
    versions: set[str] = field(default_factory=set)
    topics: dict[str, float] = field(default_factory=dict)
    rate_per_s: Sourced[float] | None = None
    threads: Sourced[int] | None = None
    mode: Sourced[str] | None = None


@dataclass
class ConsumerFacts:
    """Of one consumer group. at_capacity_per_s: consumed while the backlog grew, which is all that it can."""

    count: Sourced[int] | None = None
    version: Sourced[str] | None = None
    model: str | None = None
    kind: str | None = None
    topics: dict[str, str] = field(default_factory=dict)
    per_s: Sourced[float] | None = None
    behind: Sourced[int] | None = None
    service_ms: Sourced[float] | None = None
    at_capacity_per_s: Sourced[float] | None = None


@dataclass
class ClusterFacts:
    """Everything that the files say."""

    name: Sourced[str] | None = None
    brokers: dict[str, BrokerFacts] = field(default_factory=dict)
    topics: dict[str, TopicFacts] = field(default_factory=dict)
    producers: dict[str, ProducerFacts] = field(default_factory=dict)
    consumers: dict[str, ConsumerFacts] = field(default_factory=dict)
    client: dict[str, Sourced[Any]] = field(default_factory=dict)
    per_s: list[Sourced[float]] = field(default_factory=list)
    all_brokers: BrokerFacts = field(default_factory=BrokerFacts)
    notes: list[str] = field(default_factory=list)

    def broker(self, name: str) -> BrokerFacts:
        """The broker of that name, new if it is."""
        return self.brokers.setdefault(name, BrokerFacts())

    def broker_at(self, address: str | None) -> BrokerFacts:
        """The broker at an address; what is known of none in particular is of all."""
        if address is None:
            return self.all_brokers
        for facts in self.brokers.values():
            if facts.address == address:
                return facts
        facts = self.broker(address)
        facts.address = address
        return facts

    def named_broker(self, name: str, address: str | None) -> BrokerFacts:
        """The broker of that name, which so far may be known by its address alone."""
        if address is not None and address in self.brokers and name not in self.brokers:
            self.brokers[name] = self.brokers.pop(address)
        facts = self.broker(name)
        facts.address = facts.address or address
        return facts

    def topic(self, name: str) -> TopicFacts | None:
        """The topic of that name, new if it is; None for one of RocketMQ's own."""
        if OWN_TOPIC.match(name) or name in self.brokers or (self.name and name == self.name.value):
            return None
        return self.topics.setdefault(name, TopicFacts())

    def producer(self, group: str) -> ProducerFacts | None:
        """The producer group of that name, None for one of RocketMQ's own."""
        return None if OWN_GROUP.match(group) else self.producers.setdefault(group, ProducerFacts())

    def consumer(self, group: str) -> ConsumerFacts | None:
        """The consumer group of that name, None for one of RocketMQ's own."""
        return None if OWN_GROUP.match(group) else self.consumers.setdefault(group, ConsumerFacts())
