"""The queues of SCHEDULE_TOPIC_XXXX and of the timer wheel, their messages in pages, and who delivers these.

A wheel has one queue for each delay (or moment) that messages are sent with: what was stored first is due first.

What waits costs 48 bytes; what is delivered is forgotten once the broker has written down how far it is.
"""

from __future__ import annotations

from typing import Annotated

from simulator.compiled.records import Record, Region, Us, several
from simulator.consumer.memory.queue_log import MessageContent
from simulator.kernel.pools import Taken

DELAY_PAGE_MESSAGES = 128
NO_DELAY_PAGE = -1
NO_QUEUE = -1
READ_AT_ONCE = 300_000  # entries of one consume queue file: what a task reads ends with it


class DelayedMessage(MessageContent):
    """A message that waits for its time."""

    log: int  # where it becomes readable
    stored_us: Us  # when it was stored here


class DelayPage(Taken):
    """Messages of one queue that follow each other."""

    next_page: int
    first_offset: int
    messages: Annotated[Region[DelayedMessage], several(DELAY_PAGE_MESSAGES)]


class DelayCounts(Record):
    """What a level did in a window."""

    added: int
    delivered: int
    again: int  # of those, a second time: a restart had forgotten that they were
    late_max_us: Us


class DelayQueue(DelayCounts):
    """The messages of one level at one broker, the oldest first; nothing is due before what was stored before it.

    Or those of its timer wheel with one delay; the first queue of a wheel counts for all of them.
    """

    broker: int
    level: int  # place among the queues of the broker, from 1
    delay_us: Us
    precision_us: Us  # timerPrecisionMs, 0: a level
    moment_us: Us  # setDeliverTimeMs of all its messages, 0: none
    counted_at: int  # the queue that counts what is added and delivered
    deliverer: int
    first_page: int
    last_page: int
    read_page: int  # of the next message to deliver, or one before
    next_offset: int  # of that message
    reached_offset: int  # behind the last message that was ever delivered
    max_offset: int  # of the next one that will be stored
    kept_offset: int  # in the broker's table of offsets
    flushed_offset: int  # in its file
    slave_offset: int  # of which the slaves of a set know, FAR: none can become the master
    task_us: Us  # when the queue's next task is due, FAR: nothing waits
    looked_us: Us  # when a task looked last and found nothing


class Deliverer(Record):
    """A thread that delivers: of all levels of a broker, or of one."""

    broker: int
    first_queue: int
    queues: int
    is_apart: int  # 1: of one level
    deliver_us: Us  # what one message takes it
    at_us: Us  # its next event, FAR: none
    working: int  # the queue whose task it is at, NO_QUEUE: none
    until_offset: int  # where that task ends
    slot_us: Us  # the slot of the wheel that the task is at


class DelayService(Record):
    """The delay levels of a broker."""

    first_queue: int
    levels: int  # maxDelayLevel, 0: nobody sends with a level
    queues: int  # of levels, then of the timer wheel
    first_deliverer: int
    deliverers: int
    persists_at_stop: int  # 1: a graceful stop writes down how far each level is delivered
