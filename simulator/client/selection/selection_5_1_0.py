"""Selection of 5.1.0-5.1.3: as 5.0.0, but an index that overflows in pass 1 throws and is swallowed.

Source: rocketmq 5.1.0 and 5.1.3, MQFaultStrategy.selectOneMessageQueue.
"""

from __future__ import annotations

from simulator.client.counters import step_5_0_0
from simulator.client.selection.available_scan import NOT_FOUND, available_and_not
from simulator.client.selection.fault_table_choice import swallow
from simulator.client.selection.pick_one_at_least import THROWN
from simulator.client.selection.queue_choice import plain_step, take
from simulator.client.selection.selection_5_0_0 import by_fault_table
from simulator.client.view import NO_BROKER, View
from simulator.codes import PICK_AVAILABLE
from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Ms


@entry
def select_on_5_1_0(view: View, now_ms: Ms, last_broker: int, reset_index: int) -> int:
    """5.1.0, strategy on: any queue of an available broker, the last one too; else the fault table."""
    return select_on_but(view, now_ms, NO_BROKER)


@entry
def select_on_5_1_1(view: View, now_ms: Ms, last_broker: int, reset_index: int) -> int:
    """5.1.1 to 5.1.3, strategy on: an available broker other than the last; else the fault table."""
    return select_on_but(view, now_ms, last_broker)


@rule()
def select_on_but(view: View, now_ms: Ms, unwanted: int) -> int:
    """A queue of an available broker other than `unwanted`; else the fault table."""
    view.swallowed = 0
    position = available_and_not(view, now_ms, unwanted, step_5_0_0(view.counter))
    if position == THROWN:
        return plain_step(view, step_5_0_0(view.counter), swallow(view))
    if position != NOT_FOUND:
        return take(view, position, PICK_AVAILABLE)
    return by_fault_table(view, now_ms)
