"""How a proxy chooses the queue of a message without a message group: the next one of its route.

The counter is the proxy's own, one for each topic, shared by all of its clients; the broker that failed an attempt is
not left out of the next. With sendLatencyEnable up to three rounds look for a broker that is available and reachable,
available, or reachable; each step of them moves the counter, and the first takes its next value. From 5.5.0 on it is
one round: the first queue without a penalty, else the first of those with the least. Source: rocketmq 5.2.0-5.5.0,
proxy MessageQueueSelector.selectOneByPipeline(false), selectOne (AtomicInteger.getAndIncrement, IntMath.mod),
SendMessageActivity.SendMessageQueueSelector; up to 5.4.0 selectOneMessageQueue; 5.5.0, MessageQueuePenalizer.
selectLeastPenalty, TopicRouteService.buildPenalizerByMQFaultStrategy.
"""

from __future__ import annotations

from simulator.client.counters import start_raw
from simulator.client.faults.fault_table import is_available_4_2_0, is_reachable
from simulator.client.java_int import abs_int, remainder_of_ints, wrap_int
from simulator.client.message_queue import NO_QUEUE, packed
from simulator.client.view import QueueEntry, View
from simulator.codes import PICK_BY_PROXY
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms

SLOW, UNREACHABLE = 10, 100  # penalties


@rule()
def select_by_pipeline(view: View) -> int:
    """The packed queue that comes next, or NO_QUEUE; writes the view's pick_reason."""
    if _begin(view) == 0:
        return NO_QUEUE
    queue = _next_queue(view)
    return packed(queue.broker, queue.queue_id)


@rule(inlined=True)
def _begin(view: View) -> int:
    """How many queues there are to choose from; the counter has a value if there are any."""
    view.swallowed = 0
    view.pick_reason = PICK_BY_PROXY
    if view.queues.count > 0 and view.counter.seeded == 0:
        start_raw(view.counter)
    return view.queues.count


@rule(inlined=True)
def _next_queue(view: View) -> QueueEntry:
    place = view.counter.value % view.queues.count  # of a negative int, too, at least 0
    view.counter.value = wrap_int(view.counter.value + 1)
    return view.queues.queues[place]


@rule()
def select_by_penalty(view: View, now_ms: Ms) -> int:
    """The same with sendLatencyEnable from 5.5.0 on, by what the proxy has measured of its brokers."""
    found, least = NO_QUEUE, SLOW + UNREACHABLE + 1
    for _ in range(_begin(view)):
        queue = _next_queue(view)
        is_slow = 1 - is_available_4_2_0(view.faults, now_ms, queue.broker)
        penalty = SLOW * is_slow + UNREACHABLE * (1 - is_reachable(view.faults, queue.broker))
        if penalty < least:
            found, least = packed(queue.broker, queue.queue_id), penalty
        if least == 0:
            break
    return found


@rule()
def select_by_faults(view: View, now_ms: Ms) -> int:
    """The same with sendLatencyEnable up to 5.4.0."""
    count, counter = _begin(view), view.counter
    if count == 0:
        return NO_QUEUE
    for needed in (3, 1, 2):  # 1: available, 2: reachable
        for _ in range(count):
            counter.value = wrap_int(counter.value + 1)
            queue = view.queues.queues[abs_int(remainder_of_ints(counter.value, count))]
            has = is_available_4_2_0(view.faults, now_ms, queue.broker) + 2 * is_reachable(view.faults, queue.broker)
            if has & needed == needed:
                return packed(queue.broker, queue.queue_id)
    return select_by_pipeline(view)
