"""Writing and finding delayed messages in the pages of their queue."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.delay_queue import DELAY_PAGE_MESSAGES, NO_DELAY_PAGE, DelayedMessage, DelayQueue
from simulator.consumer.memory.queue_log import NewMessage
from simulator.consumer.queue_log.consumptions import put_content
from simulator.engine.memory.settings import FAR
from simulator.kernel.pools import give_back, take


@rule()
def add(world: ConsumerWorld, queue: DelayQueue, log: int, new: NewMessage, now_us: Us) -> None:
    """Store a message behind the others of its level."""
    offset = queue.max_offset
    if (
        queue.last_page == NO_DELAY_PAGE
        or offset == world.delay_pages[queue.last_page].first_offset + DELAY_PAGE_MESSAGES
    ):
        _add_page(world, queue, offset)
    page = world.delay_pages[queue.last_page]
    message = page.messages[offset - page.first_offset]
    message.log = log
    message.stored_us = now_us
    put_content(message, new)
    queue.max_offset = offset + 1


@rule()
def _add_page(world: ConsumerWorld, queue: DelayQueue, first_offset: int) -> None:
    page = take(world, world.clock.delay_pages, world.delay_pages)
    page.next_page = NO_DELAY_PAGE
    page.first_offset = first_offset
    if queue.last_page == NO_DELAY_PAGE:
        queue.first_page = page.number
        queue.read_page = page.number
    else:
        world.delay_pages[queue.last_page].next_page = page.number
    queue.last_page = page.number


@rule()
def next_message(world: ConsumerWorld, queue: DelayQueue) -> DelayedMessage:
    """The message that is delivered next; there must be one."""
    offset = queue.next_offset
    while world.delay_pages[queue.read_page].first_offset + DELAY_PAGE_MESSAGES <= offset:
        queue.read_page = world.delay_pages[queue.read_page].next_page
    page = world.delay_pages[queue.read_page]
    return page.messages[offset - page.first_offset]


@rule()
def forget_delivered(world: ConsumerWorld, queue: DelayQueue) -> None:
    """Give back the pages of what no restart and no other master delivers again; the last page stays."""
    least = min(queue.flushed_offset, queue.next_offset, queue.slave_offset)
    while (
        queue.first_page != queue.last_page
        and world.delay_pages[queue.first_page].first_offset + DELAY_PAGE_MESSAGES <= least
    ):
        page = world.delay_pages[queue.first_page]
        queue.first_page = page.next_page
        if queue.read_page == page.number:
            queue.read_page = queue.first_page
        give_back(world.clock.delay_pages, page)


@rule()
def _offset_of(world: ConsumerWorld, queue: DelayQueue, draw: int) -> int:
    """Offset of the message with that draw among those that would still be delivered, -1: it is not there."""
    offset, page = queue.next_offset, queue.read_page
    while offset < queue.max_offset:
        while world.delay_pages[page].first_offset + DELAY_PAGE_MESSAGES <= offset:
            page = world.delay_pages[page].next_page
        if world.delay_pages[page].messages[offset - world.delay_pages[page].first_offset].draw == draw:
            return offset
        offset += 1
    return -1


@rule()
def cut_from(world: ConsumerWorld, queue: DelayQueue, draw: int) -> None:
    """A message is lost with everything that was stored behind it; nothing where it was delivered or is cut already."""
    end = _offset_of(world, queue, draw)
    if end < 0:
        return
    queue.max_offset = end
    queue.reached_offset = min(queue.reached_offset, end)
    queue.kept_offset = min(queue.kept_offset, end)
    queue.flushed_offset = min(queue.flushed_offset, end)
    if queue.slave_offset < FAR:
        queue.slave_offset = min(queue.slave_offset, end)
    while queue.first_page != queue.last_page and world.delay_pages[queue.last_page].first_offset >= end:
        last, before = queue.last_page, queue.first_page
        while world.delay_pages[before].next_page != last:
            before = world.delay_pages[before].next_page
        give_back(world.clock.delay_pages, world.delay_pages[last])
        world.delay_pages[before].next_page = NO_DELAY_PAGE
        queue.last_page = before
        if queue.read_page == last:
            queue.read_page = before
