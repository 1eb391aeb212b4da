"""How a group shares its queues: the strategies, and what each of them needs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from simulator.consumer.allocation.fill import VIRTUAL_NODES
from simulator.consumer.allocation.names import Queue, room_of
from simulator.consumer.allocation.sharing import STRATEGIES
from simulator.scenario.reading.fields import Model, Text, choice, whole
from simulator.scenario.reading.scenario_error import Problem, not_known
from simulator.scenario.texts.consumer_texts import ConsumerTexts

INNER = ("AVG", "AVG_BY_CIRCLE", "CONSISTENT_HASH")  # strategies that MACHINE_ROOM_NEARBY asks within a room
VIRTUAL_NODES_MAX = 1_000
SETTINGS_OF: Mapping[str, tuple[str, ...]] = {
    "CONFIG": ("message_queue_list",),
    "MACHINE_ROOM": ("consumeridcs",),
    "MACHINE_ROOM_NEARBY": ("broker_rooms", "instance_rooms"),
}
MAY_HAVE: Mapping[str, tuple[str, ...]] = {
    "CONSISTENT_HASH": ("virtual_node_cnt",),
    "MACHINE_ROOM_NEARBY": ("inner", "virtual_node_cnt"),
}

StrategyName = Annotated[
    Literal["AVG", "AVG_BY_CIRCLE", "CONFIG", "MACHINE_ROOM", "CONSISTENT_HASH", "MACHINE_ROOM_NEARBY"],
    choice(*STRATEGIES),
]


class StrategySettings(Model):
    """What a strategy is constructed with."""

    virtual_node_cnt: Annotated[int, whole(0, VIRTUAL_NODES_MAX)] = Field(
        VIRTUAL_NODES, description="CONSISTENT_HASH: points of each instance on the ring"
    )
    message_queue_list: dict[Text, tuple[Text, ...]] | None = Field(
        None, title="a mapping of instances to queues such as {billing-1: [orders:broker-a:0]}",
        description="CONFIG: the queues of each instance, independent of which queues and instances exist",
    )  # fmt: skip
    consumeridcs: tuple[Text, ...] | None = Field(
        None,
        title="a list of rooms such as [room1]",
        description="MACHINE_ROOM: rooms of the brokers named room@broker",
    )
    inner: Annotated[Literal["AVG", "AVG_BY_CIRCLE", "CONSISTENT_HASH"], choice(*INNER)] = Field(
        "AVG", description="MACHINE_ROOM_NEARBY: the strategy within a room"
    )
    broker_rooms: dict[Text, Text] | None = Field(
        None, title="a mapping such as {broker-a: room1}", description="MACHINE_ROOM_NEARBY: rooms of the brokers"
    )
    instance_rooms: dict[Text, Text] | None = Field(
        None, title="a mapping such as {billing-1: room1}", description="MACHINE_ROOM_NEARBY: rooms of the instances"
    )

    def configured(self, instance: str, topic: str) -> list[Queue]:
        """The queues of a topic that CONFIG gives an instance."""
        queues = map(_queue, (self.message_queue_list or {}).get(instance, ()))
        return [queue for queue in queues if queue is not None and queue[0] == topic]


def _queue(text: str) -> Queue | None:
    parts = text.split(":")
    return (parts[0], parts[1], int(parts[2])) if len(parts) == 3 and parts[2].isdigit() else None


def strategy_problems(
    strategy: str, own: StrategySettings, instances: Sequence[str], queues: Collection[Queue]
) -> Iterator[Problem]:
    """What is missing, too much or unknown in the settings of a group's strategy; `queues`: of all that it reads."""
    needed, given = SETTINGS_OF.get(strategy, ()), own.model_fields_set
    for name in needed:
        if not getattr(own, name):
            meaning = StrategySettings.model_fields[name]
            yield Problem((name,), ConsumerTexts.STRATEGY_NEEDS(strategy=strategy, needed=meaning.title))
    for name in StrategySettings.model_fields:
        if name in given and name not in (*needed, *MAY_HAVE.get(strategy, ())):
            yield Problem((name,), ConsumerTexts.STRATEGY_HAS_NOT(strategy=strategy))
    if strategy == "CONFIG":
        yield from _config_problems(own, instances, queues)
    brokers = sorted({broker for _, broker, _ in queues})
    if strategy == "MACHINE_ROOM" and own.consumeridcs:
        rooms = sorted({room for broker in brokers if (room := room_of(broker)) is not None})
        if not set(own.consumeridcs) & set(rooms):
            known = ConsumerTexts.ROOMS(rooms=", ".join(rooms)) if rooms else ConsumerTexts.NO_ROOMS()
            yield Problem(("consumeridcs",), ConsumerTexts.NOBODY_GETS_A_QUEUE(known=known))
    if strategy == "MACHINE_ROOM_NEARBY":
        for key, what, named in (("broker_rooms", "broker", brokers), ("instance_rooms", "consumer", instances)):
            for each in getattr(own, key) or ():
                if each not in named:
                    yield Problem((key, each), not_known(what, each, named))


def _config_problems(own: StrategySettings, instances: Sequence[str], queues: Collection[Queue]) -> Iterator[Problem]:
    known = {":".join(map(str, queue)) for queue in queues}
    for instance, listed in (own.message_queue_list or {}).items():
        if instance not in instances:
            yield Problem(("message_queue_list", instance), not_known("consumer", instance, instances))
        for i, text in enumerate(listed):
            if text not in known:
                yield Problem(("message_queue_list", instance, i), not_known("queue", text, sorted(known)))


def without_room(strategy: str, own: StrategySettings, instances: Sequence[str], brokers: Sequence[str]) -> list[str]:
    """Instances and brokers without a room: with one of them in sight MACHINE_ROOM_NEARBY throws, for everybody."""
    if strategy != "MACHINE_ROOM_NEARBY":
        return []
    rooms = (own.broker_rooms or {}) | (own.instance_rooms or {})
    return [name for name in (*brokers, *instances) if name not in rooms]
