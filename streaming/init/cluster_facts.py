"""What is known of a cluster, each value with where it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from streaming.texts.init_texts import InitTexts

T = TypeVar("T")

# Topics and groups of RocketMQ itself: rocketmq 5.3.3, TopicValidator and MixAll; 4.x has fewer.
OWN_TOPIC = re.compile(
    r"%|RMQ_SYS_|rmq_sys_|(?:SCHEDULE_TOPIC_XXXX|TBW102|BenchmarkTest|SELF_TEST_TOPIC|OFFSET_MOVED_EVENT)$|\w+_REPLY_TOPIC$"
)
OWN_GROUP = re.compile(
    r"(?:TOOLS_CONSUMER|CLIENT_INNER_PRODUCER|SELF_TEST_|CID_|FILTERSRV_|%|DEFAULT_CONSUMER$|SCHEDULE_CONSUMER$)"
)


def whole_name(name: str, columns: Sequence[int], known: Iterable[str]) -> str:
    """The one known name that begins with a name that is as long as its column; the name itself otherwise.

    Raises ValueError where several known names begin so.
    """
    names = sorted(known)
    if len(name) not in columns or name in names:
        return name
    longer = [own for own in names if own.startswith(name)]
    if len(longer) > 1:
        raise ValueError(InitTexts.NAME_CUT(name=name, length=len(name), longer=", ".join(longer)))
    return longer[0] if longer else name


@dataclass(frozen=True)
class Sourced(Generic[T]):
    """A value and its evidence. is_sure: False where its unit is not certain."""

    value: T
    source: str
    is_sure: bool = True


@dataclass(frozen=True)
class QueuesSeen:
    """Queues of a topic on a broker; permission as rocketmq's PermName: 4 read, 2 write."""

    read: int
    write: int
    permission: int = 6


@dataclass
class BrokerFacts:
    """Of one broker name. settings: keys of a scenario. put_ms: puts by the longest time of their class.

    members: broker ids by their evidence, 0 the master; replicas: brokers that a controller chooses the master from;
    addresses: of those that the controller itself, or a broker's epochs, names.
    mode: who elects its master, if anybody does; set_settings: keys of a scenario that only such a set has.
    put_per_s: messages stored a second.
    """

    address: str | None = None
    release: Sourced[str] | None = None
    members: dict[int, str] = field(default_factory=dict)
    replicas: set[str] = field(default_factory=set)
    addresses: set[str] = field(default_factory=set)
    settings: dict[str, Sourced[Any]] = field(default_factory=dict)
    mode: Sourced[str] | None = None
    set_settings: dict[str, Sourced[Any]] = field(default_factory=dict)
    put_per_s: Sourced[float] | None = None
    put_ms: Sourced[dict[float, int]] | None = None
    put_99_ms: Sourced[float] | None = None
    stored_bytes: Sourced[float] | None = None
    latency: Sourced[str] | None = None
    default_queues: int | None = None

    def take_over(self, other: BrokerFacts) -> None:
        """Take what is not known yet from what another file says of the same broker."""
        for name in ("address", "release", "mode", "put_per_s", "put_ms", "put_99_ms", "stored_bytes", "latency"):
            if getattr(self, name) is None:
                setattr(self, name, getattr(other, name))
        self.members = {**other.members, **self.members}
        self.settings = {**other.settings, **self.settings}
        self.set_settings = {**other.set_settings, **self.set_settings}

    @property
    def slaves(self) -> int:
        """Brokers of the name beside the master."""
        known = max(len(self.replicas), len(self.addresses))
        return max(sum(1 for broker_id in self.members if broker_id), known - 1)

    @property
    def has_master(self) -> bool:
        """False only where every broker seen of this name is a slave."""
        return not self.members or 0 in self.members


@dataclass
class TopicFacts:
    """Of one topic. stored: messages on disk, or since the brokers' start. per_s: at the cluster's peak."""

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
    versions_source: str = "producerConnection"
    topics: dict[str, float] = field(default_factory=dict)
    rate_per_s: Sourced[float] | None = None
    threads: Sourced[int] | None = None
    mode: Sourced[str] | None = None


