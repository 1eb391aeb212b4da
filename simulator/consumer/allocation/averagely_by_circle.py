"""AVG_BY_CIRCLE: the queues at places i, i + members, i + 2 members ...

Source: rocketmq 4.2.0-5.3.3, AllocateMessageQueueAveragelyByCircle.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells
from simulator.consumer.allocation.sharing import Listed, place_of


@rule()
def allocate_by_circle(queues: Listed, members: Listed, me: int, result: Cells) -> int:
    """Number of queues of that consumer, which must be listed; they are written to `result`."""
    count = 0
    place = place_of(members, me)
    while place < queues.count:
        result[count] = queues.numbers[place]
        count += 1
        place += members.count
    return count
