"""Selection of 5.0.0: as 4.9.4, on a counter that starts from any int; without what 4.9.8 corrects.

Source: rocketmq 5.0.0, MQFaultStrategy.selectOneMessageQueue and TopicPublishInfo.selectOneMessageQueue.
"""

from __future__ import annotations

import numpy as np

from simulator.client.counters import step_5_0_0
from simulator.client.memory import FAULTS, NO_BROKER, QUEUE_BROKER, SWALLOWED
from simulator.client.selection.available_scan import NOT_FOUND, available
from simulator.client.selection.fault_table_choice import forget, take_overwritten, write_queue_nums
from simulator.client.selection.pick_one_at_least import better_half, pick_one_at_least
from simulator.client.selection.queue_choice import guarded_position, plain_step, queue_at, queue_count, take
from simulator.client.signatures import SELECT
from simulator.codes import PICK_AVAILABLE, PICK_OTHER_BROKER, PICK_PLAIN
from simulator.compiled.jit import entry


@entry(SELECT)
def select_off(m: np.ndarray, view: int, now_ms: int, last_broker: int, reset_index: int) -> int:
    """Strategy off: the next queue of another broker, one counter step a probe; else plain."""
    m[view + SWALLOWED] = 0
    if last_broker == NO_BROKER:
        return plain_step(m, view, step_5_0_0(m, view), PICK_PLAIN)
    count = queue_count(m, view)
    for _ in range(count):
        queue = queue_at(m, view, guarded_position(step_5_0_0(m, view), count))
        if m[queue + QUEUE_BROKER] != last_broker:
            return take(m, view, queue, PICK_OTHER_BROKER)
    return plain_step(m, view, step_5_0_0(m, view), PICK_PLAIN)


@entry(SELECT)
def select_on(m: np.ndarray, view: int, now_ms: int, last_broker: int, reset_index: int) -> int:
    """Strategy on: any queue of an available broker, the last one too; else the fault table."""
    m[view + SWALLOWED] = 0
    queue = available(m, view, now_ms, step_5_0_0(m, view))
    if queue != NOT_FOUND:
        return take(m, view, queue, PICK_AVAILABLE)
    faults = m[view + FAULTS]
    half = better_half(m, faults, now_ms)
    broker = pick_one_at_least(m, faults, half, step_5_0_0(m, faults) if half > 0 else 0)
    nums = write_queue_nums(m, view, broker)
    if nums > 0:
        return take_overwritten(m, view, broker, nums, step_5_0_0(m, view), step_5_0_0(m, view))
    return plain_step(m, view, step_5_0_0(m, view), forget(m, view, broker))