@dataclass
class ConsumerFacts:
    """Of one consumer group. at_capacity_per_s: consumed while the backlog grew, which is all that it can.

    topics: with the evidence; expressions: tags of a topic, where they are not all. settings: keys of a scenario that
    its instances print of themselves; answered: how many did; handled: their service times in ms, and messages a
    second. pops: an instance showed it, which its kind does not: heartbeats of a group that pops are of one that is
    pushed to. grpc_clients: the evidence that its instances are gRPC clients, "" if there is none.
    """

    count: Sourced[int] | None = None
    version: Sourced[str] | None = None
    model: Sourced[str] | None = None
    kind: str | None = None
    pops: bool = False
    begins: Sourced[str] | None = None
    expressions: dict[str, Sourced[str]] = field(default_factory=dict)
    topics: dict[str, str] = field(default_factory=dict)
    per_s: Sourced[float] | None = None
    behind: Sourced[int] | None = None
    service_ms: Sourced[float] | None = None
    at_capacity_per_s: Sourced[float] | None = None
    threads: Sourced[int] | None = None
    settings: dict[str, Sourced[Any]] = field(default_factory=dict)
    in_order: bool = False
    answered: int = 0
    handled: list[tuple[float, float]] = field(default_factory=list)
    grpc_clients: str = ""


@dataclass
class ProxyFacts:
    """Of the proxies. count: how many are known; modes: CLUSTER, LOCAL; settings: keys of a scenario."""

    count: int = 0
    modes: set[str] = field(default_factory=set)
    settings: dict[str, Sourced[Any]] = field(default_factory=dict)


@dataclass
class ClusterFacts:
    """Everything that the files say. owners: the broker's name and id at an address."""

    name: Sourced[str] | None = None
    brokers: dict[str, BrokerFacts] = field(default_factory=dict)
    topics: dict[str, TopicFacts] = field(default_factory=dict)
    producers: dict[str, ProducerFacts] = field(default_factory=dict)
    consumers: dict[str, ConsumerFacts] = field(default_factory=dict)
    proxies: ProxyFacts = field(default_factory=ProxyFacts)
    client: dict[str, Sourced[Any]] = field(default_factory=dict)
    per_s: list[Sourced[float]] = field(default_factory=list)
    all_brokers: BrokerFacts = field(default_factory=BrokerFacts)
    owners: dict[str, tuple[str, int]] = field(default_factory=dict)
    minutes: dict[str, dict[tuple[str, str], float]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """A remark for the head of the scenario, once."""
        if text not in self.notes:
            self.notes.append(text)

    def member(self, name: str, broker_id: int, address: str | None, source: str) -> BrokerFacts:
        """The broker name that a master (id 0) or a slave belongs to, which is known from now on."""
        broker = self.named_broker(name, address) if broker_id == 0 else self.broker(name)
        broker.members.setdefault(broker_id, source)
        if address is not None:
            self.owners.setdefault(address, (name, broker_id))
        return broker

    def is_slave(self, address: str | None) -> bool:
        """Whether the address is known to be a slave's."""
        return address in self.owners and self.owners[address][1] != 0

    def broker(self, name: str) -> BrokerFacts:
        """The broker of that name, new if it is."""
        return self.brokers.setdefault(name, BrokerFacts())

    def broker_at(self, address: str | None) -> BrokerFacts:
        """The broker at an address; what is known of none in particular is of all."""
        if address is None:
            return self.all_brokers
        if address in self.owners:
            return self.broker(self.owners[address][0])
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

    def whole_topic(self, name: str, columns: Sequence[int]) -> str:
        """A topic's whole name, where a table cuts names at one of these lengths and another file has it."""
        return whole_name(name, columns, self.topics)

    def whole_group(self, name: str, columns: Sequence[int]) -> str:
        """A consumer group's whole name, likewise."""
        return whole_name(name, columns, self.consumers)

    def whole_broker(self, name: str, columns: Sequence[int]) -> str:
        """A broker's whole name, likewise."""
        return whole_name(name, columns, self.brokers)

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
