"""Counting a delivery that ended: of its group, of its queue, and as a row where rows are wanted."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.handling.deduplicating import remember
from simulator.consumer.handling.handled_before import came_again, failed_in_place, note_handling, pops_in_any_order
from simulator.consumer.memory.consume_task import ConsumeTask, Worker
from simulator.consumer.memory.consumer_group import SubscribedTopic
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import DUPLICATE, WELL_HANDLED
from simulator.consumer.memory.held_queue import Holding
from simulator.consumer.memory.queue_log import QueueLog
from simulator.consumer.queue_log.consumptions import count_consumption
from simulator.consumer.queue_log.log_pages import has_page, is_known, message_in
from simulator.consumer.queue_log.skipping import count_skipped, is_skipped
from simulator.consumer.shared.consumer_rows import DeliveryPlace, put_consumed
from simulator.kernel import histogram

TAKEN_BACK = 0


@rule()
def _is_again(world: ConsumerWorld, group: int, task: ConsumeTask, now_us: Us, is_first: bool) -> bool:
    """Whether a group that deduplicates has handled this message before nevertheless; it remembers the message."""
    is_known = remember(world, group, task, now_us)
    return is_known == 1 or not is_first


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
    times, again = _times(world, subscription, log, task), came_again(world, subscription, log, task)
    pops = pops_in_any_order(world.groups[subscription.group])
    if pops and times != TAKEN_BACK:
        again = note_handling(world, subscription, task)
    progress = world.progress[subscription.first_progress + place.log - world.log_topics[log.topic].first_log]
    tally = world.tallies[subscription.group]
    is_handled = task.fate in WELL_HANDLED
    progress.consumed += 1
    tally.consumed += 1
    world.clock.consumed += 1
    if times == TAKEN_BACK:
        times = 1
    elif times == 1:
        progress.first_times += 1
        tally.again += again
        world.clock.again += again
        if task.offset < progress.furthest:
            tally.out_of_order += 1
        progress.furthest = max(progress.furthest, task.offset)
        if is_skipped(progress, task.offset):
            count_skipped(progress, -1, task.stored_us)  # it was cached when its group went past it
        elif task.offset < log.min_offset:
            progress.missed -= 1  # it was cached when it was deleted
    elif pops:
        times = times if again == 1 else 1  # it was revived, or failed, where it had been popped before
        tally.again += again
        world.clock.again += again
    elif failed_in_place(world, subscription, log, task) == 0:  # a retry in place goes on with a delivery that counted
        tally.again += 1
        if progress.returned > 0 and task.offset < progress.returned_until:
            progress.returned -= 1
        world.clock.again += 1
    if task.fate == DUPLICATE:
        tally.deduplicated += 1
    elif not is_handled:
        tally.failed += 1
    else:
        is_first = again == 0 and times <= 1 + failed_in_place(world, subscription, log, task)
        _count_handled(world, subscription.group, task, is_first, now_us)
    if world.output.consumed.room > 0:
        put_consumed(world, place, worker, task, now_us, max(times, 1 + again))


@rule()
def _count_handled(world: ConsumerWorld, group: int, task: ConsumeTask, is_first: bool, now_us: Us) -> None:
    """Count a delivery that its listener handled."""
    tally = world.tallies[group]
    if world.groups[group].duplicates.entries > 0 and _is_again(world, group, task, now_us, is_first):
        tally.handled_again += 1
    elif is_first:
        tally.handled += 1
        took_us = now_us - task.arrival_us
        world.histograms[group].counts[histogram.cell_of(took_us)] += 1
        tally.max_us = max(tally.max_us, took_us)
