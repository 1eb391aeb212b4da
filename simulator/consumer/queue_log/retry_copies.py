"""The copies of a popped message in its group's retry topic: one for each time that it was revived.

They are looked for only where there may be some beside the one that was popped. Such a message is
one that its client has after its invisible time, that may have been popped twice as offsets went back, or whose copies
say so.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.memory.consumer_side import CheckPoint
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.queue_log import NO_LOG
from simulator.consumer.queue_log.consumptions import HAS_OTHERS, was_handled_in
from simulator.consumer.queue_log.log_pages import message_in, page_of
from simulator.consumer.queue_log.skipping import first_known
from simulator.consumer.shared.queue_progress import progress_of

NO_COPY, NOT_HANDLED, HANDLED = range(3)


@rule()
def copies_say(world: ConsumerWorld, point: CheckPoint, counts: int) -> int:
    """Whether other copies of a popped message are known, and whether one was handled; `counts`: its own, or 0."""
    has_others = world.subscriptions[point.subscription].is_retry == 1 and counts & HAS_OTHERS != 0
    given_until = progress_of(world, point.subscription, point.log).returned_until
    if point.copy_log == NO_LOG and point.offset >= given_until and not has_others:
        return NO_COPY
    log, found = world.logs[world.pop_places[point.place].retry_log], NO_COPY
    page = log.first_page
    for offset in range(first_known(world, log), log.max_offset):
        page = page_of(world, log, offset, page)
        message = message_in(world.pages[page], offset)
        if message.sender == point.sender and (offset != point.offset or point.log != log.number):
            if was_handled_in(message.counts) == 1:
                return HANDLED
            found = NOT_HANDLED
    return found


@rule()
def mark_copies(world: ConsumerWorld, point: CheckPoint, mark: int) -> None:
    """Note something in every copy of a popped message that is known."""
    log = world.logs[world.pop_places[point.place].retry_log]
    page = log.first_page
    for offset in range(first_known(world, log), log.max_offset):
        page = page_of(world, log, offset, page)
        message = message_in(world.pages[page], offset)
        if message.sender == point.sender:
            message.counts = message.counts | mark
