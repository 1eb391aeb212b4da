"""Records that are taken and given back, and queues of them; the first records are the sender threads' own."""

from __future__ import annotations

from typing import Any

from simulator.compiled.jit import rule
from simulator.engine import heap
from simulator.engine.layout import (
    APPENDING,
    BROKER,
    BROKERS,
    FREE_RECORD,
    FREE_RECORDS,
    KEY,
    KEY_SEQ,
    KEY_STORED,
    NEXT_RECORD,
    NUMBERS,
    OUT_OF_ORDER,
    SENDING,
    SENDING_SIZE,
    STATE,
    STORED_US,
    THREAD,
    TOPIC,
    WINDOW_COUNTS,
    WINDOW_PAIRS,
)
from simulator.engine.sending.message import key_cell

NEEDED = 8  # free records before an event: more than any takes


@rule(inlined=True)
def at(c: Any, record: Any) -> Any:
    """Offset of a record in m."""
    return c[SENDING] + record * SENDING_SIZE


@rule()
def take(c: Any, m: Any) -> Any:
    """A free record's number; the loop has seen to it that there is one."""
    record = m[c[NUMBERS] + FREE_RECORD]
    m[c[NUMBERS] + FREE_RECORD] = m[at(c, record) + NEXT_RECORD]
    m[c[NUMBERS] + FREE_RECORDS] -= 1
    return record


@rule()
def give_back(c: Any, m: Any, record: Any) -> None:
    """The record is free again."""
    m[at(c, record) + NEXT_RECORD] = m[c[NUMBERS] + FREE_RECORD]
    m[c[NUMBERS] + FREE_RECORD] = record
    m[c[NUMBERS] + FREE_RECORDS] += 1


@rule()
def put_last(c: Any, m: Any, head: Any, record: Any) -> None:
    """Put a record at the end of the queue whose head is at `head` in m and whose tail is behind it."""
    m[at(c, record) + NEXT_RECORD] = -1
    if m[head] < 0:
        m[head] = record
    else:
        m[at(c, m[head + 1]) + NEXT_RECORD] = record
    m[head + 1] = record


@rule()
def take_first(c: Any, m: Any, head: Any) -> Any:
    """Take the first record of a queue that has one."""
    record = m[head]
    m[head] = m[at(c, record) + NEXT_RECORD]
    return record


@rule()
def take_out(c: Any, m: Any, head: Any, record: Any) -> None:
    """Take a record out of the middle of a queue."""
    if m[head] == record:
        m[head] = m[at(c, record) + NEXT_RECORD]
        return
    before = m[head]
    while m[at(c, before) + NEXT_RECORD] != record:
        before = m[at(c, before) + NEXT_RECORD]
    m[at(c, before) + NEXT_RECORD] = m[at(c, record) + NEXT_RECORD]
    if m[head + 1] == record:
        m[head + 1] = before


@rule()
def await_append(c: Any, m: Any, s: Any) -> None:
    """If the request of the record at `s` is stored and its order is checked: an event when that happens."""
    if m[s + STORED_US] < 0 or key_cell(c, m, s) < 0:
        return
    record = take(c, m)
    copy = at(c, record)
    for field in (TOPIC, BROKER, THREAD, KEY, KEY_SEQ):
        m[copy + field] = m[s + field]
    m[copy + STATE] = APPENDING
    heap.push(c, m, m[s + STORED_US], record)


@rule()
def append(c: Any, m: Any, record: Any) -> None:
    """A copy is in a commit log: out of order if a later message of its thread and key is in one already."""
    s = at(c, record)
    cell = key_cell(c, m, s)
    if m[s + KEY_SEQ] + 1 < m[cell + KEY_STORED]:
        m[c[WINDOW_PAIRS] + (m[s + TOPIC] * c[BROKERS] + m[s + BROKER]) * WINDOW_COUNTS + OUT_OF_ORDER] += 1
    m[cell + KEY_STORED] = max(m[cell + KEY_STORED], m[s + KEY_SEQ] + 1)
    give_back(c, m, record)
