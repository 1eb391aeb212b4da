"""Selection of 4.9.8: the fallback asks for write permission and leaves the shared list alone.

Source: rocketmq 4.9.8, MQFaultStrategy.selectOneMessageQueue.
"""

from __future__ import annotations

import numpy as np

from simulator.client.counters import step_4_9_4
from simulator.client.memory import FAULTS, SWALLOWED
from simulator.client.selection.available_scan import NOT_FOUND, available
from simulator.client.selection.fault_table_choice import forget, take_new, writeable_queue_nums
from simulator.client.selection.pick_one_at_least import better_half, pick_one_at_least
from simulator.client.selection.queue_choice import plain_step, take
from simulator.client.signatures import SELECT
from simulator.codes import PICK_AVAILABLE
from simulator.compiled.jit import entry


@entry(SELECT)
def select_on(m: np.ndarray, view: int, now_ms: int, last_broker: int, reset_index: int) -> int:
    """Strategy on: any queue of an available broker, the last one too; else the fault table."""
    m[view + SWALLOWED] = 0
    queue = available(m, view, now_ms, step_4_9_4(m, view))
    if queue != NOT_FOUND:
        return take(m, view, queue, PICK_AVAILABLE)
    faults = m[view + FAULTS]
    half = better_half(m, faults, now_ms)
    broker = pick_one_at_least(m, faults, half, step_4_9_4(m, faults) if half > 0 else 0)
    nums = writeable_queue_nums(m, view, broker)
    if nums > 0:
        return take_new(m, view, broker, nums, step_4_9_4(m, view), step_4_9_4(m, view))
    return plain_step(m, view, step_4_9_4(m, view), forget(m, view, broker))
