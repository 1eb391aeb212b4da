"""CONSISTENT_HASH: a ring with virtualNodeCnt points a consumer; a queue belongs to the first at its hash or after.

A consumer that is listed twice has twice as many points. Where two points have one hash, the later one counts.
Source: rocketmq 4.2.0-5.3.3, AllocateMessageQueueConsistentHash and common.consistenthash.ConsistentHashRouter.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells
from simulator.consumer.allocation.sharing import LISTED_TOO_OFTEN, Listed, Sharing

SEQUENCE_BITS = 30  # a point of the ring: its hash above, its place in the order in which points are added below


@rule()
def allocate_by_consistent_hash(sharing: Sharing, queues: Listed, members: Listed, me: int, result: Cells) -> int:
    """Number of queues of that consumer, which are written to `result`; LISTED_TOO_OFTEN without points for it."""
    size = fill_ring(sharing, members)
    if size <= 0:
        return size
    ring = sharing.ring
    count = 0
    for place in range(queues.count):
        queue = queues.numbers[place]
        point = ring[owner_place(ring, size, sharing.queue_point[queue])]
        sequence = point & ((1 << SEQUENCE_BITS) - 1)
        if members.numbers[sequence // sharing.virtual_nodes] == me:
            result[count] = queue
            count += 1
    return count


@rule()
def fill_ring(sharing: Sharing, members: Listed) -> int:
    """Number of points, sorted in the ring, or LISTED_TOO_OFTEN."""
    size = 0
    nodes = sharing.virtual_nodes
    for place in range(members.count):
        member = members.numbers[place]
        first = 0
        for before in range(place):
            if members.numbers[before] == member:
                first += nodes
        if first + nodes > sharing.points_each:
            return LISTED_TOO_OFTEN
        for j in range(nodes):
            sharing.ring[size] = sharing.points[member * sharing.points_each + first + j] << SEQUENCE_BITS | size
            size += 1
    sort_numbers(sharing.ring, size)
    return size


@rule()
def owner_place(ring: Cells, size: int, hash_code: int) -> int:
    """Place in the sorted ring of the point that owns that hash."""
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        if ring[middle] >> SEQUENCE_BITS < hash_code:
            low = middle + 1
        else:
            high = middle
    place = 0 if low == size else low
    while place + 1 < size and ring[place + 1] >> SEQUENCE_BITS == ring[place] >> SEQUENCE_BITS:
        place += 1
    return place


@rule()
def sort_numbers(numbers: Cells, count: int) -> None:
    """Sort the first numbers in place, ascending: a heap sort."""
    for place in range(count // 2 - 1, -1, -1):
        _sift_down(numbers, place, count)
    for last in range(count - 1, 0, -1):
        numbers[0], numbers[last] = numbers[last], numbers[0]
        _sift_down(numbers, 0, last)


@rule()
def _sift_down(numbers: Cells, place: int, count: int) -> None:
    moved = numbers[place]
    child = 2 * place + 1
    while child < count:
        if child + 1 < count and numbers[child + 1] > numbers[child]:
            child += 1
        if numbers[child] <= moved:
            break
        numbers[place] = numbers[child]
        place = child
        child = 2 * place + 1
    numbers[place] = moved
