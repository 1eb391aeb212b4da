"""Which deliveries fail: drawn by the message and the number of its delivery, so that every policy meets the same."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import DUPLICATE
from simulator.consumer.memory.instance import NOBODY, Instance
from simulator.consumer.rules.reconsume import failed_from
from simulator.kernel.randomness import HANDLING_FAILS, MESSAGE_FAILS, below, hash3, hash4

PPM = 1_000_000


@rule()
def delivery_fails(world: ConsumerWorld, instance: Instance, draw: int, reconsume_times: int) -> bool:
    """Whether the handling of a message fails, its deliveries before not counted among the first."""
    own = world.groups[instance.group].handling
    seed = world.settings.seed
    if own.fails_always_ppm > 0 and below(hash3(seed, MESSAGE_FAILS, draw), PPM) < own.fails_always_ppm:
        return True
    share_ppm = max(own.fails_ppm, instance.fails_ppm)
    return share_ppm > 0 and below(hash4(seed, HANDLING_FAILS, draw, reconsume_times), PPM) < share_ppm


@rule()
def first_failed(world: ConsumerWorld, instance: Instance, first_task: int) -> int:
    """Place of the first message of a batch that is consumed again; as large as the batch if none is."""
    own = world.groups[instance.group].handling
    count, failed = 0, NOBODY
    number = first_task
    while number != NOBODY:
        task = world.tasks[number]
        if (
            failed == NOBODY
            and task.fate != DUPLICATE
            and delivery_fails(world, instance, task.draw, task.reconsume_times)
        ):
            failed = count
        count += 1
        number = task.next_task
    if failed == NOBODY:
        return count
    return failed_from(failed - 1, count, own.acks_some)
