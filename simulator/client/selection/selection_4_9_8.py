"""Selection of 4.9.8: the fallback asks for write permission and leaves the shared list alone.

Source: rocketmq 4.9.8, MQFaultStrategy.selectOneMessageQueue.
"""

from __future__ import annotations

from simulator.client.counters import step_4_9_4
from simulator.client.selection.available_scan import NOT_FOUND, available
from simulator.client.selection.fault_table_choice import forget, take_new, writeable_queue_nums
from simulator.client.selection.pick_one_at_least import better_half, pick_one_at_least
from simulator.client.selection.queue_choice import plain_step, take
from simulator.client.view import View
from simulator.codes import PICK_AVAILABLE
from simulator.compiled.jit import entry
from simulator.compiled.records import Ms


@entry
def select_on(view: View, now_ms: Ms, last_broker: int, reset_index: int) -> int:
    """Strategy on: any queue of an available broker, the last one too; else the fault table."""
    view.swallowed = 0
    position = available(view, now_ms, step_4_9_4(view.counter))
    if position != NOT_FOUND:
        return take(view, position, PICK_AVAILABLE)
    faults = view.faults
    half = better_half(faults, now_ms)
    broker = pick_one_at_least(faults, half, step_4_9_4(faults.counter) if half > 0 else 0)
    nums = writeable_queue_nums(view, broker)
    if nums > 0:
        return take_new(view, broker, nums, step_4_9_4(view.counter), step_4_9_4(view.counter))
    return plain_step(view, step_4_9_4(view.counter), forget(view, broker))
