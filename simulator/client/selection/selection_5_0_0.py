"""Selection of 5.0.0: as 4.9.4, on a counter that starts from any int; without what 4.9.8 corrects.

Source: rocketmq 5.0.0, MQFaultStrategy.selectOneMessageQueue and TopicPublishInfo.selectOneMessageQueue.
"""

from __future__ import annotations

from simulator.client.counters import step_5_0_0
from simulator.client.selection.available_scan import NOT_FOUND, available
from simulator.client.selection.fault_table_choice import forget, take_overwritten, write_queue_nums
from simulator.client.selection.pick_one_at_least import better_half, pick_one_at_least
from simulator.client.selection.queue_choice import guarded_position, plain_step, take
from simulator.client.view import NO_BROKER, View
from simulator.codes import PICK_AVAILABLE, PICK_OTHER_BROKER, PICK_PLAIN
from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Ms


@entry
def select_off(view: View, now_ms: Ms, last_broker: int, reset_index: int) -> int:
    """Strategy off: the next queue of another broker, one counter step a probe; else plain."""
    view.swallowed = 0
    if last_broker == NO_BROKER:
        return plain_step(view, step_5_0_0(view.counter), PICK_PLAIN)
    count = view.queues.count
    for _ in range(count):
        position = guarded_position(step_5_0_0(view.counter), count)
        if view.queues.queues[position].broker != last_broker:
            return take(view, position, PICK_OTHER_BROKER)
    return plain_step(view, step_5_0_0(view.counter), PICK_PLAIN)


@entry
def select_on(view: View, now_ms: Ms, last_broker: int, reset_index: int) -> int:
    """Strategy on: any queue of an available broker, the last one too; else the fault table."""
    view.swallowed = 0
    position = available(view, now_ms, step_5_0_0(view.counter))
    if position != NOT_FOUND:
        return take(view, position, PICK_AVAILABLE)
    return by_fault_table(view, now_ms)


@rule()
def by_fault_table(view: View, now_ms: Ms) -> int:
    """No broker is available: one of the better half of the fault table, else the next queue."""
    faults = view.faults
    half = better_half(faults, now_ms)
    broker = pick_one_at_least(faults, half, step_5_0_0(faults.counter) if half > 0 else 0)
    nums = write_queue_nums(view, broker)
    if nums > 0:
        return take_overwritten(view, broker, nums, step_5_0_0(view.counter), step_5_0_0(view.counter))
    return plain_step(view, step_5_0_0(view.counter), forget(view, broker))
