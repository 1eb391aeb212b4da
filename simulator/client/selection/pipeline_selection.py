"""How a proxy chooses the queue of a message without a message group: the next one of its route.

The counter is the proxy's own, one for each topic, shared by all of its clients; the broker that failed an attempt is
not left out of the next. Source: rocketmq 5.0.0-5.3.3, proxy MessageQueueSelector.selectOneByPipeline(false), selectOne
(AtomicInteger.getAndIncrement, IntMath.mod), SendMessageActivity.SendMessageQueueSelector.
"""

from __future__ import annotations

from simulator.client.counters import start_raw
from simulator.client.java_int import wrap_int
from simulator.client.message_queue import NO_QUEUE, packed
from simulator.client.view import View
from simulator.codes import PICK_BY_PROXY
from simulator.compiled.jit import rule


@rule()
def select_by_pipeline(view: View) -> int:
    """The packed queue that comes next, or NO_QUEUE; writes the view's pick_reason."""
    view.swallowed = 0
    view.pick_reason = PICK_BY_PROXY
    count = view.queues.count
    if count == 0:
        return NO_QUEUE
    counter = view.counter
    if counter.seeded == 0:
        start_raw(counter)
    place = counter.value % count  # of a negative int, too, at least 0
    counter.value = wrap_int(counter.value + 1)
    queue = view.queues.queues[place]
    return packed(queue.broker, queue.queue_id)
