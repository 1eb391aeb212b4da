"""Whether a delivery is the first that handles its message, and which deliveries come after one that did."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.memory.consume_task import ConsumeTask
from simulator.consumer.memory.consumer_group import SubscribedTopic
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.queue_log import NO_LOG, NO_PAGE, QueueLog
from simulator.consumer.queue_log.consumptions import TIMES_MASK, note_handled, reconsume_times_in, was_handled_in
from simulator.consumer.queue_log.log_pages import has_page, is_known, message_in, page_of

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


@rule()
def note_late_handling(world: ConsumerWorld, group: int, task: ConsumeTask) -> bool:
    """Whether a popped message that came again meanwhile is handled for the first time; its copy is not, then."""
    if world.groups[group].pop.batch == 0:
        return False
    point = world.check_points[task.point]
    if point.copy_log == NO_LOG or not is_known(world, world.logs[point.copy_log], point.copy_offset):
        return False
    page = page_of(world, world.logs[point.copy_log], point.copy_offset, NO_PAGE)
    copy = message_in(world.pages[page], point.copy_offset)
    if copy.sender != task.sender or copy.counts & TIMES_MASK > 0 or was_handled_in(copy.counts) == 1:
        return False
    note_handled(copy)
    return True
