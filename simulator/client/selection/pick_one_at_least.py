"""pickOneAtLeast: the broker to fall back to when pass 1 found no queue, 4.2.0-5.1.3.

Source: rocketmq 4.2.0-5.1.3, LatencyFaultToleranceImpl.pickOneAtLeast and FaultItem.compareTo.
"""

from __future__ import annotations

from simulator.client.counters import next_below
from simulator.client.faults.fault_item import FaultItem, FaultTable
from simulator.client.java_int import remainder
from simulator.client.view import NO_BROKER
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms

THROWN = -2  # instead of a broker or a queue: an exception that the selection swallows


@rule()
def is_better(item: FaultItem, other: FaultItem, now_ms: Ms) -> bool:
    """FaultItem.compareTo < 0: available first, then the smaller latency, then the earlier start."""
    available = now_ms >= item.start_timestamp
    if available != (now_ms >= other.start_timestamp):
        return available
    if item.current_latency != other.current_latency:
        return item.current_latency < other.current_latency
    return item.start_timestamp < other.start_timestamp


@rule()
def shuffle(faults: FaultTable, count: int) -> None:
    """Collections.shuffle of the ranking's first `count` brokers, up to 4.9.3: it decides between equal items."""
    ranking = faults.penalty.ranking
    for size in range(count, 1, -1):
        other = next_below(faults.counter, size)
        ranking[size - 1], ranking[other] = ranking[other], ranking[size - 1]


@rule()
def rank(faults: FaultTable, now_ms: Ms) -> None:
    """Write the brokers of all items into the ranking, best first; equal items keep their listing order."""
    count, ranking = faults.item_count, faults.penalty.ranking
    for place in range(count):
        ranking[place] = faults.items[place].listed
    if faults.penalty.shuffles:
        shuffle(faults, count)
    for after in range(1, count):
        broker = ranking[after]
        item = faults.items[broker]
        place = after
        while place > 0 and is_better(item, faults.items[ranking[place - 1]], now_ms):
            ranking[place] = ranking[place - 1]
            place -= 1
        ranking[place] = broker


@rule()
def better_half(faults: FaultTable, now_ms: Ms) -> int:
    """Rank the whole table; how many items its better half has, rounded down."""
    rank(faults, now_ms)
    return faults.item_count // 2


@rule()
def pick_one_at_least(faults: FaultTable, half: int, index: int) -> int:
    """The ranked broker at `index` (the table's own counter) mod `half`, the first of all where half is 0.

    NO_BROKER for an empty table, THROWN where a negative index names no item.
    """
    if faults.item_count == 0:
        return NO_BROKER
    place = remainder(index, half) if half > 0 else 0
    return faults.penalty.ranking[place] if place >= 0 else THROWN
