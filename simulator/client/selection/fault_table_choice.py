"""After pass 1 found no queue, 4.2.0-5.1.3: fall back to a broker of the fault table, else to a plain step.

Source: rocketmq 4.2.0-5.1.3, MQFaultStrategy.selectOneMessageQueue and TopicPublishInfo.getQueueIdByBroker.
"""

from __future__ import annotations

import numpy as np

from simulator.client.faults.item_listing import remove_item
from simulator.client.java_int import remainder
from simulator.client.memory import (
    FAULTS,
    MUTATED,
    PICK_REASON,
    QUEUE_BROKER,
    QUEUE_ID,
    QUEUES,
    SWALLOWED,
    WRITE_PERM,
    WRITE_QUEUE_NUMS,
    WRITE_SIZE,
    WRITES,
)
from simulator.client.message_queue import packed
from simulator.client.selection.queue_choice import guarded_position, queue_at, queue_count, take
from simulator.codes import PICK_AFTER_ERROR, PICK_FALLBACK, PICK_FROM_FAULT_TABLE
from simulator.compiled.jit import rule


@rule()
def write_queue_nums(m: np.ndarray, view: int, broker: int) -> int:
    """Write queues of that broker on this topic, read-only ones too; -1 if there are none, or no broker."""
    if broker < 0:
        return -1
    return m[m[view + WRITES] + broker * WRITE_SIZE + WRITE_QUEUE_NUMS]


@rule()
def writeable_queue_nums(m: np.ndarray, view: int, broker: int) -> int:
    """4.9.8: write queues of that broker on this topic if it may be written to, else -1."""
    if broker < 0:
        return -1
    writes = m[view + WRITES] + broker * WRITE_SIZE
    return m[writes + WRITE_QUEUE_NUMS] if m[writes + WRITE_PERM] else -1


@rule()
def take_overwritten(m: np.ndarray, view: int, broker: int, nums: int, index: int, id_index: int) -> int:
    """4.2.0-4.9.7, 5.0.0-5.1.3: the queue that `index` names becomes `id_index` mod `nums` of the broker.

    It is written over its slot of the shared list, which stays so until the route is rebuilt.
    """
    queue = queue_at(m, view, guarded_position(index, queue_count(m, view)))
    queue_id = remainder(id_index, nums)
    if m[queue + QUEUE_BROKER] != broker or m[queue + QUEUE_ID] != queue_id:
        m[m[view + QUEUES] + MUTATED] += 1
        m[queue + QUEUE_BROKER] = broker
        m[queue + QUEUE_ID] = queue_id
    return take(m, view, queue, PICK_FROM_FAULT_TABLE)


@rule()
def take_new(m: np.ndarray, view: int, broker: int, nums: int, index: int, id_index: int) -> int:
    """4.9.8: a new queue `id_index` mod `nums` of the broker; the list's queue that `index` names stays."""
    m[view + PICK_REASON] = PICK_FROM_FAULT_TABLE
    return packed(broker, remainder(id_index, nums))


@rule()
def forget(m: np.ndarray, view: int, broker: int) -> int:
    """The topic has no queue on the picked broker: remove its item, for all topics; the reason to go on with.

    Removing null throws, and so did the pick if it is THROWN; either is logged and swallowed.
    """
    if broker < 0:
        return swallow(m, view)
    remove_item(m, m[view + FAULTS], broker)
    return PICK_FALLBACK


@rule()
def swallow(m: np.ndarray, view: int) -> int:
    """An exception inside the selection is logged and dropped; the reason to go on with."""
    m[view + SWALLOWED] = 1
    return PICK_AFTER_ERROR
