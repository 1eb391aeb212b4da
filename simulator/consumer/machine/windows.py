"""Closing a window: lag by queue and group, what groups did; and what everybody has read is forgotten."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.lag_verdict import lag_verdict
from simulator.consumer.links.slave_side import least_offset
from simulator.consumer.machine.lag import committed_lag_of, lag_of, queues_of
from simulator.consumer.memory.consumer_output import copy_group_counts, copy_queue_counts, zero_group_counts
from simulator.consumer.memory.consumer_side import NOT_BEGUN
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import LEVELS_COUNTED, NO_TOPIC
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.queue_log.log_pages import forget_before, is_known, message_in, page_of
from simulator.consumer.rules.process_queue import first_offset
from simulator.consumer.shared.holdings import queue_of
from simulator.consumer.shared.queue_progress import count_owners, progress_of
from simulator.engine.memory.settings import FAR
from simulator.kernel import histogram
from simulator.kernel.row_table import next_row


@rule()
def close_window(world: ConsumerWorld, now_us: Us) -> None:
    """Put out the open window and open the next."""
    for log in range(world.settings.logs):
        world.logs[log].read_from = FAR
    for subscription in range(world.settings.subscriptions):
        _close_subscription(world, subscription, now_us)
    for group in range(world.settings.groups):
        _close_group(world, group, now_us)
    settings = world.settings
    if settings.pops > 0 or settings.delay_queues > 0 or settings.half_queues > 0:
        world.late.close_others(world, now_us)
    _forget_read(world, now_us)
    for log in range(world.settings.logs):
        world.logs[log].appended = 0
    world.clock.window += 1


@rule()
def _close_subscription(world: ConsumerWorld, subscription: int, now_us: Us) -> None:
    topic = world.log_topics[world.subscriptions[subscription].topic]
    for number in range(topic.first_log, topic.first_log + topic.logs):
        log, progress = world.logs[number], progress_of(world, subscription, number)
        count_owners(world, progress, 0, now_us)
        oldest_us = -1
        behind = progress.committed if progress.committed >= 0 else progress.skipped_until
        offset = max(behind, log.min_offset)
        if progress.standing != NOT_BEGUN and is_known(world, log, offset):
            progress.page = page_of(world, log, offset, progress.page)
            oldest_us = message_in(world.pages[progress.page], offset).stored_us
        verdict = lag_verdict(world, subscription, number, oldest_us, now_us)
        tally = world.tallies[world.subscriptions[subscription].group]
        tally.verdict = max(tally.verdict, verdict)
        if world.output.stored.room > 0:
            row = world.output.stored_rows[next_row(world.output, world.output.stored)]
            row.begin_us = world.clock.window * world.settings.window_us
            row.subscription = subscription
            row.log = number
            row.appended = log.appended
            row.max_offset = log.max_offset
            copy_queue_counts(row, progress)
            row.lag = lag_of(log, progress)
            row.committed_lag = committed_lag_of(world, subscription, log, progress)
            row.oldest_us = oldest_us
            row.verdict = verdict
        log.read_from = min(log.read_from, max(log.min_offset, least_offset(world, log.broker, progress)))
        progress.consumed = 0


@rule()
def _close_group(world: ConsumerWorld, group: int, now_us: Us) -> None:
    own, tally, counts = world.groups[group], world.tallies[group], world.histograms[group].counts
    queues = queues_of(world, group)
    cached, up, workers = 0, 0, 0
    for number in range(own.first_instance, own.first_instance + own.instances):
        instance = world.instances[number]
        up += instance.is_up
        workers += instance.workers * instance.is_up
        at = instance.first_holding
        while at != NOBODY:
            holding = world.holdings[at]
            queue = queue_of(world, at)
            cached += queue.msg_count
            log = world.logs[holding.log]
            log.read_from = min(log.read_from, first_offset(queue) if queue.cached > 0 else holding.offset)
            at = holding.next_holding
        for i in range(instance.workers):
            worker = world.workers[instance.first_worker + i]
            if worker.ends_us != FAR:
                tally.busy_us += now_us - worker.counted_us
                worker.counted_us = now_us
    firsts = tally.handled
    if world.output.consumer_windows.room > 0:
        row = world.output.consumer_window_rows[next_row(world.output, world.output.consumer_windows)]
        row.begin_us = world.clock.window * world.settings.window_us
        row.group = group
        row.instances = up
        row.workers = workers
        copy_group_counts(row, tally)
        row.missed = queues.missed
        row.skipped = queues.skipped
        row.skipped_later = queues.skipped_later
        row.lag = queues.lag
        row.cached = cached
        row.unowned_us = queues.unowned_us
        row.double_us = queues.double_us
        row.p50_half_us = histogram.half_us(counts, firsts, 500_000, tally.max_us)
        row.p99_half_us = histogram.half_us(counts, firsts, 990_000, tally.max_us)
    if firsts > 0:
        is_counted = world.clock.window * world.settings.window_us >= world.settings.counted_from_us
        histogram.move(counts, world.overall[group].counts, is_counted)
    zero_group_counts(tally)
    tally.handled = 0
    if own.handling.retry_topic != NO_TOPIC:
        _close_retries(world, group)


@rule()
def _close_retries(world: ConsumerWorld, group: int) -> None:
    """Put out what was sent back with each delay level; nobody reads the dead letters."""
    for level in range(LEVELS_COUNTED):
        place = group * LEVELS_COUNTED + level
        if world.sent_back[place] > 0 and world.output.retries.room > 0:
            row = world.output.retry_rows[next_row(world.output, world.output.retries)]
            row.begin_us = world.clock.window * world.settings.window_us
            row.group = group
            row.level = level
            row.messages = world.sent_back[place]
        world.sent_back[place] = 0
    dead = world.log_topics[world.groups[group].handling.dead_topic]
    for number in range(dead.first_log, dead.first_log + dead.logs):
        world.logs[number].read_from = world.logs[number].max_offset


@rule()
def _forget_read(world: ConsumerWorld, now_us: Us) -> None:
    for number in range(world.settings.logs):
        log = world.logs[number]
        if now_us <= world.settings.keep_from_us:
            log.kept_from = log.max_offset
        if now_us < world.settings.keep_until_us:
            log.read_from = min(log.read_from, log.kept_from)
        if log.read_from != FAR:
            forget_before(world, log, log.read_from)
