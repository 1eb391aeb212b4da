"""Putting out finished rows. The order of the writes is the order of the columns (run/row_tables.py names them)."""

from __future__ import annotations

from typing import Any

from simulator import histogram
from simulator.client.memory import CURRENT_LATENCY, ITEM_LIST, ITEM_SIZE, PRESENT, REACHABLE, SHOWN, START_TIMESTAMP
from simulator.codes import SEND_OK, SENT_ONEWAY
from simulator.compiled.jit import rule
from simulator.engine.layout import (
    ARRIVAL_US,
    ATTEMPT,
    ATTEMPT_BEGIN_US,
    ATTEMPT_ROOM,
    ATTEMPT_ROWS,
    ATTEMPTS_AT,
    BEGIN_US,
    BODY,
    BROKER,
    BROKERS,
    CHANGE_SEQS,
    CODE,
    COPIES,
    ENDED,
    FAULT_ITEM_ROOM,
    FAULT_ITEM_ROWS,
    FAULT_ITEMS_AT,
    HISTOGRAM,
    IN_ROUTE,
    KEPT,
    KEY,
    MAX_US,
    MESSAGE_BYTES,
    NEXT_WINDOW,
    NUMBERS,
    OUT_OF_ORDER,
    OUTCOME,
    QUEUE_ID,
    REASON,
    RETRIED,
    SEND_ROOM,
    SEND_ROWS,
    SEND_SEQ,
    SENDS_AT,
    SENDS_ENDED,
    SENDS_FAILED,
    SENDS_RETRIED,
    SUCCEEDED,
    THREAD,
    TOPIC,
    TOPICS,
    WINDOW_COUNTS,
    WINDOW_PAIRS,
    WINDOW_ROOM,
    WINDOW_ROWS,
    WINDOW_US,
    WINDOWS_AT,
)


@rule(inlined=True)
def put_attempt(m: Any, o: Any, s: Any, end_us: Any, will_retry: Any) -> None:
    """Put out the attempt of the record at `s` that just ended; nothing if the table is not wanted."""
    room = o[ATTEMPT_ROOM]
    if room == 0:
        return
    row = o[ATTEMPT_ROWS]
    o[ATTEMPT_ROWS] = row + 1
    to = o[ATTEMPTS_AT] + row
    o[to] = m[s + THREAD]
    o[to + room] = m[s + TOPIC]
    o[to + 2 * room] = m[s + SEND_SEQ]
    o[to + 3 * room] = m[s + ATTEMPT]
    o[to + 4 * room] = m[s + BROKER]
    o[to + 5 * room] = m[s + QUEUE_ID]
    o[to + 6 * room] = m[s + ATTEMPT_BEGIN_US]
    o[to + 7 * room] = end_us
    o[to + 8 * room] = m[s + OUTCOME]
    o[to + 9 * room] = m[s + CODE]
    o[to + 10 * room] = m[s + REASON]
    o[to + 11 * room] = will_retry


@rule(inlined=True)
def put_send(
    m: Any, o: Any, s: Any, end_us: Any, result: Any, code: Any, attempts: Any, broker: Any, queue_id: Any
) -> None:  # fmt: skip
    """Count the message of the record at `s`, which is finished, and put it out if the table is wanted."""
    o[SENDS_ENDED] += 1
    o[SENDS_RETRIED] += max(attempts - 1, 0)
    if result != SEND_OK and result != SENT_ONEWAY:
        o[SENDS_FAILED] += 1
    room = o[SEND_ROOM]
    if room == 0:
        return
    row = o[SEND_ROWS]
    o[SEND_ROWS] = row + 1
    to = o[SENDS_AT] + row
    o[to] = m[s + THREAD]
    o[to + room] = m[s + TOPIC]
    o[to + 2 * room] = m[s + SEND_SEQ]
    o[to + 3 * room] = m[s + ARRIVAL_US]
    o[to + 4 * room] = m[s + BEGIN_US]
    o[to + 5 * room] = end_us
    o[to + 6 * room] = result
    o[to + 7 * room] = code
    o[to + 8 * room] = attempts
    o[to + 9 * room] = broker
    o[to + 10 * room] = queue_id
    o[to + 11 * room] = m[s + COPIES]
    o[to + 12 * room] = m[s + KEPT]
    o[to + 13 * room] = m[s + BODY]
    o[to + 14 * room] = m[s + MESSAGE_BYTES]
    o[to + 15 * room] = m[s + KEY]


@rule()
def put_refused(o: Any, thread: Any, topic: Any, send_seq: Any, at_us: Any, result: Any) -> None:
    """Count a message that was refused before any attempt, and put it out if the table is wanted."""
    o[SENDS_ENDED] += 1
    o[SENDS_FAILED] += 1
    room = o[SEND_ROOM]
    if room == 0:
        return
    row = o[SEND_ROWS]
    o[SEND_ROWS] = row + 1
    to = o[SENDS_AT] + row
    o[to] = thread
    o[to + room] = topic
    o[to + 2 * room] = send_seq
    o[to + 3 * room] = at_us
    o[to + 4 * room] = at_us
    o[to + 5 * room] = at_us
    o[to + 6 * room] = result
    o[to + 7 * room] = -1
    o[to + 8 * room] = 0
    o[to + 9 * room] = -1
    o[to + 10 * room] = -1
    o[to + 11 * room] = 0
    o[to + 12 * room] = 0
    for i in range(13, 16):
        o[to + i * room] = -1


