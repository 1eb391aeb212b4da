"""Pass 1 of the strategy, 4.2.0-5.1.3: scan all queues once for an available broker.

The scan counts up an int of its own, so the shared counter moves one step however long it takes.
Every function answers the offset of a queue, or NOT_FOUND.
Source: rocketmq 4.2.0-5.1.3, MQFaultStrategy.selectOneMessageQueue.
"""

from __future__ import annotations

import numpy as np

from simulator.client.faults.fault_table import is_available_4_2_0
from simulator.client.java_int import remainder, wrap_int
from simulator.client.memory import FAULTS, QUEUE_BROKER
from simulator.client.selection.pick_one_at_least import THROWN
from simulator.client.selection.queue_choice import guarded_position, queue_at, queue_count
from simulator.client.signatures import INT
from simulator.compiled.jit import MEMORY, rule

NOT_FOUND = -1


@rule()
def available_and_same(m: np.ndarray, view: int, now_ms: int, last_broker: int, index: int) -> int:
    """4.2.0-4.7.1: of an available broker, on a retry only the one it was on before."""
    faults = m[view + FAULTS]
    count = queue_count(m, view)
    for _ in range(count):
        queue = queue_at(m, view, guarded_position(index, count))
        index = wrap_int(index + 1)
        broker = m[queue + QUEUE_BROKER]
        if is_available_4_2_0(m, faults, now_ms, broker) and (last_broker < 0 or broker == last_broker):
            return queue
    return NOT_FOUND


@rule()
def available(m: np.ndarray, view: int, now_ms: int, index: int) -> int:
    """4.8.0-5.0.0: of an available broker; which one was the last does not matter."""
    faults = m[view + FAULTS]
    count = queue_count(m, view)
    for _ in range(count):
        queue = queue_at(m, view, guarded_position(index, count))
        index = wrap_int(index + 1)
        if is_available_4_2_0(m, faults, now_ms, m[queue + QUEUE_BROKER]):
            return queue
    return NOT_FOUND


@rule(INT(MEMORY, INT, INT, INT, INT))
def available_and_not(m: np.ndarray, view: int, now_ms: int, not_broker: int, index: int) -> int:
    """5.1.0-5.1.3: of an available broker other than `not_broker`; THROWN where the index overflows."""
    faults = m[view + FAULTS]
    count = queue_count(m, view)
    for _ in range(count):
        position = remainder(index, count)
        if position < 0:
            return THROWN
        index = wrap_int(index + 1)
        queue = queue_at(m, view, position)
        broker = m[queue + QUEUE_BROKER]
        if broker != not_broker and is_available_4_2_0(m, faults, now_ms, broker):
            return queue
    return NOT_FOUND
