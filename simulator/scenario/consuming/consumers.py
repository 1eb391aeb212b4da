"""The consumers of a scenario: groups of alike application processes that read topics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PlainSerializer, model_validator

from simulator.client.faults.hash_order import java_order
from simulator.consumer.allocation.names import Queue
from simulator.consumer.queue_log.queue_log import BYTES_SHIFT, TIMES_BITS
from simulator.scenario.client_settings import Release
from simulator.scenario.consuming.autoscale import Autoscale
from simulator.scenario.consuming.group_backlog import Backlog, backlog_problems, rates_at_the_begin
from simulator.scenario.consuming.handling import Handling
from simulator.scenario.consuming.strategies import StrategyName, StrategySettings, strategy_problems
from simulator.scenario.consuming.topic_readings import (
    READINGS,
    TimeOfMessage,
    TopicReading,
    TopicReadings,
    reading_problems,
    readings_text,
)
from simulator.scenario.faults.targets import struck_instances
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.reading.fields import (
    CLIENT_TIME_MAX_MS,
    DURATION_MS_TEXT,
    Text,
    TimeUs,
    choice,
    duration_ms,
    named_as,
    sorted_by_name,
    whole,
)
from simulator.scenario.reading.scenario_error import Path, Problem, raise_any
from simulator.scenario.topics import Topic, TopicName

INSTANCES_MAX = 10_000
THREADS_MAX = 1_000  # DefaultMQPushConsumerImpl.checkConfig
BATCH_MAX = 1_024
PULL_BATCH_MAX = 1_024
LIMIT_MAX = 65_535
SIZE_LIMIT_MAX_MIB = 1_024
READERS_TEXT = (
    f"at most {BYTES_SHIFT // TIMES_BITS} groups, or {BYTES_SHIFT} broadcasting instances; "
    f"{TIMES_BITS} of these count as a group"
)
NO_SETTINGS = StrategySettings.model_validate({})
EVERYTHING = TopicReading.model_validate({})
DROPS = "a broadcasting group drops what fails, and nothing comes again"
MESSAGE_MODELS = ("CLUSTERING", "BROADCASTING")
FROM_WHERE = ("CONSUME_FROM_LAST_OFFSET", "CONSUME_FROM_FIRST_OFFSET", "CONSUME_FROM_TIMESTAMP")


PullIntervalMs = Annotated[int, duration_ms(0, CLIENT_TIME_MAX_MS), DURATION_MS_TEXT]


class ConsumerGroup(Handling):
    """`count` instances of a push consumer. Defaults: DefaultMQPushConsumer 4.2.0 to 5.3.3.

    `release` is None for that of the producers.
    """

    topic: TopicName | None = Field(None, title="the name of a topic", description="what it reads")
    topics: Annotated[TopicReadings, READINGS, PlainSerializer(readings_text)] | None = Field(
        None, title="a list of topics, or a mapping of topic to tag expression such as {orders: TagA || TagB}",
        description="what it reads, instead of topic",
    )  # fmt: skip
    count: Annotated[int, whole(1, INSTANCES_MAX)] = Field(1, description="instances, each a process of its own")
    autoscale: Autoscale | None = Field(
        None, title="a mapping such as {threshold: 1000, most: 8}",
        description="instances start and stop by the lag; count is how many there are at the start",
    )  # fmt: skip
    threads: Annotated[int, whole(1, THREADS_MAX)] = Field(
        20, description="consume threads of an instance (consumeThreadMin)"
    )
    service: TimeOfMessage = Field(
        title="a duration such as 50ms or a distribution such as {exponential: {mean: 50ms}}",
        description="how long a thread is at one message",
    )  # fmt: skip
    release: Release | None = Field(
        None, title="a release such as 5.3.3", description="whose rules the group follows; default the producers'"
    )
    message_model: Annotated[Literal["CLUSTERING", "BROADCASTING"], choice(*MESSAGE_MODELS)] = Field(
        "CLUSTERING", description="BROADCASTING: each instance reads every queue, from offsets in a file of its own"
    )
    client_ids: tuple[Text, ...] | None = Field(
        None, title="a list of texts such as [10.0.0.5@1, 10.0.0.6@1]",
        description="client ids of the instances, which decide their order; two with the same id share badly; "
        "default their names",
    )  # fmt: skip
    strategy: StrategyName = Field("AVG", description="allocateMessageQueueStrategy: how instances share the queues")
    strategy_settings: StrategySettings = Field(
        NO_SETTINGS, title="a mapping such as {consumeridcs: [room1]}", description="settings of the strategy, by name"
    )
    consume_from_where: Annotated[
        Literal["CONSUME_FROM_LAST_OFFSET", "CONSUME_FROM_FIRST_OFFSET", "CONSUME_FROM_TIMESTAMP"],
        choice(*FROM_WHERE),
    ] = Field(
        "CONSUME_FROM_LAST_OFFSET",
        description="where a queue without an offset begins, once its first message expired or is on the disk",
    )
    consume_timestamp_us: TimeUs = Field(
        0, alias="consume_timestamp", title="a moment of the run such as 40s",
        description="where CONSUME_FROM_TIMESTAMP begins: with what was stored from then on",
    )  # fmt: skip
    backlog: Backlog = Field(
        None, title="a number of messages such as 12311, a duration such as 10m, or a mapping of brokers to numbers",
        description="messages that were stored before the run begins and that the group has not consumed; default none",
    )  # fmt: skip
    consume_message_batch_max_size: Annotated[int, whole(1, BATCH_MAX)] = Field(
        1, description="messages that a thread takes at once"
    )
    pull_batch_size: Annotated[int, whole(1, PULL_BATCH_MAX)] = Field(
        32, description="messages of a pull; a broker gives at most 32"
    )
    pull_interval_ms: PullIntervalMs = Field(0, alias="pull_interval", description="between two pulls of a queue")
    pull_threshold_for_queue: Annotated[int, whole(1, LIMIT_MAX)] = Field(
        1000, description="flow control: messages of a queue that an instance caches"
    )
    pull_threshold_size_for_queue: Annotated[int, whole(1, SIZE_LIMIT_MAX_MIB)] = Field(
        100, description="flow control: the same in MiB"
    )
    consume_concurrently_max_span: Annotated[int, whole(1, LIMIT_MAX)] = Field(
        2000, description="flow control: last cached offset less the first"
    )

    @model_validator(mode="after")
    def _check(self) -> ConsumerGroup:
        if self.topic is None and self.topics is None:
            raise_any([Problem(("topic",), "missing; expected the name of a topic, or topics with several")])
        if self.topic is not None and self.topics is not None:
            raise_any([Problem(("topics",), "topic and topics exclude each other; keep one")])
        if self.autoscale is not None and not self.autoscale.least <= self.count <= self.autoscale.most:
            least, most = self.autoscale.least, self.autoscale.most
            text = f"expected {least} to {most}, autoscale's least and most, got {self.count}"
            raise_any([Problem(("count",), text)])
        if self.autoscale is not None and self.is_broadcasting:
            raise_any([Problem(("autoscale",), "a broadcasting group has a lag for each instance; leave it out")])
        if self.is_orderly and self.is_broadcasting:
            text = "a broadcasting group that consumes in order is not modelled; expected CONCURRENTLY"
            raise_any([Problem(("consume_mode",), text)])
        if self.is_orderly and self.deduplicate is not None:
            text = "a group that consumes in order and deduplicates is not modelled; leave it out"
            raise_any([Problem(("deduplicate",), text)])
        if self.client_ids is not None and len(self.client_ids) != self.instances:
            text = f"expected {self.instances}, one for each instance, got {len(self.client_ids)}"
            raise_any([Problem(("client_ids",), text)])
        if self.backlog is not None and self.is_broadcasting:
            text = "a broadcasting group has a backlog for each instance, which no broker knows; leave it out"
            raise_any([Problem(("backlog",), text)])
        if self.backlog is not None and self.new_group:
            raise_any([Problem(("backlog",), "a new group has no offsets and no backlog; leave one of them out")])
        return self

    def without_failures(self, content: dict[str, Any]) -> dict[str, Any]:
        """The content of a group without the keys that mean nothing while they have their defaults."""
        found = super().without_failures(content)
        if self.backlog is None:
            found.pop("backlog")
        return found

    @property
    def instances(self) -> int:
        """Instances that there can be."""
        return self.count if self.autoscale is None else self.autoscale.most

    @property
    def is_broadcasting(self) -> bool:
        """Whether every instance reads everything."""
        return self.message_model == "BROADCASTING"

    @property
    def longest_work_us(self) -> int:
        """The longest that a thread is at a batch."""
        return int(self.service.service_table_us()[-1]) * self.consume_message_batch_max_size

    @property
    def reader_bits(self) -> int:
        """Bits in which a message counts its consumptions: by the group, or by each instance that is broadcasting."""
        return self.count if self.is_broadcasting else TIMES_BITS

    @property
    def readings(self) -> Mapping[str, TopicReading]:
        """What it reads, by topic."""
        return self.topics if self.topics is not None else {str(self.topic): EVERYTHING}


def client_ids_of(group: str, own: ConsumerGroup) -> dict[str, str]:
    """Client ids of a group's instances by their names, billing-1, billing-2, ..., padded; in the order of the ids."""
    digits = len(str(own.instances))
    names = [f"{group}-{number:0{digits}}" for number in range(1, own.instances + 1)]
    ids = dict(zip(names, own.client_ids or names, strict=True))
    return dict(sorted(ids.items(), key=lambda each: java_order(each[1])))


