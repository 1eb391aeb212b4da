"""The queue list a producer builds from a topic's route.

Source: rocketmq 4.2.0-5.3.3, MQClientInstance.topicRouteData2TopicPublishInfo. Static topics (5.0.0
and later) are not modelled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from simulator.client.faults.hash_order import java_order
from simulator.client.routes.route_texts import RouteTexts

PERM_WRITE = 0b10
MASTER_ID = 0


@dataclass(frozen=True)
class QueueData:
    """What one broker announces for a topic."""

    broker_name: str
    read_queue_nums: int
    write_queue_nums: int
    perm: int  # 4 read, 2 write

    @property
    def is_writeable(self) -> bool:
        """Whether producers may send to it."""
        return bool(self.perm & PERM_WRITE)


@dataclass(frozen=True)
class TopicRoute:
    """A topic's route as a name server delivers it."""

    queue_datas: tuple[QueueData, ...]  # in the order delivered
    broker_ids: Mapping[str, frozenset[int]] = field(default_factory=dict)  # broker name -> ids with an address
    order_topic_conf: str | None = None
    # name of a set -> machine that is id 0, from 0; without one that of the smallest id, which clients take then
    machines: Mapping[str, int] = field(default_factory=dict)

    def is_same(self, other: TopicRoute) -> bool:
        """Whether a client sees no change; the order of the queue data does not matter."""
        return (
            sorted_queue_datas(self) == sorted_queue_datas(other)
            and self.broker_ids == other.broker_ids
            and self.machines == other.machines
            and self.order_topic_conf == other.order_topic_conf
        )


def sorted_queue_datas(route: TopicRoute) -> list[QueueData]:
    """Queue data in the order of the broker names, of equal names in the order delivered."""
    return sorted(route.queue_datas, key=lambda data: java_order(data.broker_name))


def queue_list(route: TopicRoute) -> list[tuple[str, int]]:
    """(broker name, queue id) of every queue a producer may choose.

    An orderTopicConf ("broker:n;broker:n") decides alone. Otherwise the writeable queues of all brokers that
    have a master, broker after broker. Raises ValueError for an orderTopicConf that cannot be read.
    """
    if route.order_topic_conf:
        return _ordered(route.order_topic_conf)
    return [
        (data.broker_name, queue_id)
        for data in sorted_queue_datas(route)
        if data.is_writeable and MASTER_ID in route.broker_ids.get(data.broker_name, ())
        for queue_id in range(data.write_queue_nums)
    ]


def _ordered(order_topic_conf: str) -> list[tuple[str, int]]:
    queues = []
    for part in order_topic_conf.split(";"):
        broker_name, _, nums = part.partition(":")
        if not nums.isdigit():
            raise ValueError(RouteTexts.NOT_A_BROKER_AND_NUMBER(conf=order_topic_conf, part=part))
        queues += [(broker_name, queue_id) for queue_id in range(int(nums))]
    return queues


def write_queues(route: TopicRoute) -> dict[str, tuple[int, bool]]:
    """Broker name -> write queues and whether writeable, of every queue data, read-only ones too.

    This is what the fallback of 4.2.0-5.1.3 looks a broker up in; of equal names the first counts.
    """
    found: dict[str, tuple[int, bool]] = {}
    for data in sorted_queue_datas(route):
        found.setdefault(data.broker_name, (data.write_queue_nums, data.is_writeable))
    return found
