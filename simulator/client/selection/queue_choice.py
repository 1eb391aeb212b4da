"""What the selections of all releases share: reading the queue list and taking a queue from it.

Source: rocketmq, client.impl.producer.TopicPublishInfo.selectOneMessageQueue.
"""

from __future__ import annotations

import numpy as np

from simulator.client.java_int import abs_int, remainder_of_ints
from simulator.client.memory import PICK_REASON, QUEUE_BROKER, QUEUE_COUNT, QUEUE_ID, QUEUE_LIST, QUEUE_SIZE, QUEUES
from simulator.client.message_queue import NO_QUEUE, packed
from simulator.client.signatures import INT
from simulator.compiled.jit import MEMORY, pointer, rule


@rule()
def queue_count(m: np.ndarray, view: int) -> int:
    """Length of the topic's queue list."""
    cells = pointer(m)
    return cells[cells[view + QUEUES] + QUEUE_COUNT]


@rule()
def queue_at(m: np.ndarray, view: int, position: int) -> int:
    """Offset of the list's queue at that position."""
    return pointer(m)[view + QUEUES] + QUEUE_LIST + position * QUEUE_SIZE


@rule(INT(MEMORY, INT, INT, INT))
def take(m: np.ndarray, view: int, queue: int, reason: int) -> int:
    """Choose the list's queue at offset `queue`."""
    cells = pointer(m)
    cells[view + PICK_REASON] = reason
    return packed(cells[queue + QUEUE_BROKER], cells[queue + QUEUE_ID])


@rule()
def guarded_position(index: int, count: int) -> int:
    """Math.abs(index) % count, and 0 where that is negative."""
    return remainder_of_ints(max(abs_int(index), 0), count)


@rule(INT(MEMORY, INT, INT, INT))
def plain_step(m: np.ndarray, view: int, index: int, reason: int) -> int:
    """The queue that `index` (the next counter value) names, of any broker; NO_QUEUE from an empty list."""
    count = queue_count(m, view)
    if count == 0:
        return NO_QUEUE
    return take(m, view, queue_at(m, view, guarded_position(index, count)), reason)
