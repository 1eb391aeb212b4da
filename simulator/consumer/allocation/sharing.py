"""What every allocation strategy reads and how it answers.

Queues and consumers are numbers. A list of queues stands in the order of the client's sorted list (topic, broker name,
queue id), a list of members in that of the sorted consumer ids; both may name one twice.
Source: rocketmq 4.2.0-5.3.3, client.consumer.rebalance and RebalanceImpl.rebalanceByTopic.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Record, Within

AVG, AVG_BY_CIRCLE, CONFIG, MACHINE_ROOM, CONSISTENT_HASH, MACHINE_ROOM_NEARBY = range(6)
STRATEGIES = ("AVG", "AVG_BY_CIRCLE", "CONFIG", "MACHINE_ROOM", "CONSISTENT_HASH", "MACHINE_ROOM_NEARBY")

NULL = -1  # of a list: it is null; as an answer: the strategy returns null, which releases every queue
NOBODY = -1  # the consumer id is null or empty
NO_ROOM = -1

# answers below NULL: the strategy throws, and the instance keeps what it has
CID_EMPTY, QUEUES_EMPTY, MEMBERS_EMPTY = -2, -3, -4
QUEUE_WITHOUT_ROOM, CONSUMER_WITHOUT_ROOM = -5, -6  # which one: `culprit`
CONSUMERIDCS_NULL, CONFIG_NULL, MEMBERS_NULL, QUEUES_NULL = -7, -8, -9, -10
LISTED_TOO_OFTEN = -11  # not RocketMQ's: a member stands in the list more often than there are ring points for

UNNAMED, FOEPOCH, KEPT = range(3)  # of a queue for MACHINE_ROOM: not room@broker; another room; one of consumeridcs


class Listed(Record):
    """A list of queues or consumers, by their numbers."""

    count: int  # or NULL
    numbers: Cells


class Sharing(Record):
    """How a group shares the queues of a topic. What is by queue or consumer is by its number."""

    strategy: int
    inner: int  # the strategy within MACHINE_ROOM_NEARBY
    culprit: int  # the queue or consumer of the last exception
    has_consumeridcs: int  # 0: null
    config_count: int  # or NULL
    config: Cells  # queues that CONFIG assigns
    config_ends: Cells  # where those of each consumer end in `config`; all get all of them if it has no consumer
    configured_apart: int  # 1: each has its own
    idc: Cells  # UNNAMED, FOEPOCH or KEPT, by queue
    queue_room: Cells  # by queue: rooms numbered in the order of their names, or NO_ROOM
    consumer_room: Cells  # by consumer
    room_count: int
    virtual_nodes: int  # virtualNodeCnt
    points_each: int  # ring points known of each consumer: virtual_nodes for every time it may be listed
    points: Cells  # hash of `id-j` for j < points_each, by consumer
    queue_point: Cells  # hash of MessageQueue.toString(), by queue
    queues: Within[Listed]  # of the last question: the client's queues and the members that the broker named
    members: Within[Listed]
    kept: Within[Listed]  # the queues that MACHINE_ROOM shares
    near: Within[Listed]  # queues and members of one room
    near_members: Within[Listed]
    ring: Cells  # points of the members, sorted
    result: Cells  # the queues of the last answer


def result_size(queues: int, rooms: int, configured: int) -> int:
    """The most queues that an allocation answers with."""
    return queues + configured * (rooms + 1)


@rule()
def put_list(listed: Listed, numbers: Cells, count: int) -> None:
    """Have a list hold those numbers."""
    listed.count = count
    for place in range(count):
        listed.numbers[place] = numbers[place]


@rule()
def take_all(sharing: Sharing, queues: Cells, count: int) -> int:
    """Every queue: of a client that is broadcasting."""
    for place in range(count):
        sharing.result[place] = queues[place]
    return count


@rule()
def place_of(members: Listed, me: int) -> int:
    """First place of a consumer in the list, or -1."""
    for place in range(members.count):
        if members.numbers[place] == me:
            return place
    return -1


@rule()
def checked(queues: Listed, members: Listed, me: int) -> int:
    """1 to go on, 0 if the consumer is not listed and gets nothing, or the exception of a list that is not there."""
    if me == NOBODY:
        return CID_EMPTY
    if queues.count <= 0:
        return QUEUES_EMPTY
    if members.count <= 0:
        return MEMBERS_EMPTY
    return 1 if place_of(members, me) >= 0 else 0
