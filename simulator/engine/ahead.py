"""Looking ahead in the arrivals: what a send of a large cluster will touch is brought near before its time.

Ten thousand producers remember more than the near caches hold, and a send would wait for memory a dozen times.
"""

from __future__ import annotations

from typing import Any

from simulator.client.memory import (
    ITEM_LIST,
    ITEM_SIZE,
    LINE,
    QUEUE_BROKER,
    QUEUE_COUNT,
    QUEUE_LIST,
    QUEUE_SIZE,
    QUEUES,
    SEND_WHICH_QUEUE,
    VIEW_SIZE,
)
from simulator.compiled.jit import fetch, rule
from simulator.engine.layout import (
    CHANGE_SEQS,
    FAULT_TABLE_SIZE,
    FAULT_TABLES,
    PRODUCERS,
    SEND_SEQS,
    SENDING,
    SENDING_SIZE,
    THREAD_SIZE,
    THREADS,
    TOPICS,
    VIEWS,
)
from simulator.engine.sending.threads import producer_of

LARGE = 500  # producers from which on it is worth it
FAR_ROWS = 12
NEAR_ROWS = 6


@rule(inlined=True)
def look_ahead(c: Any, m: Any, thread: Any, topic: Any, row: Any) -> None:
    """Fetch the record and view of an arrival some rows on, and the fault table of one nearer."""
    if c[PRODUCERS] < LARGE or row + FAR_ROWS >= thread.shape[0]:
        return
    far, far_topic = thread[row + FAR_ROWS], topic[row + FAR_ROWS]
    s = c[SENDING] + far * SENDING_SIZE
    fetch(m, s)
    fetch(m, s + LINE)
    fetch(m, s + 2 * LINE)
    fetch(m, s + 3 * LINE)
    view = c[VIEWS] + (far * c[TOPICS] + far_topic) * VIEW_SIZE
    fetch(m, view)
    fetch(m, c[SEND_SEQS] + far * c[TOPICS] + far_topic)
    fetch(c, c[THREADS] + far * THREAD_SIZE)
    near, near_topic = thread[row + NEAR_ROWS], topic[row + NEAR_ROWS]
    producer = producer_of(c, near)
    fetch(m, c[CHANGE_SEQS] + producer)
    near_view = c[VIEWS] + (near * c[TOPICS] + near_topic) * VIEW_SIZE
    queues = m[near_view + QUEUES]
    broker = 0
    if m[queues + QUEUE_COUNT] > 0:
        place = (m[near_view + SEND_WHICH_QUEUE] + 1) % m[queues + QUEUE_COUNT]
        broker = m[queues + QUEUE_LIST + place * QUEUE_SIZE + QUEUE_BROKER]
    faults = c[FAULT_TABLES] + producer * c[FAULT_TABLE_SIZE]
    fetch(m, faults)
    fetch(m, faults + ITEM_LIST + broker * ITEM_SIZE)
