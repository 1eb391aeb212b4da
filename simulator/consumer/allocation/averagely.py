"""AVG: contiguous blocks; the first (queues mod members) consumers get one more.

Source: rocketmq 4.2.0-5.3.3, AllocateMessageQueueAveragely.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells
from simulator.consumer.allocation.sharing import Listed, place_of


@rule()
def allocate_averagely(queues: Listed, members: Listed, me: int, result: Cells) -> int:
    """Number of queues of that consumer, which must be listed; they are written to `result`."""
    index = place_of(members, me)
    rest = queues.count % members.count
    has_one_more = rest > 0 and index < rest
    size = max(queues.count // members.count + (1 if has_one_more else 0), 1)
    first = index * size if has_one_more else index * size + rest
    count = max(min(size, queues.count - first), 0)
    for i in range(count):
        result[i] = queues.numbers[first + i]
    return count
