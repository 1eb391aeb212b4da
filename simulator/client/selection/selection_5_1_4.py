"""Selection of 5.1.4 and later: available, then reachable, then plain; the fault table is not picked from.

With the strategy off they do what 5.0.0 does.
Source: rocketmq 5.1.4-5.3.3, MQFaultStrategy.selectOneMessageQueue.
"""

from __future__ import annotations

from simulator.client.counters import reset_index as reset
from simulator.client.counters import step_5_0_0
from simulator.client.faults.fault_table import is_available_4_2_0, is_available_5_1_4, is_reachable
from simulator.client.selection.queue_choice import plain_step, take
from simulator.client.view import View
from simulator.codes import PICK_AVAILABLE, PICK_FALLBACK, PICK_REACHABLE
from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Ms


@rule()
def reachable_or_plain(view: View, last_broker: int) -> int:
    """Up to n probes, a counter step each, for a reachable broker other than the last; then a plain step."""
    count = view.queues.count
    for _ in range(count):
        position = step_5_0_0(view.counter) % count
        broker = view.queues.queues[position].broker
        if broker != last_broker and is_reachable(view.faults, broker):
            return take(view, position, PICK_REACHABLE)
    return plain_step(view, step_5_0_0(view.counter), PICK_FALLBACK)


@entry
def select_on_5_1_4(view: View, now_ms: Ms, last_broker: int, reset_index: int) -> int:
    """5.1.4, strategy on: an unreachable broker is not available, however long ago its penalty ran out."""
    view.swallowed = 0
    if reset_index:
        reset(view.counter)
    count = view.queues.count
    for _ in range(count):
        position = step_5_0_0(view.counter) % count
        broker = view.queues.queues[position].broker
        if broker != last_broker and is_available_5_1_4(view.faults, now_ms, broker):
            return take(view, position, PICK_AVAILABLE)
    return reachable_or_plain(view, last_broker)


@entry
def select_on_5_2_0(view: View, now_ms: Ms, last_broker: int, reset_index: int) -> int:
    """5.2.0 and later, strategy on: available is a matter of time alone."""
    view.swallowed = 0
    if reset_index:
        reset(view.counter)
    count = view.queues.count
    for _ in range(count):
        position = step_5_0_0(view.counter) % count
        broker = view.queues.queues[position].broker
        if broker != last_broker and is_available_4_2_0(view.faults, now_ms, broker):
            return take(view, position, PICK_AVAILABLE)
    return reachable_or_plain(view, last_broker)
