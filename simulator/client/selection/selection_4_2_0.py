"""Selection of 4.2.0-4.7.1: with the strategy on, a retry accepts only the broker it was on before.

Source: rocketmq 4.2.0, MQFaultStrategy.selectOneMessageQueue and TopicPublishInfo.selectOneMessageQueue.
"""

from __future__ import annotations

import numpy as np

from simulator.client.counters import step_4_2_0
from simulator.client.java_int import wrap_int
from simulator.client.memory import FAULTS, NO_BROKER, QUEUE_BROKER, SWALLOWED
from simulator.client.selection.available_scan import NOT_FOUND, available_and_same
from simulator.client.selection.fault_table_choice import forget, take_overwritten, write_queue_nums
from simulator.client.selection.pick_one_at_least import better_half, pick_one_at_least
from simulator.client.selection.queue_choice import guarded_position, plain_step, queue_at, queue_count, take
from simulator.client.signatures import SELECT
from simulator.codes import PICK_AVAILABLE, PICK_OTHER_BROKER, PICK_PLAIN
from simulator.compiled.jit import entry


@entry(SELECT)
def select_off(m: np.ndarray, view: int, now_ms: int, last_broker: int, reset_index: int) -> int:
    """Strategy off: one counter step, then the first queue from there on of another broker; else plain."""
    m[view + SWALLOWED] = 0
    if last_broker == NO_BROKER:
        return plain_step(m, view, step_4_2_0(m, view), PICK_PLAIN)
    index = step_4_2_0(m, view)
    count = queue_count(m, view)
    for _ in range(count):
        queue = queue_at(m, view, guarded_position(index, count))
        index = wrap_int(index + 1)
        if m[queue + QUEUE_BROKER] != last_broker:
            return take(m, view, queue, PICK_OTHER_BROKER)
    return plain_step(m, view, step_4_2_0(m, view), PICK_PLAIN)


@entry(SELECT)
def select_on(m: np.ndarray, view: int, now_ms: int, last_broker: int, reset_index: int) -> int:
    """Strategy on: an available broker, on a retry the same as last; else the fault table."""
    m[view + SWALLOWED] = 0
    queue = available_and_same(m, view, now_ms, last_broker, step_4_2_0(m, view))
    if queue != NOT_FOUND:
        return take(m, view, queue, PICK_AVAILABLE)
    faults = m[view + FAULTS]
    half = better_half(m, faults, now_ms)
    broker = pick_one_at_least(m, faults, half, step_4_2_0(m, faults) if half > 0 else 0)
    nums = write_queue_nums(m, view, broker)
    if nums > 0:
        return take_overwritten(m, view, broker, nums, step_4_2_0(m, view), step_4_2_0(m, view))
    return plain_step(m, view, step_4_2_0(m, view), forget(m, view, broker))
