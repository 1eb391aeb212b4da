"""The topics of a scenario: on which brokers their queues are, and what their messages weigh."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, PlainSerializer, model_validator

from simulator.scenario.distributions.message_mix import TAGS, Keys, MessageSizes, Ratio
from simulator.scenario.distributions.message_properties import Properties
from simulator.scenario.reading.fields import SIZE, Flag, Model, Reads, choice, name_of, named_as, whole, within
from simulator.scenario.reading.scenario_error import Problem, not_known, raise_any
from simulator.scenario.texts.broker_texts import BrokerTexts
from simulator.scenario.texts.producer_texts import ProducerTexts
from simulator.units import format_size, parse_size_bytes, shown

QUEUES_MAX = 1_024
QUEUES_DEFAULT = 8
AUTO_QUEUES = 4  # min(defaultTopicQueueNums of the producer, TBW102's 8 on the broker)
MESSAGE_MAX = "4MiB"
TOPIC_NAME_MAX = 255  # Validators.CHARACTER_MAX_LENGTH; since 4.6.1 the client refuses more than 127
MESSAGE_MAX_BYTES = 4 * 1024 * 1024  # DefaultMQProducer.maxMessageSize

BrokerName = Annotated[str, named_as("broker")]
TopicName = Annotated[str, named_as("topic", TOPIC_NAME_MAX)]


class RouteEntry(Model):
    """What the name server's route says of a topic on one broker (QueueData plus "has a master address")."""

    broker: BrokerName = Field(title="the name of a broker", description="broker of these queues")
    read_queues: Annotated[int, whole(0, QUEUES_MAX)] = Field(QUEUES_DEFAULT, description="queues to read from")
    write_queues: Annotated[int, whole(0, QUEUES_MAX)] = Field(QUEUES_DEFAULT, description="queues to write to")
    permission: Annotated[Literal["rw", "r", "w", "none"], choice("rw", "r", "w", "none")] = Field(
        "rw", description="what the topic allows on this broker"
    )
    master: Flag = Field(True, description="whether the route has the address of a master")

    @property
    def writeable(self) -> bool:
        """Whether the permission has the write bit (PermName.isWriteable)."""
        return "w" in self.permission


def order_conf(value: Any) -> tuple[tuple[str, int], ...]:
    """(broker, queues) in textual order of an orderTopicConf such as `broker-a:4;broker-b:2`."""
    expected = ProducerTexts.ORDER_CONF_EXPECTED(got=shown(value))
    if not isinstance(value, str):
        raise ValueError(expected)
    entries: list[tuple[str, int]] = []
    for entry in value.split(";"):
        broker, colon, queues = entry.strip().rpartition(":")
        if not colon or not queues.isascii() or not queues.isdigit() or len(queues) > 6:
            raise ValueError(expected)
        if not 1 <= int(queues) <= QUEUES_MAX:
            raise ValueError(ProducerTexts.ORDER_CONF_QUEUES(conf=expected, most=QUEUES_MAX))
        entries.append((name_of("broker")(broker), int(queues)))
    return tuple(entries)


def order_conf_text(entries: Sequence[tuple[str, int]] | None) -> str | None:
    """The text that `order_conf` reads back."""
    return None if entries is None else ";".join(f"{broker}:{queues}" for broker, queues in entries)


OrderConf = Annotated[
    tuple[tuple[str, int], ...],
    Reads(order_conf, expects='an order topic conf such as "broker-a:4;broker-b:2"', schema={"type": "string"}),
    PlainSerializer(order_conf_text),
]


ONE_KIB = MessageSizes.model_validate({"constant": "1KiB"})


def read_sizes(value: Any) -> Any:
    """The mapping of a distribution: as it is, or that of one size for all."""
    if isinstance(value, dict | MessageSizes):
        return value
    size = within(parse_size_bytes(value), 1, MESSAGE_MAX_BYTES, ProducerTexts.A_MESSAGE_SIZE(most=MESSAGE_MAX), value)
    return {"constant": format_size(size)}


def sizes_text(sizes: MessageSizes) -> Any:
    """The text or mapping that `read_sizes` reads back."""
    if sizes.constant_bytes is not None and sizes.constant_bytes <= MESSAGE_MAX_BYTES:
        return format_size(sizes.constant_bytes)
    return sizes.model_dump(by_alias=True, exclude_none=True)


