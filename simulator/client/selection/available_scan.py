"""Pass 1 of the strategy, 4.2.0-5.1.3: scan all queues once for an available broker.

The scan counts up an int of its own, so the shared counter moves one step however long it takes.
Every function answers the position of a queue, or NOT_FOUND.
Source: rocketmq 4.2.0-5.1.3, MQFaultStrategy.selectOneMessageQueue.
"""

from __future__ import annotations

from simulator.client.faults.fault_table import is_available_4_2_0
from simulator.client.java_int import remainder, wrap_int
from simulator.client.selection.pick_one_at_least import THROWN
from simulator.client.selection.queue_choice import guarded_position
from simulator.client.view import View
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms

NOT_FOUND = -1


@rule()
def available_and_same(view: View, now_ms: Ms, last_broker: int, index: int) -> int:
    """4.2.0-4.7.1: of an available broker, on a retry only the one it was on before."""
    faults = view.faults
    count = view.queues.count
    for _ in range(count):
        position = guarded_position(index, count)
        index = wrap_int(index + 1)
        broker = view.queues.queues[position].broker
        if is_available_4_2_0(faults, now_ms, broker) and (last_broker < 0 or broker == last_broker):
            return position
    return NOT_FOUND


@rule()
def available(view: View, now_ms: Ms, index: int) -> int:
    """4.8.0-5.0.0: of an available broker; which one was the last does not matter."""
    faults = view.faults
    count = view.queues.count
    for _ in range(count):
        position = guarded_position(index, count)
        index = wrap_int(index + 1)
        if is_available_4_2_0(faults, now_ms, view.queues.queues[position].broker):
            return position
    return NOT_FOUND


@rule(alone=True)
def available_and_not(view: View, now_ms: Ms, not_broker: int, index: int) -> int:
    """5.1.0-5.1.3: of an available broker other than `not_broker`; THROWN where the index overflows."""
    faults = view.faults
    count = view.queues.count
    for _ in range(count):
        position = remainder(index, count)
        if position < 0:
            return THROWN
        index = wrap_int(index + 1)
        broker = view.queues.queues[position].broker
        if broker != not_broker and is_available_4_2_0(faults, now_ms, broker):
            return position
    return NOT_FOUND
