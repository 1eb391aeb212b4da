"""How a proxy chooses the queue of a message without a message group: the next one of its route.

The counter is the proxy's own, one for each topic, shared by all of its clients; the broker that failed an attempt is
not left out of the next. With sendLatencyEnable up to three rounds look for a broker that is available and reachable,
available, or reachable; each step of them moves the counter, and the first takes its next value. Source: rocketmq
5.2.0-5.3.3, proxy MessageQueueSelector.selectOneByPipeline(false), selectOneMessageQueue, selectOne (AtomicInteger
.getAndIncrement, IntMath.mod), SendMessageActivity.SendMessageQueueSelector.
"""

from __future__ import annotations

from simulator.client.counters import start_raw
from simulator.client.faults.fault_table import is_available_4_2_0, is_reachable
from simulator.client.java_int import abs_int, remainder_of_ints, wrap_int
from simulator.client.message_queue import NO_QUEUE, packed
from simulator.client.view import View
from simulator.codes import PICK_BY_PROXY
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms


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


@rule()
def select_by_faults(view: View, now_ms: Ms) -> int:
    """The same with sendLatencyEnable, by what the proxy has measured of its brokers."""
    view.swallowed = 0
    view.pick_reason = PICK_BY_PROXY
    count, counter = view.queues.count, view.counter
    if count == 0:
        return NO_QUEUE
    if counter.seeded == 0:
        start_raw(counter)
    for needed in (3, 1, 2):  # 1: available, 2: reachable
        for _ in range(count):
            counter.value = wrap_int(counter.value + 1)
            queue = view.queues.queues[abs_int(remainder_of_ints(counter.value, count))]
            has = is_available_4_2_0(view.faults, now_ms, queue.broker) + 2 * is_reachable(view.faults, queue.broker)
            if has & needed == needed:
                return packed(queue.broker, queue.queue_id)
    return select_by_pipeline(view)
