"""Selection of 4.2.0-4.7.1: with the strategy on, a retry accepts only the broker it was on before.

Source: rocketmq 4.2.0, MQFaultStrategy.selectOneMessageQueue and TopicPublishInfo.selectOneMessageQueue.
"""

from __future__ import annotations

from simulator.client.counters import step_4_2_0
from simulator.client.java_int import wrap_int
from simulator.client.selection.available_scan import NOT_FOUND, available_and_same
from simulator.client.selection.fault_table_choice import forget, take_overwritten, write_queue_nums
from simulator.client.selection.pick_one_at_least import better_half, pick_one_at_least
from simulator.client.selection.queue_choice import guarded_position, plain_step, take
from simulator.client.view import NO_BROKER, View
from simulator.codes import PICK_AVAILABLE, PICK_OTHER_BROKER, PICK_PLAIN
from simulator.compiled.jit import entry
from simulator.compiled.records import Ms


@entry
def select_off(view: View, now_ms: Ms, last_broker: int, reset_index: int) -> int:
    """Strategy off: one counter step, then the first queue from there on of another broker; else plain."""
    view.swallowed = 0
    if last_broker == NO_BROKER:
        return plain_step(view, step_4_2_0(view.counter), PICK_PLAIN)
    index = step_4_2_0(view.counter)
    count = view.queues.count
    for _ in range(count):
        position = guarded_position(index, count)
        index = wrap_int(index + 1)
        if view.queues.queues[position].broker != last_broker:
            return take(view, position, PICK_OTHER_BROKER)
    return plain_step(view, step_4_2_0(view.counter), PICK_PLAIN)


@entry
def select_on(view: View, now_ms: Ms, last_broker: int, reset_index: int) -> int:
    """Strategy on: an available broker, on a retry the same as last; else the fault table."""
    view.swallowed = 0
    position = available_and_same(view, now_ms, last_broker, step_4_2_0(view.counter))
    if position != NOT_FOUND:
        return take(view, position, PICK_AVAILABLE)
    faults = view.faults
    half = better_half(faults, now_ms)
    broker = pick_one_at_least(faults, half, step_4_2_0(faults.counter) if half > 0 else 0)
    nums = write_queue_nums(view, broker)
    if nums > 0:
        return take_overwritten(view, broker, nums, step_4_2_0(view.counter), step_4_2_0(view.counter))
    return plain_step(view, step_4_2_0(view.counter), forget(view, broker))
