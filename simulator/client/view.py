"""What one thread of a producer chooses by on one topic, and what it chooses from."""

from __future__ import annotations

from typing import Annotated

from simulator.client.counters import Counter
from simulator.client.faults.fault_item import FaultTable
from simulator.compiled.records import Record, Region, Within, tail

NO_BROKER = -1


class QueueEntry(Record):
    """One queue of a list."""

    broker: int  # number in the cluster
    queue_id: int  # may be negative where the client computed a negative one


class QueueList(Record):
    """The queue list of a TopicPublishInfo; shared where the release never rewrites it."""

    count: int
    mutated: int  # out: how often it was overwritten in place
    queues: Annotated[Region[QueueEntry], tail("count")]


class BrokerWrites(Record):
    """What getQueueIdByBroker sees of a broker in a route."""

    write_queue_nums: int  # of the first QueueData of that broker name, -1 if the route has none
    is_writeable: int  # 1 if that QueueData is


class WriteTable(Record):
    """The same of every broker of the cluster, for one topic."""

    broker_count: int
    brokers: Annotated[Region[BrokerWrites], tail("broker_count")]


class View(Record):
    """A (producer, thread, topic): the thread's ThreadLocalIndex on it, and where the rest is. A line."""

    counter: Within[Counter]  # sendWhichQueue
    queues: QueueList
    writes: WriteTable
    faults: FaultTable
    pick_reason: int  # out: codes.PICK_*
    swallowed: int  # out: 1 if the last selection swallowed an exception


class RouteVersion(Record):
    """A version of a route, as views are given it."""

    queues: QueueList
    writes: WriteTable
    default: int  # of a topic that sends create: the version of its default route; -1 of all others


class RouteHold(Record):
    """How often what a producer knows of a topic was replaced."""

    generation_now: int  # route objects before the one that is known now
