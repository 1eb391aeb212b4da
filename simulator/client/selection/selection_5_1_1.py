"""Selection of 5.1.1-5.1.3: pass 1 wants an available broker other than the last.

Source: rocketmq 5.1.3, MQFaultStrategy.selectOneMessageQueue.
"""

from __future__ import annotations

import numpy as np

from simulator.client.counters import step_5_0_0
from simulator.client.memory import FAULTS, SWALLOWED
from simulator.client.selection.available_scan import NOT_FOUND, available_and_not
from simulator.client.selection.fault_table_choice import forget, swallow, take_overwritten, write_queue_nums
from simulator.client.selection.pick_one_at_least import THROWN, better_half, pick_one_at_least
from simulator.client.selection.queue_choice import plain_step, take
from simulator.client.signatures import SELECT
from simulator.codes import PICK_AVAILABLE
from simulator.compiled.jit import entry


@entry(SELECT)
def select_on(m: np.ndarray, view: int, now_ms: int, last_broker: int, reset_index: int) -> int:
    """Strategy on: an available broker other than the last; else the fault table."""
    m[view + SWALLOWED] = 0
    queue = available_and_not(m, view, now_ms, last_broker, step_5_0_0(m, view))
    if queue == THROWN:
        return plain_step(m, view, step_5_0_0(m, view), swallow(m, view))
    if queue != NOT_FOUND:
        return take(m, view, queue, PICK_AVAILABLE)
    faults = m[view + FAULTS]
    half = better_half(m, faults, now_ms)
    broker = pick_one_at_least(m, faults, half, step_5_0_0(m, faults) if half > 0 else 0)
    nums = write_queue_nums(m, view, broker)
    if nums > 0:
        return take_overwritten(m, view, broker, nums, step_5_0_0(m, view), step_5_0_0(m, view))
    return plain_step(m, view, step_5_0_0(m, view), forget(m, view, broker))
