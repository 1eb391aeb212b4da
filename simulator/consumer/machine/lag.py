"""The lag of a group: what it has to consume; what it missed, or skipped, is none."""

from __future__ import annotations

from typing import NamedTuple

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_side import NOT_BEGUN, QueueProgress
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.queue_log import QueueLog
from simulator.consumer.shared.queue_progress import progress_of


class GroupQueues(NamedTuple):
    """All queues of a group: how long they had no owner, or several, in the open window; messages by now."""

    unowned_us: Us
    double_us: Us
    lag: int
    missed: int
    skipped: int
    skipped_later: int


@rule()
def lag_of(log: QueueLog, progress: QueueProgress) -> int:
    """Messages of a queue that its group is to consume: none before its first round, or of a forgotten offset."""
    if progress.standing == NOT_BEGUN:
        return 0
    return log.max_offset - progress.first_times + progress.returned - progress.missed - progress.skipped


@rule()
def committed_lag_of(world: ConsumerWorld, subscription: int, log: QueueLog, progress: QueueProgress) -> int:
    """The lag by offsets, as `mqadmin consumerProgress` has it: without an offset all that was ever stored.

    A broadcasting instance has its offsets to itself, so what it skipped is none here either.
    """
    if progress.standing == NOT_BEGUN:
        return 0
    is_broadcasting = world.groups[world.subscriptions[subscription].group].is_broadcasting
    return log.max_offset - max(progress.committed, progress.skipped_until * is_broadcasting)


@rule()
def queues_of(world: ConsumerWorld, group: int) -> GroupQueues:
    """The queues of a group in the window that closes."""
    own = world.groups[group]
    unowned_us, double_us, lag, missed, skipped, later = 0, 0, 0, 0, 0, 0
    for subscription in range(own.first_subscription, own.first_subscription + own.subscriptions):
        topic = world.log_topics[world.subscriptions[subscription].topic]
        for log in range(topic.first_log, topic.first_log + topic.logs):
            progress = progress_of(world, subscription, log)
            if own.is_broadcasting == 0 and own.pop.batch == 0:
                unowned_us += progress.unowned_us
                double_us += progress.double_us
            lag += lag_of(world.logs[log], progress)
            missed += progress.missed
            skipped += progress.skipped
            later += progress.skipped_later
            progress.unowned_us = 0
            progress.double_us = 0
    return GroupQueues(unowned_us, double_us, lag, missed, skipped, later)
