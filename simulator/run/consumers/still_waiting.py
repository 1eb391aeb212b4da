"""What still waits for its time in the delay levels and timer wheels at the end of a run: messages without a value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from simulator.compiled.records import Array, size_of
from simulator.compiled.region_store import columns
from simulator.consumer.memory.delay_queue import DELAY_PAGE_MESSAGES, NO_DELAY_PAGE, DelayPage, DelayQueue
from simulator.consumer.memory.delay_queue import DelayedMessage as Delayed
from simulator.consumer.rules.delay_levels import retry_topic
from simulator.plan.consumers.consumer_plan import ConsumerNames

OVERDUE_US = 2_000_000  # timer messages are up to 1.1 s late by design


class StillWaiting(NamedTuple):
    """overdue: [brokers], messages whose time was over for OVERDUE_US; retries: [groups], that are to come again."""

    overdue: Array
    retries: Array


def still_waiting(queues: Array, pages: Array, brokers: int, names: ConsumerNames, end_us: int) -> StillWaiting:
    """What waits at `end_us`. queues, pages: rows of the regions delay_queues and delay_pages."""
    overdue, retries = np.zeros(brokers, np.int64), np.zeros(len(names.groups), np.int64)
    topics = {retry_topic(group): number for number, group in enumerate(names.groups)}
    group_of_topic = np.array([topics.get(topic, -1) for topic in names.topics], np.int64)
    at, message = columns(DelayQueue), columns(Delayed)
    for queue in queues:
        moment_us, delay_us = int(queue[at["moment_us"]]), int(queue[at["delay_us"]])
        for waiting in _messages(queue, pages):
            asked_us = moment_us if moment_us > 0 else waiting[:, message["stored_us"]] + delay_us
            is_overdue = np.broadcast_to(asked_us <= end_us - OVERDUE_US, len(waiting))
            overdue[queue[at["broker"]]] += int(is_overdue.sum())
            group = group_of_topic[names.topic_of_log[waiting[:, message["log"]]]]
            retries += np.bincount(group[group >= 0], minlength=len(retries))
    return StillWaiting(overdue, retries)


def _messages(queue: Array, pages: Array) -> Iterator[Array]:
    """The messages of a queue that are not delivered, int64[n, DelayedMessage], page by page."""
    at, of_page = columns(DelayQueue), columns(DelayPage)
    begin, end, page = (int(queue[at[name]]) for name in ("next_offset", "max_offset", "read_page"))
    while begin < end and page != NO_DELAY_PAGE:
        row = pages[page]
        first = int(row[of_page["first_offset"]])
        cells = row[-DELAY_PAGE_MESSAGES * size_of(Delayed) :].reshape(DELAY_PAGE_MESSAGES, -1)
        yield cells[max(begin - first, 0) : max(min(end - first, DELAY_PAGE_MESSAGES), 0)]
        page = int(row[of_page["next_page"]])
