"""LatencyFaultTolerance: how an item is updated, and who is available.

An item of a broker that is not in the table counts as available and reachable.
Source: rocketmq, client.latency.LatencyFaultToleranceImpl and MQFaultStrategy.computeNotAvailableDuration.
"""

from __future__ import annotations

from simulator.client.faults.fault_item import FaultTable, Penalty
from simulator.client.faults.item_listing import add_item
from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Ms

ISOLATION_MS_4_2_0 = 30_000  # latency an isolated broker is charged with, 4.2.0-5.1.3
ISOLATION_MS_5_1_4 = 10_000  # the same, 5.1.4 and later


@rule()
def not_available_duration(penalty: Penalty, latency_ms: Ms) -> int:
    """Penalty of that latency, ms: the entry of the largest latencyMax not above it, 0 below them all."""
    for step in range(penalty.step_count - 1, -1, -1):
        if latency_ms >= penalty.latency_max_ms[step]:
            return penalty.not_available_duration_ms[step]
    return 0


@entry
def is_available_4_2_0(faults: FaultTable, now_ms: Ms, broker: int) -> int:
    """4.2.0-5.1.3 and 5.2.0 on: the penalty has run out; whether the broker is reachable does not matter."""
    item = faults.items[broker]
    return 1 if item.present == 0 or now_ms >= item.start_timestamp else 0


@entry
def is_available_5_1_4(faults: FaultTable, now_ms: Ms, broker: int) -> int:
    """5.1.4: the penalty has run out and the broker is reachable."""
    item = faults.items[broker]
    if item.present == 0:
        return 1
    return 1 if item.reachable != 0 and now_ms >= item.start_timestamp else 0


@rule()
def is_reachable(faults: FaultTable, broker: int) -> int:
    """5.1.4 and later: not marked unreachable by the last update, or found by the detector since."""
    item = faults.items[broker]
    return 1 if item.present == 0 or item.reachable != 0 else 0


@entry
def update_4_2_0(faults: FaultTable, now_ms: Ms, broker: int, latency_ms: Ms, isolation: int, reachable: int) -> int:
    """4.2.0-5.1.3: every update replaces the penalty, so a good result ends a running isolation."""
    charged_ms = ISOLATION_MS_4_2_0 if isolation else latency_ms
    item = faults.items[broker]
    start_timestamp = now_ms + not_available_duration(item.penalty, charged_ms)
    changed = 0
    if item.present == 0:
        add_item(faults, broker)
        changed = 1
    if item.current_latency != latency_ms or item.start_timestamp != start_timestamp:
        item.current_latency = latency_ms
        item.start_timestamp = start_timestamp
        changed = 1
    return changed


@entry
def update_5_1_4(faults: FaultTable, now_ms: Ms, broker: int, latency_ms: Ms, isolation: int, reachable: int) -> int:
    """5.1.4 and later: a penalty only moves later; latency and reachable are those of the last update."""
    charged_ms = ISOLATION_MS_5_1_4 if isolation else latency_ms
    item = faults.items[broker]
    duration_ms = not_available_duration(item.penalty, charged_ms)
    changed = 0
    if item.present == 0:
        add_item(faults, broker)
        changed = 1
    if item.current_latency != latency_ms or item.reachable != reachable:
        item.current_latency = latency_ms
        item.reachable = reachable
        changed = 1
    if duration_ms > 0 and now_ms + duration_ms > item.start_timestamp:
        item.start_timestamp = now_ms + duration_ms
        changed = 1
    return changed
