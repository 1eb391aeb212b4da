"""LatencyFaultTolerance: how an item is updated, and who is available.

An item of a broker that is not in the table counts as available and reachable.
Source: rocketmq, client.latency.LatencyFaultToleranceImpl and MQFaultStrategy.computeNotAvailableDuration.
"""

from __future__ import annotations

import numpy as np

from simulator.client.faults.item_listing import add_item, item_of
from simulator.client.memory import (
    CURRENT_LATENCY,
    PENALTY,
    PENALTY_STEPS,
    PENALTY_TABLE,
    PRESENT,
    REACHABLE,
    START_TIMESTAMP,
)
from simulator.client.signatures import AVAILABLE, UPDATE
from simulator.compiled.jit import entry, rule

ISOLATION_MS_4_2_0 = 30_000  # latency an isolated broker is charged with, 4.2.0-5.1.3
ISOLATION_MS_5_1_4 = 10_000  # the same, 5.1.4 and later


@rule()
def not_available_duration(m: np.ndarray, penalty: int, latency_ms: int) -> int:
    """Penalty of that latency, ms: the entry of the largest latencyMax not above it, 0 below them all."""
    steps = m[penalty + PENALTY_STEPS]
    latency_max = penalty + PENALTY_TABLE
    for step in range(steps - 1, -1, -1):
        if latency_ms >= m[latency_max + step]:
            return m[latency_max + steps + step]
    return 0


@entry(AVAILABLE)
def is_available_4_2_0(m: np.ndarray, faults: int, now_ms: int, broker: int) -> int:
    """4.2.0-5.1.3 and 5.2.0 on: the penalty has run out; whether the broker is reachable does not matter."""
    item = item_of(faults, broker)
    return 1 if m[item + PRESENT] == 0 or now_ms >= m[item + START_TIMESTAMP] else 0


@entry(AVAILABLE)
def is_available_5_1_4(m: np.ndarray, faults: int, now_ms: int, broker: int) -> int:
    """5.1.4: the penalty has run out and the broker is reachable."""
    item = item_of(faults, broker)
    if m[item + PRESENT] == 0:
        return 1
    return 1 if m[item + REACHABLE] != 0 and now_ms >= m[item + START_TIMESTAMP] else 0


@rule()
def is_reachable(m: np.ndarray, faults: int, broker: int) -> int:
    """5.1.4 and later: not marked unreachable by the last update, or found by the detector since."""
    item = item_of(faults, broker)
    return 1 if m[item + PRESENT] == 0 or m[item + REACHABLE] != 0 else 0


@entry(UPDATE)
def update_4_2_0(
    m: np.ndarray, faults: int, now_ms: int, broker: int, latency_ms: int, isolation: int, reachable: int
) -> int:
    """4.2.0-5.1.3: every update sets the penalty anew, so a good result ends a running isolation."""
    charged_ms = ISOLATION_MS_4_2_0 if isolation else latency_ms
    start_timestamp = now_ms + not_available_duration(m, m[faults + PENALTY], charged_ms)
    item = item_of(faults, broker)
    changed = 0
    if m[item + PRESENT] == 0:
        add_item(m, faults, broker)
        changed = 1
    if m[item + CURRENT_LATENCY] != latency_ms or m[item + START_TIMESTAMP] != start_timestamp:
        m[item + CURRENT_LATENCY] = latency_ms
        m[item + START_TIMESTAMP] = start_timestamp
        changed = 1
    return changed


@entry(UPDATE)
def update_5_1_4(
    m: np.ndarray, faults: int, now_ms: int, broker: int, latency_ms: int, isolation: int, reachable: int
) -> int:
    """5.1.4 and later: a penalty only moves later; latency and reachable are those of the last update."""
    charged_ms = ISOLATION_MS_5_1_4 if isolation else latency_ms
    duration_ms = not_available_duration(m, m[faults + PENALTY], charged_ms)
    item = item_of(faults, broker)
    changed = 0
    if m[item + PRESENT] == 0:
        add_item(m, faults, broker)
        changed = 1
    if m[item + CURRENT_LATENCY] != latency_ms or m[item + REACHABLE] != reachable:
        m[item + CURRENT_LATENCY] = latency_ms
        m[item + REACHABLE] = reachable
        changed = 1
    if duration_ms > 0 and now_ms + duration_ms > m[item + START_TIMESTAMP]:
        m[item + START_TIMESTAMP] = now_ms + duration_ms
        changed = 1
    return changed
