"""A broker serves a pull: its threads, what is in memory, what is read from the disk or at a slave.

Source: rocketmq 4.2.0-5.3.3, BrokerConfig.pullMessageThreadPoolNums, DefaultMessageStore.getMessage, isTheBatchFull
and checkInDiskByCommitOffset, PullMessageProcessor (suggestWhichBrokerId).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.links.instance_routes import has_address
from simulator.consumer.links.slave_side import knows_slave
from simulator.consumer.memory.consumer_group import BY_PROPERTIES
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import ANSWERED, Holding
from simulator.consumer.memory.queue_log import NO_PAGE, PAGE_MESSAGES, QueueLog
from simulator.consumer.queue_log.filtering import SCANNED_MAX, is_passed
from simulator.consumer.queue_log.log_pages import is_known, message_in, page_of
from simulator.consumer.shared.holdings import group_of, pull_at
from simulator.engine.memory.settings import FAR


@rule()
def first_free_thread(world: ConsumerWorld, broker: int) -> int:
    """Place in world.pull_threads of the broker's thread that is free first."""
    threads, first = world.pull_threads, broker * world.settings.pull_threads
    free_us = threads[first]
    for place in range(first + 1, first + world.settings.pull_threads):  # several at a time by the processor
        free_us = min(free_us, threads[place])
    found = first
    while threads[found] != free_us:
        found += 1
    return found


@rule()
def position_of(world: ConsumerWorld, log: QueueLog, page_number: int, offset: int) -> int:
    """Where a message of that page lies in the commit log: between two pages they are evenly spread."""
    page = world.pages[page_number]
    if page.next_page == NO_PAGE:
        end, count = world.broker_files[log.broker].end, log.max_offset - page.first_offset
    else:
        end, count = world.pages[page.next_page].position, PAGE_MESSAGES
    return page.position + (end - page.position) * (offset - page.first_offset) // count


@rule()
def is_on_disk(world: ConsumerWorld, log: QueueLog, page: int, offset: int) -> bool:
    """Whether a message, whose page that is, is no longer in memory."""
    memory = world.store_rules[log.broker].memory_bytes
    return memory > 0 and world.broker_files[log.broker].end - position_of(world, log, page, offset) > memory


@rule()
def begins_in_memory(world: ConsumerWorld, log: QueueLog) -> bool:
    """Whether the broker calls the first message of a queue in memory (checkInDiskByConsumeOffset, from 5.1.0
    checkInMemByConsumeOffset), or the queue has none."""
    if log.first_page == NO_PAGE or world.pages[log.first_page].first_offset > log.min_offset:
        return True
    if world.serving[log.broker].asks_page_cache == 0:
        return not is_on_disk(world, log, log.first_page, log.min_offset)
    behind = world.broker_files[log.broker].end - position_of(world, log, log.first_page, log.min_offset)
    cache = world.store_rules[log.broker].cache_bytes
    return cache == 0 or behind <= cache


@rule()
def read_at(world: ConsumerWorld, broker: int, from_slave: int, at_us: Us) -> int:
    """When the disk of a broker, or of its slave, has read what a pull asks for: one after the other."""
    files, takes_us = world.broker_files[broker], world.store_rules[broker].disk_read_us
    if from_slave == 1:
        files.slave_disk_free_us = max(files.slave_disk_free_us, at_us) + takes_us
        return files.slave_disk_free_us
    files.disk_free_us = max(files.disk_free_us, at_us) + takes_us
    return files.disk_free_us