SIZES = Reads(
    read_sizes, expects=f"a size from 1B to {MESSAGE_MAX}, or a distribution such as {{constant: 1KiB}}",
    schema={"anyOf": [SIZE]},
)  # fmt: skip


class Topic(Model):
    """One topic: the same `queues` on every broker (or on `brokers`), or else a `route` written out.

    `order_topic_conf` is (broker, queues) in its textual order, or None. With `auto_create` no broker has the topic
    at the start: the first send to each broker creates it there, with the queues of the create-topic key.
    `compress_ratio_ppm`: size of a body that the client compresses, in parts per million. `check_order`: whether
    messages of one thread and key are stored in the order in which they are sent.
    """

    queues: Annotated[int, whole(1, QUEUES_MAX)] | None = Field(
        None, description=f"queues on every broker; default {QUEUES_DEFAULT}"
    )
    brokers: tuple[BrokerName, ...] | None = Field(None, description="brokers that have the topic; default all")
    route: tuple[RouteEntry, ...] | None = Field(
        None, description="queues broker by broker, instead of queues and brokers"
    )
    order_topic_conf: OrderConf | None = Field(None, description="the name server's orderTopicConf of the topic")
    auto_create: Flag = Field(
        False, description="no broker has the topic at the start; the first send to each creates it there"
    )
    message_bytes: Annotated[MessageSizes, SIZES, PlainSerializer(sizes_text)] = Field(
        ONE_KIB, description="sizes of the bodies"
    )
    compress_ratio_ppm: Ratio = Field(1_000_000, alias="compress_ratio", description="compressed size over body size")
    message_keys: Keys | None = Field(None, alias="keys", description="keys of the messages; default they have none")
    tags: Annotated[dict[str, int], TAGS] = Field(
        {}, title="a list of tags or a mapping of tag to weight such as {TagA: 3, TagB: 1}",
        description="tags of the messages, drawn by weight; default they have none",
    )  # fmt: skip
    properties: Properties = Field(
        {}, title="a mapping such as {region: {eu: 3, us: 1}, amount: {uniform: {min: 1, max: 500}}}",
        description="properties of the messages, which SQL92 filters ask for; default they have none",
    )  # fmt: skip
    check_order: Flag = Field(False, description="count copies stored after a later message of the same thread and key")

    @model_validator(mode="after")
    def _check(self) -> Topic:
        raise_any(self._problems())
        return self

    def _problems(self) -> Iterator[Problem]:
        for key in ("queues", "route", "order_topic_conf"):
            if self.auto_create and getattr(self, key) is not None:
                yield Problem((key,), ProducerTexts.MADE_TOPIC(key=key))
        if self.check_order and self.message_keys is None:
            yield Problem(("check_order",), ProducerTexts.ORDER_WITHOUT_KEYS())
        if self.route is None:
            if self.brokers is not None and not self.brokers:
                yield Problem(("brokers",), BrokerTexts.NONE_NAMED())
            return
        for key in ("queues", "brokers"):
            if getattr(self, key) is not None:
                yield Problem((key,), ProducerTexts.KEY_AND_ROUTE(key=key))
        if self.order_topic_conf is None and not any(q.writeable and q.master and q.write_queues for q in self.route):
            text = ProducerTexts.NOT_WRITABLE()
            yield Problem(("route",), text)

    def queue_data(self, brokers: Sequence[str]) -> tuple[RouteEntry, ...]:
        """The route in a cluster of `brokers`, in the order of the broker names (as the client sorts it)."""
        if self.route is not None:
            return tuple(sorted(self.route, key=lambda entry: entry.broker))
        n = AUTO_QUEUES if self.auto_create else QUEUES_DEFAULT if self.queues is None else self.queues
        names = sorted(set(brokers if self.brokers is None else self.brokers))
        return tuple(RouteEntry.model_validate({"broker": name, "read_queues": n, "write_queues": n}) for name in names)

    def unknown_brokers(self, brokers: Sequence[str]) -> Iterator[Problem]:
        """A problem for each broker that is named and not in `brokers`."""
        named: list[tuple[tuple[str | int, ...], str]] = [
            *((("brokers", i), name) for i, name in enumerate(self.brokers or ())),
            *((("route", i, "broker"), entry.broker) for i, entry in enumerate(self.route or ())),
            *((("order_topic_conf",), name) for name, _ in self.order_topic_conf or ()),
        ]
        for path, name in named:
            if name not in brokers:
                yield Problem(path, not_known("broker", name, brokers))
