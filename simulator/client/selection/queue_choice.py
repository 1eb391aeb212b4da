"""What the selections of all releases share: reading the queue list and taking a queue from it.

Source: rocketmq, client.impl.producer.TopicPublishInfo.selectOneMessageQueue.
"""

from __future__ import annotations

from simulator.client.java_int import abs_int, remainder_of_ints
from simulator.client.message_queue import NO_QUEUE, packed
from simulator.client.view import View
from simulator.compiled.jit import rule


@rule(alone=True)
def take(view: View, position: int, reason: int) -> int:
    """Choose the list's queue at that position."""
    view.pick_reason = reason
    queue = view.queues.queues[position]
    return packed(queue.broker, queue.queue_id)


@rule()
def guarded_position(index: int, count: int) -> int:
    """Math.abs(index) % count, and 0 where that is negative."""
    return remainder_of_ints(max(abs_int(index), 0), count)


@rule(alone=True)
def plain_step(view: View, index: int, reason: int) -> int:
    """The queue that `index` (the next counter value) names, of any broker; NO_QUEUE from an empty list."""
    count = view.queues.count
    if count == 0:
        return NO_QUEUE
    return take(view, guarded_position(index, count), reason)