@rule()
def filtered_at(world: ConsumerWorld, holding: Holding, broker: int, read: int, of_disk: int, at_us: Us) -> int:
    """When the properties of so many messages are read and evaluated, `of_disk` of them from the disk.

    The disk has read as many as a pull may have from it; the rest it reads as for further pulls.
    """
    for _ in range((of_disk - 1) // world.settings.disk_count):
        at_us = read_at(world, broker, holding.from_slave, at_us)
    return at_us + read * world.store_rules[broker].filter_us


@rule()
def goes_to_slave(world: ConsumerWorld, holding: Holding) -> int:
    """1 if a pull goes to the slave: the client knows no address of the master, or the broker suggested it."""
    log = world.logs[holding.log]
    rules = world.store_rules[log.broker]
    if rules.slaves == 0:
        return 0
    if not has_address(world, holding.instance, log.topic, log.broker):
        return 1
    return 1 if holding.suggested_slave == 1 and knows_slave(world, holding.instance, log.broker) else 0


@rule()
def copied_until(world: ConsumerWorld, broker: int, now_us: Us) -> int:
    """The slave has what its master stored until then."""
    master = world.serving[broker]
    stored_us = min(now_us, master.away_since_us) if master.is_away != 0 else now_us
    if master.cut_since_us > 0:
        stored_us = min(stored_us, master.cut_since_us)
    return stored_us - world.store_rules[broker].slave_us


@rule(inlined=True)
def readable_until(world: ConsumerWorld, holding: Holding, broker: int, now_us: Us) -> int:
    """A pull finds what was stored until then."""
    return copied_until(world, broker, now_us) if holding.from_slave == 1 else FAR


@rule()
def serve(world: ConsumerWorld, number: int, now_us: Us, takes_us: Us) -> None:
    """A pull thread of the broker answers, the first that is free."""
    holding = world.holdings[number]
    broker = world.logs[holding.log].broker
    if holding.from_slave == 1:
        answer(world, number, now_us + takes_us + world.store_rules[broker].slave_us)
        return
    thread = first_free_thread(world, broker)
    start_us = max(now_us, world.pull_threads[thread])
    done_us = answer(world, number, start_us + takes_us)
    world.pull_threads[thread] = max(done_us, start_us + world.store_rules[broker].pull_us)


@rule()
def answer(world: ConsumerWorld, number: int, at_us: Us) -> int:
    """Answer a pull with what can be read: at most 32 messages and 256 KiB, of the disk 8 and 64 KiB, at least one.

    When the broker is done with it.
    """
    holding = world.holdings[number]
    log, settings = world.logs[holding.log], world.settings
    most, limit = settings.transfer_count, settings.transfer_bytes
    offset = max(holding.offset, log.min_offset)
    if not is_known(world, log, offset):
        offset = log.max_offset
    holding.offset = offset
    holding.found = 0
    scanned = 0
    if offset < log.max_offset:
        page = page_of(world, log, offset, holding.page)
        holding.page = page
        size = 0
        from_disk = is_on_disk(world, log, page, offset)
        if from_disk:
            most, limit = settings.disk_count, settings.disk_bytes
            at_us = read_at(world, log.broker, holding.from_slave, at_us)
        holding.suggested_slave = int(from_disk and world.store_rules[log.broker].slave_read == 1)
        most = min(group_of(world, holding).pull_batch, most)
        until_us = readable_until(world, holding, log.broker, at_us)
        by_properties = world.subscriptions[holding.subscription].filters == BY_PROPERTIES
        reads_all = world.store_rules[log.broker].keeps_answers == 0
        read, of_disk = 0, 0
        while holding.found < most and scanned < SCANNED_MAX and offset + scanned < log.max_offset:
            page = page_of(world, log, offset + scanned, page)
            message = message_in(world.pages[page], offset + scanned)
            if message.stored_us > until_us:
                break
            passes = is_passed(world, holding.subscription, message)
            if by_properties and (passes or reads_all):
                read += 1
                of_disk += from_disk and is_on_disk(world, log, page, offset + scanned)
            if passes:
                size += message.body_bytes
                if holding.found > 0 and size > limit:
                    break
                holding.found += 1
            scanned += 1
        if by_properties:
            at_us = filtered_at(world, holding, log.broker, read, of_disk, at_us)
        tally = world.tallies[world.instances[holding.instance].group]
        tally.from_disk += holding.found * from_disk
        tally.from_slave += holding.found * holding.from_slave
        tally.looked_at += scanned
        tally.properties_read += read
        tally.given += holding.found
    holding.scanned = scanned
    pull_at(world, number, ANSWERED, at_us + settings.link_us)
    return at_us
