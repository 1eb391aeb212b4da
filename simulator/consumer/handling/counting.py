"""Counting a delivery that ended: of its group, of its queue, and as a row where rows are wanted."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.handling.deduplicating import remember
from simulator.consumer.memory.consume_task import ConsumeTask, Worker
from simulator.consumer.memory.consumer_group import SubscribedTopic
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import DUPLICATE, SUCCEEDED, TOO_LATE
from simulator.consumer.memory.held_queue import Holding
from simulator.consumer.memory.queue_log import NO_LOG, NO_PAGE, QueueLog
from simulator.consumer.queue_log.consumptions import TIMES_MASK, count_consumption, note_handled, was_handled_in
from simulator.consumer.queue_log.log_pages import has_page, is_known, message_in, page_of
from simulator.consumer.queue_log.skipping import count_skipped, is_skipped
from simulator.consumer.shared.consumer_rows import DeliveryPlace, put_consumed
from simulator.kernel import histogram

TAKEN_BACK = 0


@rule()
def _is_again(world: ConsumerWorld, group: int, task: ConsumeTask, now_us: Us, times: int) -> bool:
    """Whether a group that deduplicates has handled this message before nevertheless; it remembers the message."""
    is_known = remember(world, group, task, now_us)
    return is_known == 1 or times > 1


@rule()
def _times(world: ConsumerWorld, subscription: SubscribedTopic, log: QueueLog, task: ConsumeTask) -> int:
    """How often the group has consumed the message, now included; TAKEN_BACK: a crash took it back meanwhile."""
    if task.offset >= log.max_offset:
        return TAKEN_BACK
    if not is_known(world, log, task.offset) or not has_page(world, log, task.offset, task.page):
        return 2  # every group had read it
    message = message_in(world.pages[task.page], task.offset)
    if message.sender != task.sender or message.stored_us != task.stored_us:
        return TAKEN_BACK  # a later one has its offset
    return count_consumption(message, subscription.shift, subscription.times_max)


@rule()
def _came_again(world: ConsumerWorld, subscription: SubscribedTopic, log: QueueLog, task: ConsumeTask) -> int:
    """1: the group had handled the message before it was stored in its retry topic."""
    if subscription.is_retry == 0 or task.offset >= log.max_offset or not is_known(world, log, task.offset):
        return 0
    if not has_page(world, log, task.offset, task.page):
        return 0
    message = message_in(world.pages[task.page], task.offset)
    return was_handled_in(message.counts) if message.sender == task.sender else 0


@rule()
def _is_late_first(world: ConsumerWorld, group: int, task: ConsumeTask) -> bool:
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


@rule()
def count_delivery(world: ConsumerWorld, holding: Holding, worker: Worker, task: ConsumeTask, now_us: Us) -> None:
    """Count a consumption of a queue that is held, and put it out if it is asked for."""
    count_delivery_at(world, DeliveryPlace(holding.subscription, holding.log, holding.is_dropped), worker, task, now_us)


@rule()
def count_delivery_at(
    world: ConsumerWorld, place: DeliveryPlace, worker: Worker, task: ConsumeTask, now_us: Us
) -> None:
    """Count a consumption, and put it out if it is asked for."""
    subscription = world.subscriptions[place.subscription]
    log = world.logs[place.log]
    times, came_again = _times(world, subscription, log, task), _came_again(world, subscription, log, task)
    progress = world.progress[subscription.first_progress + place.log - world.log_topics[log.topic].first_log]
    tally = world.tallies[subscription.group]
    progress.consumed += 1
    tally.consumed += 1
    world.clock.consumed += 1
    if times == TAKEN_BACK:
        times = 1
    elif times == 1:
        progress.first_times += 1
        tally.again += came_again
        world.clock.again += came_again
        if task.offset < progress.furthest:
            tally.out_of_order += 1
        progress.furthest = max(progress.furthest, task.offset)
        if is_skipped(progress, task.offset):
            count_skipped(progress, -1, task.stored_us)  # it was cached when its group went past it
        elif task.offset < log.min_offset:
            progress.missed -= 1  # it was cached when it was deleted
    elif came_again == 0 and _is_late_first(world, subscription.group, task):
        times = 1
    else:
        tally.again += 1
        if progress.returned > 0 and task.offset < progress.returned_until:
            progress.returned -= 1
        world.clock.again += 1
    if task.fate == DUPLICATE:
        tally.deduplicated += 1
    elif task.fate != SUCCEEDED:
        tally.failed += int(task.fate != TOO_LATE)  # that was handled
    elif world.groups[subscription.group].duplicates.entries > 0 and _is_again(
        world, subscription.group, task, now_us, times
    ):
        tally.handled_again += 1
    elif times == 1:
        tally.handled += 1
        took_us = now_us - task.arrival_us
        world.histograms[subscription.group].counts[histogram.cell_of(took_us)] += 1
        tally.max_us = max(tally.max_us, took_us)
    if world.output.consumed.room > 0:
        put_consumed(world, place, worker, task, now_us, max(times, 1 + came_again))
