"""Files of the commit log are deleted, and with them messages that some groups have not read.

Every 10 s a broker looks at its files. In the hours of deleteWhen, or while more than diskMaxUsedSpaceRatio of the disk
is used, it deletes those that were last written fileReservedTime ago; while more than 85 % is used, any. The file that
is written stays, and one look deletes at most ten.
Source: rocketmq 4.2.0-5.3.3, DefaultMessageStore.CleanCommitLogService and .CleanConsumeQueueService,
MappedFileQueue.deleteExpiredFileByTime.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.queue_log import NO_FILE, NO_PAGE
from simulator.consumer.queue_log.consumptions import count_consumption, times_in
from simulator.consumer.queue_log.filtering import is_kept
from simulator.consumer.queue_log.log_files import delete_first_file
from simulator.consumer.queue_log.log_pages import message_in, offset_at, page_of
from simulator.consumer.queue_log.skipping import is_skipped
from simulator.consumer.shared.queue_progress import progress_of

FORCIBLY_PERCENT = 85  # rocketmq.broker.diskSpaceCleanForciblyRatio
BATCH_FILES = 10  # deleteFilesBatchMax
HOUR_US = 3_600_000_000
DAY_HOURS = 24


@rule()
def clean_files(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """A broker looks at its files."""
    rules, files = world.store_rules[broker], world.broker_files[broker]
    if files.first_file == NO_FILE:
        return
    used = files.end - files.begin
    is_full = rules.disk_bytes > 0 and used * 100 > rules.disk_bytes * rules.disk_percent
    at_once = rules.disk_bytes > 0 and used * 100 > rules.disk_bytes * FORCIBLY_PERCENT
    hour = (world.settings.begins_at_us + now_us) // HOUR_US % DAY_HOURS
    if rules.hours >> hour & 1 == 0 and not is_full:
        return
    deleted = 0
    while files.first_file != files.last_file and deleted < BATCH_FILES:
        if not at_once and now_us < world.log_files[files.first_file].ended_us + rules.reserved_us:
            break
        delete_first_file(world, broker)
        deleted += 1
    if deleted > 0:
        _raise_offsets(world, broker, world.log_files[files.first_file].begun_us)


@rule()
def _raise_offsets(world: ConsumerWorld, broker: int, begun_us: Us) -> None:
    """The queues of a broker begin with what was stored from then on."""
    for number in range(world.settings.logs):
        log = world.logs[number]
        if log.broker == broker and log.max_offset > log.min_offset:
            offset = offset_at(world, log, begun_us)
            if offset > log.min_offset:
                for subscription in range(world.settings.subscriptions):
                    if world.subscriptions[subscription].topic == log.topic:
                        _miss(world, subscription, number, offset)
                log.min_offset = offset


@rule()
def _miss(world: ConsumerWorld, subscription: int, number: int, until: int) -> None:
    """Count what is deleted before a group has consumed it; what a client has cached is taken back as it is consumed.

    What a reset of offsets had the group consume again, and what it does not take, is no backlog any more either.
    """
    log, own = world.logs[number], world.subscriptions[subscription]
    if log.first_page == NO_PAGE:
        return
    progress = progress_of(world, subscription, number)
    page = log.first_page
    for offset in range(max(log.min_offset, world.pages[page].first_offset), until):
        page = page_of(world, log, offset, page)
        message = message_in(world.pages[page], offset)
        if times_in(message.counts, own) == 0:
            if is_skipped(progress, offset):
                continue
            if is_kept(world, subscription, message):
                progress.missed += 1
            else:
                count_consumption(message, own.shift, own.times_max)
                progress.first_times += 1
        elif progress.returned > 0 and max(progress.committed, 0) <= offset < progress.returned_until:
            progress.returned -= 1
