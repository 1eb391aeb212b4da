"""Selection of 5.1.0: as 5.0.0, but an index that overflows in pass 1 throws and is swallowed.

Source: rocketmq 5.1.0, MQFaultStrategy.selectOneMessageQueue.
"""

from __future__ import annotations

from simulator.client.counters import step_5_0_0
from simulator.client.selection.available_scan import NOT_FOUND, available_and_not
from simulator.client.selection.fault_table_choice import forget, swallow, take_overwritten, write_queue_nums
from simulator.client.selection.pick_one_at_least import THROWN, better_half, pick_one_at_least
from simulator.client.selection.queue_choice import plain_step, take
from simulator.client.view import NO_BROKER, View
from simulator.codes import PICK_AVAILABLE
from simulator.compiled.jit import entry
from simulator.compiled.records import Ms


@entry
def select_on(view: View, now_ms: Ms, last_broker: int, reset_index: int) -> int:
    """Strategy on: any queue of an available broker, the last one too; else the fault table."""
    view.swallowed = 0
    position = available_and_not(view, now_ms, NO_BROKER, step_5_0_0(view.counter))
    if position == THROWN:
        return plain_step(view, step_5_0_0(view.counter), swallow(view))
    if position != NOT_FOUND:
        return take(view, position, PICK_AVAILABLE)
    faults = view.faults
    half = better_half(faults, now_ms)
    broker = pick_one_at_least(faults, half, step_5_0_0(faults.counter) if half > 0 else 0)
    nums = write_queue_nums(view, broker)
    if nums > 0:
        return take_overwritten(view, broker, nums, step_5_0_0(view.counter), step_5_0_0(view.counter))
    return plain_step(view, step_5_0_0(view.counter), forget(view, broker))
