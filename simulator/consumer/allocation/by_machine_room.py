"""MACHINE_ROOM: the queues of brokers named `room@broker` whose room is one of consumeridcs.

Blocks of (queues div members), and one of the last (queues mod members) to each of the first consumers.
Source: rocketmq 4.2.0-5.3.3, AllocateMessageQueueByMachineRoom.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells
from simulator.consumer.allocation.sharing import (
    CONSUMERIDCS_NULL,
    KEPT,
    MEMBERS_NULL,
    NULL,
    QUEUES_NULL,
    UNNAMED,
    Listed,
    Sharing,
    place_of,
)

NOT_LISTED = -100


@rule()
def keep_queues(sharing: Sharing, queues: Listed) -> int:
    """Find the queues that are shared; how many, or CONSUMERIDCS_NULL."""
    kept = sharing.kept
    kept.count = 0
    for place in range(queues.count):
        queue = queues.numbers[place]
        idc = sharing.idc[queue]
        if idc != UNNAMED and sharing.has_consumeridcs == 0:
            return CONSUMERIDCS_NULL
        if idc == KEPT:
            kept.numbers[kept.count] = queue
            kept.count += 1
    return kept.count


@rule()
def allocate_by_machine_room_4_2_0(sharing: Sharing, me: int) -> int:
    """4.2.0-4.7.1: nothing is checked, and the block comes from all queues instead of from those that are shared."""
    index = _unchecked(sharing.queues, sharing.members, me)
    if index < 0:
        return index if index != NOT_LISTED else 0
    if keep_queues(sharing, sharing.queues) < 0:
        return CONSUMERIDCS_NULL
    return _share(sharing.queues, sharing.kept, index, sharing.members.count, sharing.result)


@rule()
def allocate_by_machine_room_4_8_0(sharing: Sharing, me: int) -> int:
    """4.8.0-4.9.2: nothing is checked, and the block comes from the queues that are shared."""
    index = _unchecked(sharing.queues, sharing.members, me)
    if index < 0:
        return index if index != NOT_LISTED else 0
    return share_kept(sharing, sharing.queues, sharing.members, me, sharing.result)


@rule()
def share_kept(sharing: Sharing, queues: Listed, members: Listed, me: int, result: Cells) -> int:
    """4.9.3 and later: the lists were checked before."""
    if keep_queues(sharing, queues) < 0:
        return CONSUMERIDCS_NULL
    return _share(sharing.kept, sharing.kept, place_of(members, me), members.count, result)


@rule()
def _unchecked(queues: Listed, members: Listed, me: int) -> int:
    """Place of the consumer, NOT_LISTED, or the exception of a list that is null."""
    if members.count == NULL:
        return MEMBERS_NULL
    index = place_of(members, me)
    if index < 0:
        return NOT_LISTED
    return QUEUES_NULL if queues.count == NULL else index


@rule()
def _share(block_of: Listed, kept: Listed, index: int, members: int, result: Cells) -> int:
    size = kept.count // members
    for i in range(size):
        result[i] = block_of.numbers[size * index + i]
    if index >= kept.count % members:
        return size
    result[size] = kept.numbers[index + size * members]
    return size + 1
