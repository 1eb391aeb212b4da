"""After pass 1 found no queue, 4.2.0-5.1.3: fall back to a broker of the fault table, else to a plain step.

Source: rocketmq 4.2.0-5.1.3, MQFaultStrategy.selectOneMessageQueue and TopicPublishInfo.getQueueIdByBroker.
"""

from __future__ import annotations

from simulator.client.faults.item_listing import remove_item
from simulator.client.java_int import remainder
from simulator.client.message_queue import packed
from simulator.client.selection.queue_choice import guarded_position, take
from simulator.client.view import View
from simulator.codes import PICK_AFTER_ERROR, PICK_FALLBACK, PICK_FROM_FAULT_TABLE
from simulator.compiled.jit import rule


@rule()
def write_queue_nums(view: View, broker: int) -> int:
    """Write queues of that broker on this topic, read-only ones too; -1 if there are none, or no broker."""
    if broker < 0:
        return -1
    return view.writes.brokers[broker].write_queue_nums


@rule()
def writeable_queue_nums(view: View, broker: int) -> int:
    """4.9.8: write queues of that broker on this topic if it may be written to, else -1."""
    if broker < 0:
        return -1
    writes = view.writes.brokers[broker]
    return writes.write_queue_nums if writes.is_writeable else -1


@rule()
def take_overwritten(view: View, broker: int, nums: int, index: int, id_index: int) -> int:
    """4.2.0-4.9.7, 5.0.0-5.1.3: the queue that `index` names becomes `id_index` mod `nums` of the broker.

    It is written over its slot of the shared list, which stays so until the route is rebuilt.
    """
    position = guarded_position(index, view.queues.count)
    queue = view.queues.queues[position]
    queue_id = remainder(id_index, nums)
    if queue.broker != broker or queue.queue_id != queue_id:
        view.queues.mutated += 1
        queue.broker = broker
        queue.queue_id = queue_id
    return take(view, position, PICK_FROM_FAULT_TABLE)


@rule()
def take_new(view: View, broker: int, nums: int, index: int, id_index: int) -> int:
    """4.9.8: a new queue `id_index` mod `nums` of the broker; the list's queue that `index` names stays."""
    view.pick_reason = PICK_FROM_FAULT_TABLE
    return packed(broker, remainder(id_index, nums))


@rule()
def forget(view: View, broker: int) -> int:
    """The topic has no queue on the picked broker: remove its item, for all topics; the reason to go on with.

    Removing null throws, and so did the pick if it is THROWN; either is logged and swallowed.
    """
    if broker < 0:
        return swallow(view)
    remove_item(view.faults, broker)
    return PICK_FALLBACK


@rule()
def swallow(view: View) -> int:
    """An exception inside the selection is logged and dropped; the reason to go on with."""
    view.swallowed = 1
    return PICK_AFTER_ERROR