@rule(inlined=True)
def put_fault_item(c: Any, m: Any, o: Any, producer: Any, faults: Any, broker: Any, at_us: Any) -> None:
    """Put out the fault item of a producer for a broker as it is now; a missing item is one that was removed."""
    item = faults + ITEM_LIST + broker * ITEM_SIZE
    m[item + SHOWN] = m[item + PRESENT]
    seq = m[c[CHANGE_SEQS] + producer]
    m[c[CHANGE_SEQS] + producer] = seq + 1
    room = o[FAULT_ITEM_ROOM]
    if room == 0:
        return
    row = o[FAULT_ITEM_ROWS]
    o[FAULT_ITEM_ROWS] = row + 1
    to = o[FAULT_ITEMS_AT] + row
    o[to] = producer
    o[to + room] = broker
    o[to + 2 * room] = at_us
    o[to + 3 * room] = seq
    o[to + 4 * room] = m[item + CURRENT_LATENCY]
    o[to + 5 * room] = m[item + START_TIMESTAMP]
    o[to + 6 * room] = m[item + REACHABLE]
    o[to + 7 * room] = 1 - m[item + PRESENT]


@rule()
def put_removed_items(c: Any, m: Any, o: Any, producer: Any, faults: Any, at_us: Any) -> None:
    """Put out the items that a selection removed from a producer's fault table (releases up to 5.1.3)."""
    for broker in range(c[BROKERS]):
        item = faults + ITEM_LIST + broker * ITEM_SIZE
        if m[item + SHOWN] == 1 and m[item + PRESENT] == 0:
            put_fault_item(c, m, o, producer, faults, broker, at_us)


@rule(inlined=True)
def count_attempt(c: Any, m: Any, s: Any, end_us: Any) -> None:
    """Count the ended attempt of the record at `s` in the open window."""
    pair = m[s + TOPIC] * c[BROKERS] + m[s + BROKER]
    took_us = end_us - m[s + ATTEMPT_BEGIN_US]
    w = c[WINDOW_PAIRS] + pair * WINDOW_COUNTS
    m[w + ENDED] += 1
    if m[s + OUTCOME] == SEND_OK:
        m[w + SUCCEEDED] += 1
    if m[s + ATTEMPT] > 1:
        m[w + RETRIED] += 1
    m[w + MAX_US] = max(m[w + MAX_US], took_us)
    m[c[HISTOGRAM] + pair * histogram.CELLS + histogram.cell_of(took_us)] += 1


@rule()
def _put_window_row(c: Any, m: Any, o: Any, topic: Any, broker: Any, ended: Any) -> None:
    room, row = o[WINDOW_ROOM], o[WINDOW_ROWS]
    o[WINDOW_ROWS] = row + 1
    pair = topic * c[BROKERS] + broker
    w, to = c[WINDOW_PAIRS] + pair * WINDOW_COUNTS, o[WINDOWS_AT] + row
    first = c[HISTOGRAM] + pair * histogram.CELLS
    o[to] = m[c[NUMBERS] + NEXT_WINDOW] * c[WINDOW_US]
    o[to + room] = topic
    o[to + 2 * room] = broker
    o[to + 3 * room] = m[w + ENDED]
    o[to + 4 * room] = ended
    o[to + 5 * room] = m[w + SUCCEEDED]
    o[to + 6 * room] = m[w + RETRIED]
    most = m[w + MAX_US]
    for i in range(3):
        # In half microseconds, because a cell's middle can be one.
        rank_ppm = 500_000 if i == 0 else 990_000 if i == 1 else 999_000
        value = -1
        if m[w + ENDED] > 0:
            value = min(int(2.0 * histogram.quantile(m, first, m[w + ENDED], rank_ppm)), 2 * most)
        o[to + (7 + i) * room] = value
    o[to + 10 * room] = most
    o[to + 11 * room] = m[w + OUT_OF_ORDER]


@rule()
def close_window(c: Any, m: Any, o: Any) -> None:
    """Put out the open window, a row for each broker in each topic's route, and open the next."""
    topics, brokers = c[TOPICS], c[BROKERS]
    for topic in range(topics):
        ended = 0
        for broker in range(brokers):
            ended += m[c[WINDOW_PAIRS] + (topic * brokers + broker) * WINDOW_COUNTS + ENDED]
        for broker in range(brokers):
            pair = topic * brokers + broker
            w = c[WINDOW_PAIRS] + pair * WINDOW_COUNTS
            if o[WINDOW_ROOM] > 0 and (m[w + ENDED] > 0 or m[w + IN_ROUTE] == 1 or m[w + OUT_OF_ORDER] > 0):
                _put_window_row(c, m, o, topic, broker, ended)
            if m[w + ENDED] > 0:
                first = c[HISTOGRAM] + pair * histogram.CELLS
                for cell in range(first, first + histogram.CELLS):
                    m[cell] = 0
            for i in range(IN_ROUTE):
                m[w + i] = 0
    m[c[NUMBERS] + NEXT_WINDOW] += 1
