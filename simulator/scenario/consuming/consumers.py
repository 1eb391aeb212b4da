"""The consumers of a scenario: groups of alike application processes that read topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PlainSerializer, model_validator

from simulator.client.faults.hash_order import java_order
from simulator.consumer.allocation.names import Queue
from simulator.consumer.memory.queue_log import TIMES_BITS
from simulator.scenario.client_settings import Release
from simulator.scenario.consuming.autoscale import Autoscale
from simulator.scenario.consuming.group_backlog import Backlog
from simulator.scenario.consuming.grpc_consumer import GrpcConsumer
from simulator.scenario.consuming.handling import Handling
from simulator.scenario.consuming.strategies import StrategyName, StrategySettings
from simulator.scenario.consuming.topic_readings import (
    READINGS,
    TimeOfMessage,
    TopicReading,
    TopicReadings,
    readings_text,
)
from simulator.scenario.reading.fields import (
    CLIENT_TIME_MAX_MS,
    DURATION_MS_TEXT,
    Flag,
    Text,
    TimeUs,
    choice,
    duration_ms,
    named_as,
    sorted_by_name,
    whole,
)
from simulator.scenario.reading.scenario_error import Problem, raise_any
from simulator.scenario.texts.consumer_texts import ConsumerTexts
from simulator.scenario.topics import Topic, TopicName

INSTANCES_MAX = 10_000
THREADS_MAX = 1_000  # DefaultMQPushConsumerImpl.checkConfig
BATCH_MAX = 1_024
PULL_BATCH_MAX = 1_024
LIMIT_MAX = 65_535
SIZE_LIMIT_MAX_MIB = 1_024
NO_SETTINGS = StrategySettings.model_validate({})
EVERYTHING = TopicReading.model_validate({})
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

    trace: Flag = Field(
        False,
        description="message trace: a context before and one after each message go to RMQ_SYS_TRACE_TOPIC, by a group "
        "of producers NAME-trace that this makes (4.4.0 and later)",
    )
    grpc: GrpcConsumer | None = Field(
        None, title="a mapping such as {release: 5.0.8, kind: push}",
        description="its clients are gRPC ones and receive over proxies; default remoting ones",
    )  # fmt: skip

    @model_validator(mode="after")
    def _check(self) -> ConsumerGroup:
        if self.topic is None and self.topics is None:
            raise_any([Problem(("topic",), ConsumerTexts.TOPIC_MISSING())])
        if self.topic is not None and self.topics is not None:
            raise_any([Problem(("topics",), ConsumerTexts.TOPIC_AND_TOPICS())])
        if self.autoscale is not None and not self.autoscale.least <= self.count <= self.autoscale.most:
            least, most = self.autoscale.least, self.autoscale.most
            text = ConsumerTexts.OUTSIDE_AUTOSCALE(least=least, most=most, got=self.count)
            raise_any([Problem(("count",), text)])
        if self.autoscale is not None and self.is_broadcasting:
            raise_any([Problem(("autoscale",), ConsumerTexts.BROADCAST_LAG())])
        if self.mode.in_order and self.is_broadcasting:
            text = ConsumerTexts.BROADCAST_IN_ORDER()
            raise_any([Problem(("consume_mode",), text)])
        if self.mode.in_order and self.deduplicate is not None:
            text = ConsumerTexts.IN_ORDER_DEDUPLICATED()
            raise_any([Problem(("deduplicate",), text)])
        if self.grpc is None and self.is_pop and self.is_broadcasting:
            raise_any([Problem(("consume_mode",), ConsumerTexts.BROADCAST_POP())])
        if self.is_pop and self.delay_level_when_next_consume < 0:
            text = ConsumerTexts.POP_LEVEL()
            raise_any([Problem(("delay_level_when_next_consume",), text)])
        if self.client_ids is not None and len(self.client_ids) != self.instances:
            text = ConsumerTexts.ONE_EACH(instances=self.instances, got=len(self.client_ids))
            raise_any([Problem(("client_ids",), text)])
        if self.backlog is not None and self.is_broadcasting:
            text = ConsumerTexts.BROADCAST_BACKLOG()
            raise_any([Problem(("backlog",), text)])
        if self.backlog is not None and self.new_group:
            raise_any([Problem(("backlog",), ConsumerTexts.NEW_GROUP_BACKLOG())])
        return self

    def without_failures(self, content: dict[str, Any]) -> dict[str, Any]:
        """The content of a group without the keys that mean nothing while they have their defaults."""
        found = super().without_failures(content)
        if self.backlog is None:
            found.pop("backlog")
        if self.grpc is None:
            found.pop("grpc")
        if not self.trace:
            found.pop("trace")
        return found

    @property
    def instances(self) -> int:
        """Instances that there can be."""
        return self.count if self.autoscale is None else self.autoscale.most

    @property
    def is_pop(self) -> bool:
        """Whether its messages are popped, each acknowledged by itself: by the clients, or their proxies."""
        return self.grpc is not None or super().is_pop

    @property
    def shares_queues(self) -> bool:
        """Whether each queue belongs to one instance: it neither pops nor broadcasts."""
        return not self.is_pop and not self.is_broadcasting

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


GroupName = Annotated[str, named_as("consumer group")]
Consumers = Annotated[dict[GroupName, ConsumerGroup], AfterValidator(sorted_by_name("consumer group"))]