def queues_of(own: ConsumerGroup, topics: Mapping[str, Topic], brokers: Sequence[str]) -> list[Queue]:
    """Every queue of the topics that a group reads."""
    return [
        (name, entry.broker, queue)
        for name in own.readings
        if name in topics
        for entry in topics[name].queue_data(brokers)
        for queue in range(entry.read_queues)
    ]


def unread_later(producers: Sequence[ProducerGroup], groups: Mapping[str, ConsumerGroup]) -> Iterator[Problem]:
    """Delayed messages and transactions that nobody reads."""
    read = {topic for group in groups.values() for topic in group.readings}
    for i, own in enumerate(producers):
        for key, what in (("delay", "delayed messages"), ("transaction", "transactions")):
            if getattr(own, key) is not None and not read.issuperset(own.topics):
                topic = next(name for name in own.topics if name not in read)
                text = f"{what} are followed where they are read; give topic {topic} a group of consumers"
                yield Problem(("producers", i, key), text)


def unfit_backlogs(
    producers: Sequence[ProducerGroup],
    groups: Mapping[str, ConsumerGroup],
    topics: Mapping[str, Topic],
    brokers: Sequence[str],
) -> Iterator[Problem]:
    """What of the groups' backlogs does not fit the queues that they read."""
    rates = rates_at_the_begin(producers)
    for name, own in groups.items():
        if own.backlog is not None:
            for problem in backlog_problems(own.backlog, queues_of(own, topics, brokers), rates):
                yield Problem(("consumers", name, "backlog", *problem.path), problem.text)


