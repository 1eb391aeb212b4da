"""A crash takes back what was stored and not yet flushed or copied: the ends of a broker's logs are cut off.

Offsets that clients and brokers have noted stay: they may lie beyond the end then (broker/arriving_pulls.py).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.queue_log.consumptions import times_in
from simulator.consumer.queue_log.log_pages import drop_last_message, is_known, message_in, page_of
from simulator.consumer.queue_log.skipping import count_skipped, is_skipped
from simulator.consumer.shared.queue_progress import progress_of


@rule()
def cut_tail(world: ConsumerWorld, number: int, count: int) -> None:
    """The last messages of a log are gone; who had consumed them has consumed less of what there is."""
    log = world.logs[number]
    for _ in range(min(count, log.max_offset)):
        offset = log.max_offset - 1
        counts, stored_us = -1, 0  # of what every group had read
        if is_known(world, log, offset):
            message = message_in(world.pages[page_of(world, log, offset, log.last_page)], offset)
            counts, stored_us = message.counts, message.stored_us
        for subscription in range(world.settings.subscriptions):
            own = world.subscriptions[subscription]
            if own.topic != log.topic:
                continue
            progress = progress_of(world, subscription, number)
            if times_in(counts, own) > 0:
                progress.first_times -= 1
            elif is_skipped(progress, offset):
                count_skipped(progress, -1, stored_us)
            elif offset < log.min_offset:
                progress.missed -= 1
            progress.skipped_until = min(progress.skipped_until, offset)
            progress.cut_to = min(progress.cut_to, offset)
            progress.furthest = min(progress.furthest, max(offset - 1, 0))
        log.min_offset = min(log.min_offset, offset)
        drop_last_message(world, log)
