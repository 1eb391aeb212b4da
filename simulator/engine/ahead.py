"""Looking ahead in the arrivals: what a send of a large cluster will touch is brought near before its time.

Ten thousand producers remember more than the near caches hold, and a send would wait for memory a dozen times.
"""

from __future__ import annotations

from typing import Any

from simulator.client.memory import VIEW_SIZE
from simulator.engine.layout import (
    BROKERS,
    CHANGE_SEQS,
    FAULT_TABLE_SIZE,
    FAULT_TABLES,
    HAND_OFF,
    HAND_OFF_SIZE,
    KNOWN_ITEMS,
    PRODUCER,
    PRODUCERS,
    SEND_SEQS,
    SENDING,
    SENDING_SIZE,
    THREAD_SIZE,
    THREADS,
    TOPICS,
    VIEWS,
)
from simulator.jit import fetch, rule

LARGE = 500  # producers from which on it is worth it
FAR_ROWS = 12
NEAR_ROWS = 6
LINE = 8  # cells that come together
ITEM_LINES = 12  # of a fault table


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
    fetch(m, s + SENDING_SIZE - 1)
    view = c[VIEWS] + (far * c[TOPICS] + far_topic) * VIEW_SIZE
    fetch(m, view)
    fetch(m, view + VIEW_SIZE - 1)
    fetch(m, c[HAND_OFF] + far * HAND_OFF_SIZE)
    fetch(m, c[SEND_SEQS] + far * c[TOPICS] + far_topic)
    fetch(c, c[THREADS] + far * THREAD_SIZE)
    producer = c[c[THREADS] + thread[row + NEAR_ROWS] * THREAD_SIZE + PRODUCER]
    fetch(m, c[CHANGE_SEQS] + producer)
    known = c[KNOWN_ITEMS] + producer * c[BROKERS]
    fetch(m, known)
    fetch(m, known + min(c[BROKERS], LINE) - 1)
    faults = c[FAULT_TABLES] + producer * c[FAULT_TABLE_SIZE]
    for line in range(min(c[FAULT_TABLE_SIZE] // LINE + 1, ITEM_LINES)):
        fetch(m, faults + line * LINE)
