"""A message that is handled, and the thread that is at it."""

from __future__ import annotations

from simulator.compiled.records import Record, Us
from simulator.kernel.pools import Taken


class HandledMessage(Record):
    """What a delivery is of, and what became of it."""

    offset: int
    stored_us: Us
    arrival_us: Us
    sender: int
    reconsume_times: int  # deliveries that failed
    fate: int  # of this delivery


class ConsumeTask(Taken, HandledMessage):
    """A message that waits for a thread, or is with one."""

    holding: int
    body_bytes: int
    page: int
    draw: int
    next_task: int
    batch: int  # of the first of a batch: how many messages
    origin: int  # subscription that it came through first
    point: int  # of a POP group: its check point
    behind: int  # of a group that pops in order: the message of the same answer that comes after it
    due_us: Us  # of one that was not taken back


class Worker(Record):
    """A consume thread."""

    instance: int
    number: int  # among those of the instance
    next_idle: int
    first_task: int
    began_us: Us
    counted_us: Us  # until when it is counted as busy
    ends_us: Us  # FAR: it is idle
