"""What an instance gets: the strategy of its group, with the checks of its release.

Source: rocketmq 4.2.0-5.3.3, AllocateMessageQueueStrategy.allocate of the six strategies.
"""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Cells, beyond
from simulator.consumer.allocation import sharing as shares
from simulator.consumer.allocation.averagely import allocate_averagely
from simulator.consumer.allocation.averagely_by_circle import allocate_by_circle
from simulator.consumer.allocation.by_config import allocate_by_config
from simulator.consumer.allocation.by_machine_room import (
    allocate_by_machine_room_4_2_0,
    allocate_by_machine_room_4_8_0,
    share_kept,
)
from simulator.consumer.allocation.consistent_hash import allocate_by_consistent_hash
from simulator.consumer.allocation.sharing import Listed, Sharing, checked, put_list


@entry
def allocate_4_2_0(
    sharing: Sharing, queues: Cells, queue_count: int, members: Cells, member_count: int, me: int
) -> int:
    """MACHINE_ROOM takes its block from all queues and checks nothing."""
    put_list(sharing.queues, queues, queue_count)
    put_list(sharing.members, members, member_count)
    if sharing.strategy == shares.MACHINE_ROOM:
        return allocate_by_machine_room_4_2_0(sharing, me)
    return _allocate(sharing, me)


@entry
def allocate_4_8_0(
    sharing: Sharing, queues: Cells, queue_count: int, members: Cells, member_count: int, me: int
) -> int:
    """MACHINE_ROOM takes its block from the queues that are shared, and checks nothing."""
    put_list(sharing.queues, queues, queue_count)
    put_list(sharing.members, members, member_count)
    if sharing.strategy == shares.MACHINE_ROOM:
        return allocate_by_machine_room_4_8_0(sharing, me)
    return _allocate(sharing, me)


@entry
def allocate_4_9_3(
    sharing: Sharing, queues: Cells, queue_count: int, members: Cells, member_count: int, me: int
) -> int:
    """Every strategy but CONFIG checks its lists."""
    put_list(sharing.queues, queues, queue_count)
    put_list(sharing.members, members, member_count)
    return _allocate(sharing, me)


@rule()
def _allocate(sharing: Sharing, me: int) -> int:
    if sharing.strategy == shares.CONFIG:
        return allocate_by_config(sharing, me, sharing.result)
    check = checked(sharing.queues, sharing.members, me)
    if check != 1:
        return check
    if sharing.strategy == shares.MACHINE_ROOM_NEARBY:
        return _allocate_nearby(sharing, me)
    return _allocate_by(sharing, sharing.strategy, sharing.queues, sharing.members, me, sharing.result)


@rule()
def _allocate_by(sharing: Sharing, strategy: int, queues: Listed, members: Listed, me: int, result: Cells) -> int:
    """A strategy without rooms, its lists checked."""
    if strategy == shares.AVG:
        return allocate_averagely(queues, members, me, result)
    if strategy == shares.AVG_BY_CIRCLE:
        return allocate_by_circle(queues, members, me, result)
    if strategy == shares.CONFIG:
        return allocate_by_config(sharing, me, result)
    if strategy == shares.MACHINE_ROOM:
        return share_kept(sharing, queues, members, me, result)
    return allocate_by_consistent_hash(sharing, queues, members, me, result)


@rule()
def _allocate_nearby(sharing: Sharing, me: int) -> int:
    """MACHINE_ROOM_NEARBY: the queues of my room among my room's consumers, then those of rooms without any among all.

    Source: AllocateMachineRoomNearby.
    """
    if _some_without_room(sharing, sharing.queue_room, sharing.queues):
        return shares.QUEUE_WITHOUT_ROOM
    if _some_without_room(sharing, sharing.consumer_room, sharing.members):
        return shares.CONSUMER_WITHOUT_ROOM
    mine = sharing.consumer_room[me]
    near, near_members = sharing.near, sharing.near_members
    total = 0
    for turn in range(sharing.room_count + 1):
        room = mine if turn == 0 else turn - 1
        if turn > 0 and room == mine:
            continue
        _put_room(near, sharing.queue_room, room, sharing.queues)
        _put_room(near_members, sharing.consumer_room, room, sharing.members)
        if near.count == 0 or (turn > 0 and near_members.count > 0):
            continue
        if turn > 0:
            put_list(near_members, sharing.members.numbers, sharing.members.count)
        count = _allocate_by(sharing, sharing.inner, near, near_members, me, beyond(sharing.result, total))
        if count == shares.NULL:
            return shares.CONFIG_NULL
        if count < 0:
            return count
        total += count
    return total


@rule()
def _some_without_room(sharing: Sharing, rooms: Cells, listed: Listed) -> int:
    """1 if one has no room; which is the culprit."""
    for place in range(listed.count):
        if rooms[listed.numbers[place]] == shares.NO_ROOM:
            sharing.culprit = listed.numbers[place]
            return 1
    return 0


@rule()
def _put_room(inside: Listed, rooms: Cells, room: int, listed: Listed) -> None:
    """Have a list hold those of another that are in a room, in their order."""
    inside.count = 0
    for place in range(listed.count):
        if rooms[listed.numbers[place]] == room:
            inside.numbers[inside.count] = listed.numbers[place]
            inside.count += 1
