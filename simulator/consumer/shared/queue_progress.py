"""How far groups have read queues: where that is remembered, and how long a queue had no owner, or several."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_side import QueueProgress
from simulator.consumer.memory.consumer_world import ConsumerWorld


@rule()
def progress_of(world: ConsumerWorld, subscription: int, log: int) -> QueueProgress:
    """How far a subscription's group has read a log."""
    own = world.subscriptions[subscription]
    return world.progress[own.first_progress + log - world.log_topics[own.topic].first_log]


@rule(inlined=True)
def progress_place(world: ConsumerWorld, subscription: int, log: int) -> int:
    """Its place in world.progress."""
    own = world.subscriptions[subscription]
    return own.first_progress + log - world.log_topics[own.topic].first_log


@rule()
def count_owners(world: ConsumerWorld, progress: QueueProgress, change: int, now_us: Us) -> None:
    """One owner more or less, or (0) the time so far is counted; of a queue that joins later from then on."""
    begin_us = max(progress.since_us, world.clock.window * world.settings.window_us)
    if progress.owners == 0:
        progress.unowned_us += max(now_us - begin_us, 0)
    elif progress.owners > 1:
        progress.double_us += now_us - begin_us
    progress.owners += change
    progress.since_us = max(now_us, progress.since_us)
