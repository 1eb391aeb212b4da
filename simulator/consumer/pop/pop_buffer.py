"""Check points that a broker keeps in memory (enablePopBufferMerge) until they are acknowledged or stay too long.

Only the latter are written. The offset table passes a batch of a queue when all of it is acknowledged, or it is
written, and each batch waits for those before it. A process that is killed forgets the batches in memory: what they
had popped is popped again from the offset that was written last, acknowledged or not.
Source: rocketmq 5.0.0-5.5.0, PopBufferMergeService.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.check_points import take_out
from simulator.consumer.memory.consumer_side import FAILED_TO_HANDLE, CheckPoint
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.shared.pop_places import place_of_pop
from simulator.consumer.shared.queue_progress import progress_of

STAYS_US = 10_000_000  # popCkStayBufferTime
WRITTEN_US = 3_000_000  # popCkStayBufferTimeOut: so long before its time it is written in any case


@rule()
def _is_in_memory(point: CheckPoint, now_us: Us) -> bool:
    """Whether a check point is not written yet; those in order or of a changed invisible time are written at once."""
    is_young = now_us - point.popped_us <= STAYS_US and point.revive_us - now_us >= WRITTEN_US
    return is_young and point.why != FAILED_TO_HANDLE and point.renewals == 0 and point.in_order == 0


@rule()
def _walk_memory(world: ConsumerWorld, broker: int, is_lost: bool) -> None:
    """Every check point that a broker has in memory: it is lost, or holds back what was written of its queue."""
    now_us = world.clock.now_us
    for subscription in range(world.settings.subscriptions):
        place = place_of_pop(world, subscription, broker)
        merges = world.pop_places[place].merges == 1 and world.pop_places[place].first_log >= 0
        at = world.pop_waits[place].first_point if merges else NOBODY
        while at != NOBODY:
            point = world.check_points[at]
            at = point.behind
            if not _is_in_memory(point, now_us):
                continue
            if is_lost:
                take_out(world, point)
            else:
                progress = progress_of(world, point.subscription, point.log)
                progress.flushed = min(progress.flushed, point.first_offset)


@rule()
def hold_offsets_back(world: ConsumerWorld, broker: int) -> None:
    """What a broker has just written of its offsets stops before the first batch in memory of each queue."""
    _walk_memory(world, broker, False)


@rule()
def forget_batches(world: ConsumerWorld, broker: int) -> None:
    """The broker's process was killed: nothing is due of what it had in memory."""
    _walk_memory(world, broker, True)
