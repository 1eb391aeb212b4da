"""Selection of 5.1.4 and later: available, then reachable, then plain; the fault table is not picked from.

With the strategy off they do what 5.0.0 does.
Source: rocketmq 5.1.4-5.3.3, MQFaultStrategy.selectOneMessageQueue.
"""

from __future__ import annotations

import numpy as np

from simulator.client.counters import reset_index as reset
from simulator.client.counters import step_5_0_0
from simulator.client.faults.fault_table import is_available_4_2_0, is_available_5_1_4, is_reachable
from simulator.client.memory import FAULTS, QUEUE_BROKER, SWALLOWED
from simulator.client.selection.queue_choice import plain_step, queue_at, queue_count, take
from simulator.client.signatures import SELECT
from simulator.codes import PICK_AVAILABLE, PICK_FALLBACK, PICK_REACHABLE
from simulator.compiled.jit import entry, rule


@rule()
def reachable_or_plain(m: np.ndarray, view: int, last_broker: int) -> int:
    """Up to n probes, a counter step each, for a reachable broker other than the last; then a plain step."""
    count = queue_count(m, view)
    for _ in range(count):
        queue = queue_at(m, view, step_5_0_0(m, view) % count)
        broker = m[queue + QUEUE_BROKER]
        if broker != last_broker and is_reachable(m, m[view + FAULTS], broker):
            return take(m, view, queue, PICK_REACHABLE)
    return plain_step(m, view, step_5_0_0(m, view), PICK_FALLBACK)


@entry(SELECT)
def select_on_5_1_4(m: np.ndarray, view: int, now_ms: int, last_broker: int, reset_index: int) -> int:
    """5.1.4, strategy on: an unreachable broker is not available, however long ago its penalty ran out."""
    m[view + SWALLOWED] = 0
    if reset_index:
        reset(m, view)
    count = queue_count(m, view)
    for _ in range(count):
        queue = queue_at(m, view, step_5_0_0(m, view) % count)
        broker = m[queue + QUEUE_BROKER]
        if broker != last_broker and is_available_5_1_4(m, m[view + FAULTS], now_ms, broker):
            return take(m, view, queue, PICK_AVAILABLE)
    return reachable_or_plain(m, view, last_broker)


@entry(SELECT)
def select_on_5_2_0(m: np.ndarray, view: int, now_ms: int, last_broker: int, reset_index: int) -> int:
    """5.2.0 and later, strategy on: available is a matter of time alone."""
    m[view + SWALLOWED] = 0
    if reset_index:
        reset(m, view)
    count = queue_count(m, view)
    for _ in range(count):
        queue = queue_at(m, view, step_5_0_0(m, view) % count)
        broker = m[queue + QUEUE_BROKER]
        if broker != last_broker and is_available_4_2_0(m, m[view + FAULTS], now_ms, broker):
            return take(m, view, queue, PICK_AVAILABLE)
    return reachable_or_plain(m, view, last_broker)
