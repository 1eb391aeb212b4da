"""pickOneAtLeast: the broker to fall back to when pass 1 found no queue, 4.2.0-5.1.3.

Source: rocketmq 4.2.0-5.1.3, LatencyFaultToleranceImpl.pickOneAtLeast and FaultItem.compareTo.
"""

from __future__ import annotations

import numpy as np

from simulator.client.draw import next_below
from simulator.client.faults.item_listing import item_of, listing_of, ranking_of
from simulator.client.java_int import remainder
from simulator.client.memory import CURRENT_LATENCY, ITEM_COUNT, NO_BROKER, SHUFFLES, START_TIMESTAMP, WORST_RANDOM
from simulator.compiled.jit import rule

THROWN = -2  # instead of a broker or a queue: an exception that the selection swallows


@rule()
def is_better(m: np.ndarray, item: int, other: int, now_ms: int) -> bool:
    """FaultItem.compareTo < 0: available first, then the smaller latency, then the earlier start."""
    available = now_ms >= m[item + START_TIMESTAMP]
    if available != (now_ms >= m[other + START_TIMESTAMP]):
        return available
    if m[item + CURRENT_LATENCY] != m[other + CURRENT_LATENCY]:
        return m[item + CURRENT_LATENCY] < m[other + CURRENT_LATENCY]
    return m[item + START_TIMESTAMP] < m[other + START_TIMESTAMP]


@rule()
def shuffle(m: np.ndarray, faults: int, first: int, count: int) -> None:
    """Collections.shuffle of `count` cells, up to 4.9.3: it decides between equal items."""
    for size in range(count, 1, -1):
        other = first + next_below(m, faults + WORST_RANDOM, size)
        m[first + size - 1], m[other] = m[other], m[first + size - 1]


@rule()
def rank(m: np.ndarray, faults: int, now_ms: int) -> None:
    """Write the brokers of all items into the ranking, best first; equal items keep their listing order."""
    count = m[faults + ITEM_COUNT]
    listed = listing_of(m, faults)
    ranked = ranking_of(m, faults)
    for place in range(count):
        m[ranked + place] = m[listed + place]
    if m[faults + SHUFFLES]:
        shuffle(m, faults, ranked, count)
    for after in range(1, count):
        broker = m[ranked + after]
        item = item_of(faults, broker)
        place = after
        while place > 0 and is_better(m, item, item_of(faults, m[ranked + place - 1]), now_ms):
            m[ranked + place] = m[ranked + place - 1]
            place -= 1
        m[ranked + place] = broker


@rule()
def better_half(m: np.ndarray, faults: int, now_ms: int) -> int:
    """Rank the whole table; how many items its better half has, rounded down."""
    rank(m, faults, now_ms)
    return m[faults + ITEM_COUNT] // 2


@rule()
def pick_one_at_least(m: np.ndarray, faults: int, half: int, index: int) -> int:
    """The ranked broker at `index` (the table's own counter) mod `half`, the first of all where half is 0.

    NO_BROKER for an empty table, THROWN where a negative index names no item.
    """
    if m[faults + ITEM_COUNT] == 0:
        return NO_BROKER
    place = remainder(index, half) if half > 0 else 0
    return m[ranking_of(m, faults) + place] if place >= 0 else THROWN