GroupName = Annotated[str, named_as("consumer group")]
Consumers = Annotated[dict[GroupName, ConsumerGroup], AfterValidator(sorted_by_name("consumer group"))]


def consumer_problems(
    groups: Mapping[str, ConsumerGroup],
    topics: Mapping[str, Topic],
    brokers: Sequence[str],
    cells: int,
    auto_batch: bool,
) -> Iterator[Problem]:
    """What of the groups does not fit the rest of the scenario."""
    if not groups:
        return
    if cells > 1:
        text = f"consumers read what all producers send, and cells simulate these apart; expected 1, got {cells}"
        yield Problem(("cells",), text)
    if auto_batch:
        text = "what consumers read of batches that the client makes is not modelled; leave out this or consumers"
        yield Problem(("client", "auto_batch"), text)
    readers: dict[str, int] = {}
    for name, group in groups.items():
        place: Path = ("consumers", name, "topic" if group.topics is None else "topics")
        for problem in reading_problems(group.readings, topics):
            yield Problem(place if group.topics is None else (*place, *problem.path), problem.text)
        for problem in strategy_problems(
            group.strategy, group.strategy_settings, list(client_ids_of(name, group)), queues_of(group, topics, brokers)
        ):
            yield Problem(("consumers", name, "strategy_settings", *problem.path), problem.text)
        if group.is_broadcasting and group.can_fail:
            text = f"{DROPS}; leave it out"
            yield Problem(("consumers", name, "fails_always" if group.fails is None else "fails"), text)
        if group.is_broadcasting and group.consume_timeout_us is not None:
            text = "what a broadcasting group sends back nobody reads; leave it out"
            yield Problem(("consumers", name, "consume_timeout"), text)
        if group.is_broadcasting and group.deduplicate is not None:
            text = "instances of a broadcasting group all handle every message; leave it out"
            yield Problem(("consumers", name, "deduplicate"), text)
        for topic in group.readings:
            before = readers.get(topic, 0)
            readers[topic] = before + group.reader_bits
            if before <= BYTES_SHIFT < readers[topic]:
                yield Problem(place, f"too many read topic {topic}; expected {READERS_TEXT}")


def broadcasting_problems(targets: Sequence[str], groups: Mapping[str, ConsumerGroup], fault: int) -> Iterator[Problem]:
    """What of the targets of a fault of the kind fail never retries."""
    for name, group in groups.items():
        struck = struck_instances(targets, list(client_ids_of(name, group)))
        if group.is_broadcasting and struck:
            text = f"{name}: {DROPS}; expected groups with message_model CLUSTERING"
            yield Problem(("faults", fault, "consumer"), text)
