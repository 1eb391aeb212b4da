"""Writing and finding messages in the pages of a log."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.queue_log import (
    NO_LOG,
    NO_PAGE,
    PAGE_MESSAGES,
    LogPage,
    NewMessage,
    QueueLog,
    StoredMessage,
)
from simulator.consumer.queue_log.consumptions import put_content
from simulator.consumer.queue_log.log_files import write_entry
from simulator.kernel.pools import give_back, take


@rule()
def append_message(world: ConsumerWorld, log: QueueLog, new: NewMessage, now_us: Us) -> None:
    """Write one message behind the others."""
    position = write_entry(world, log.broker, log.topic, new.body_bytes, now_us)
    offset = log.max_offset
    if log.last_page == NO_PAGE or offset == world.pages[log.last_page].first_offset + PAGE_MESSAGES:
        _add_page(world, log, offset, position)
    page = world.pages[log.last_page]
    message = page.messages[offset - page.first_offset]
    message.stored_us = now_us
    put_content(message, new)
    log.max_offset = offset + 1
    log.appended += 1


@rule()
def _add_page(world: ConsumerWorld, log: QueueLog, first_offset: int, position: int) -> None:
    page = take(world, world.clock.pages, world.pages)
    page.next_page = NO_PAGE
    page.log = log.number
    page.first_offset = first_offset
    page.position = position
    if log.last_page == NO_PAGE:
        log.first_page = page.number
    else:
        world.pages[log.last_page].next_page = page.number
    log.last_page = page.number


@rule()
def forget_before(world: ConsumerWorld, log: QueueLog, offset: int) -> None:
    """Give back the pages that hold only messages before that offset; the last page stays."""
    while log.first_page != log.last_page and world.pages[log.first_page].first_offset + PAGE_MESSAGES <= offset:
        page = world.pages[log.first_page]
        log.first_page = page.next_page
        page.log = NO_LOG
        give_back(world.clock.pages, page)


@rule()
def drop_last_message(world: ConsumerWorld, log: QueueLog) -> None:
    """Take the last message off; a page that has none is given back, but for the first."""
    log.max_offset -= 1
    if log.last_page == NO_PAGE or world.pages[log.last_page].first_offset < log.max_offset:
        return
    number, before = log.first_page, NO_PAGE
    while number != log.last_page:
        before = number
        number = world.pages[number].next_page
    page = world.pages[number]
    if before == NO_PAGE:
        page.first_offset = log.max_offset
        return
    world.pages[before].next_page = NO_PAGE
    log.last_page = before
    page.log = NO_LOG
    give_back(world.clock.pages, page)


@rule(inlined=True)
def has_page(world: ConsumerWorld, log: QueueLog, offset: int, number: int) -> bool:
    """Whether that page is the log's still and holds the offset."""
    page = world.pages[number]
    return page.log == log.number and page.first_offset <= offset < page.first_offset + PAGE_MESSAGES


@rule()
def is_known(world: ConsumerWorld, log: QueueLog, offset: int) -> bool:
    """Whether the message at that offset is in a page."""
    return log.first_page != NO_PAGE and world.pages[log.first_page].first_offset <= offset < log.max_offset


@rule()
def page_of(world: ConsumerWorld, log: QueueLog, offset: int, near: int) -> int:
    """The page of an offset that is known; `near`: a page to look from on, if it is the log's still, or NO_PAGE."""
    number = near
    if number == NO_PAGE or world.pages[number].log != log.number or world.pages[number].first_offset > offset:
        number = log.first_page
    while world.pages[number].first_offset + PAGE_MESSAGES <= offset:
        number = world.pages[number].next_page
    return number


@rule(inlined=True)
def message_in(page: LogPage, offset: int) -> StoredMessage:
    """The message at an offset of that page."""
    return page.messages[offset - page.first_offset]


@rule()
def offset_at(world: ConsumerWorld, log: QueueLog, moment_us: Us) -> int:
    """Offset of the first known message that was stored at a moment or later, of the next one if none was."""
    number, offset = log.first_page, log.min_offset
    while number != NO_PAGE:
        page = world.pages[number]
        offset = max(page.first_offset, log.min_offset)
        end = min(page.first_offset + PAGE_MESSAGES, log.max_offset)
        if page.messages[end - 1 - page.first_offset].stored_us >= moment_us:
            while message_in(page, offset).stored_us < moment_us:
                offset += 1
            return offset
        number = page.next_page
    return log.max_offset
