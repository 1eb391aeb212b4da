"""Whether a delivery is the first that handles its message, and which deliveries come after one that did."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.memory.consume_task import ConsumeTask
from simulator.consumer.memory.consumer_group import ReadingGroup, SubscribedTopic
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import WELL_HANDLED
from simulator.consumer.memory.queue_log import NO_LOG, QueueLog
from simulator.consumer.queue_log.consumptions import (
    HANDLED_MARK,
    handled_mark,
    note_handled,
    reconsume_times_in,
    was_handled_in,
)
from simulator.consumer.queue_log.log_pages import has_page, is_known, message_in
from simulator.consumer.queue_log.retry_copies import HANDLED, NO_COPY, NOT_HANDLED, copies_say, mark_copies

UNKNOWN = -1


@rule()
def counts_in_retry(world: ConsumerWorld, subscription: SubscribedTopic, log: QueueLog, task: ConsumeTask) -> int:
    """The counts of a message of a retry topic, UNKNOWN of any other message and of one that is forgotten."""
    if subscription.is_retry == 0 or task.offset >= log.max_offset or not is_known(world, log, task.offset):
        return UNKNOWN
    if not has_page(world, log, task.offset, task.page):
        return UNKNOWN
    message = message_in(world.pages[task.page], task.offset)
    return message.counts if message.sender == task.sender else UNKNOWN


@rule()
def came_again(world: ConsumerWorld, subscription: SubscribedTopic, log: QueueLog, task: ConsumeTask) -> int:
    """1: the group had handled the message before it was stored in its retry topic."""
    counts = counts_in_retry(world, subscription, log, task)
    return was_handled_in(counts) if counts != UNKNOWN else 0


@rule()
def failed_in_place(world: ConsumerWorld, subscription: SubscribedTopic, log: QueueLog, task: ConsumeTask) -> int:
    """How often the message failed since its instance got it, and was handled again in place."""
    if world.groups[subscription.group].pop.batch > 0:
        return task.reconsume_times - world.check_points[task.point].reconsume_times
    if subscription.is_retry == 0:
        return task.reconsume_times
    counts = counts_in_retry(world, subscription, log, task)
    return task.reconsume_times - reconsume_times_in(counts) if counts != UNKNOWN else 0


@rule(inlined=True)
def pops_in_any_order(group: ReadingGroup) -> bool:
    """Whether a group pops, and what it does not acknowledge is stored again in a retry topic."""
    return group.pop.batch > 0 and group.pop.in_order == 0


@rule()
def note_handling(world: ConsumerWorld, subscription: SubscribedTopic, task: ConsumeTask) -> int:
    """A popped message was delivered: 1 if the group had handled it before, wherever. If it is handled now, note that.

    A message that is forgotten where it was popped was handled, unless a copy that is known says otherwise; so was one
    whose copies are forgotten.
    """
    point = world.check_points[task.point]
    log, counts = world.logs[point.log], 0
    is_here = task.offset < log.max_offset and is_known(world, log, task.offset)
    is_here = is_here and has_page(world, log, task.offset, task.page)
    if is_here:
        message = message_in(world.pages[task.page], task.offset)
        counts = message.counts
        if counts & handled_mark(subscription) != 0:
            return 1
        if task.fate in WELL_HANDLED:
            note_handled(message, subscription)
    copies = copies_say(world, point, counts)
    if copies == NOT_HANDLED and task.fate in WELL_HANDLED:
        mark_copies(world, point, HANDLED_MARK)
    is_forgotten = copies == NO_COPY and (not is_here or point.copy_log != NO_LOG)
    return int(copies == HANDLED or is_forgotten)
