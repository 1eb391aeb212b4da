"""Where a reader goes on in a queue: what lies before and was not consumed is skipped, and no backlog.

A group goes past messages where it begins at the end or at a moment, where a broker names another offset, where its
offsets are reset, and where a crash took messages back and new ones have their offsets. What was deleted is missed.
Source: rocketmq 4.2.0-5.3.3, RebalancePushImpl.computePullFromWhere, DefaultMQPushConsumerImpl.pullMessage.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_side import BEGUN, NOT_BEGUN, QueueProgress
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import Holding
from simulator.consumer.memory.queue_log import NO_PAGE, QueueLog
from simulator.consumer.queue_log.consumptions import count_consumption, times_in
from simulator.consumer.queue_log.filtering import is_kept
from simulator.consumer.queue_log.log_pages import message_in, page_of
from simulator.consumer.shared.queue_progress import progress_of
from simulator.engine.memory.settings import FAR


@rule()
def begin_reading(world: ConsumerWorld, number: int) -> None:
    """From its first round on what a group has not consumed is its backlog; of a broadcasting instance by queue."""
    instance = world.instances[number]
    is_broadcasting = world.groups[instance.group].is_broadcasting
    for subscription in range(instance.first_subscription, instance.first_subscription + instance.subscriptions):
        topic = world.log_topics[world.subscriptions[subscription].topic]
        for log in range(topic.first_log, topic.first_log + topic.logs):
            progress = progress_of(world, subscription, log)
            if progress.standing == NOT_BEGUN and (is_broadcasting == 0 or progress.owners > 0):
                progress.standing = BEGUN


@rule()
def first_known(world: ConsumerWorld, log: QueueLog) -> int:
    """The first offset of a log that somebody may not have read; the end where there is none."""
    if log.first_page == NO_PAGE:
        return log.max_offset
    return max(log.min_offset, world.pages[log.first_page].first_offset)


@rule()
def goes_on_at(world: ConsumerWorld, subscription: int, number: int, offset: int, since_us: Us) -> None:
    """A reader goes on at an offset. `since_us`: when the instance was started.

    What a client has cached before counts as skipped until it is consumed; what it comes back to is backlog again.
    """
    log, own, progress = world.logs[number], world.subscriptions[subscription], progress_of(world, subscription, number)
    begin, end = min(offset, progress.skipped_until), max(offset, progress.skipped_until)
    page, first = log.first_page, first_known(world, log)
    is_past = offset > progress.skipped_until
    if is_past:
        progress.skipped_since_us = since_us
        if progress.skipped == 0:
            progress.skipped_from = max(begin, first)
    for at in range(max(begin, first), min(end, log.max_offset)):
        page = page_of(world, log, at, page)
        message = message_in(world.pages[page], at)
        if times_in(message.counts, own) > 0:
            if is_past and progress.returned > 0 and max(progress.committed, 0) <= at < progress.returned_until:
                progress.returned -= 1
        elif not is_kept(world, subscription, message):
            count_consumption(message, own.shift, own.times_max)
            progress.first_times += 1
        else:
            count_skipped(progress, 1 if is_past else -1, message.stored_us)
    progress.skipped_until = offset


@rule()
def count_skipped(progress: QueueProgress, change: int, stored_us: Us) -> None:
    """One skipped message more, or less, that was stored then."""
    progress.skipped += change
    if stored_us >= progress.skipped_since_us:
        progress.skipped_later += change


@rule()
def is_skipped(progress: QueueProgress, offset: int) -> bool:
    """Whether a message that was not consumed counts as skipped."""
    return progress.skipped > 0 and progress.skipped_from <= offset < progress.skipped_until


@rule()
def look_at_cut(world: ConsumerWorld, holding: Holding) -> None:
    """A pull after a crash: new messages may have the offsets that its group has behind it, and it never reads them."""
    progress = progress_of(world, holding.subscription, holding.log)
    if progress.cut_to == FAR or holding.offset > world.logs[holding.log].max_offset:
        return
    if holding.offset > progress.cut_to:
        since_us = world.instances[holding.instance].started_us
        goes_on_at(world, holding.subscription, holding.log, holding.offset, since_us)
    progress.cut_to = FAR
