"""What a broker does with a request beyond plain service: commit log, flush, slaves, and when its process goes away."""

from __future__ import annotations

from typing import Any

from simulator import codes
from simulator.compiled.jit import rule
from simulator.engine.broker.commit_log import append
from simulator.engine.broker.replication import slaves_at
from simulator.engine.broker.send_queue import first_free, is_full, leave_queue, scan_at
from simulator.engine.broker.slowness import added_service_us
from simulator.engine.broker.survival import kept_after
from simulator.engine.layout import (
    ACKS,
    ADDED_LATENCIES,
    ANSWER_CODE,
    ANSWER_VALUE,
    APPEND_PER_KIB_US,
    APPEND_US,
    AT_US,
    BROKER_ROWS,
    BROKER_SIZE,
    BROKER_STATE_SIZE,
    BROKER_STATES,
    BROKERS,
    BUSY_FROM_US,
    BUSY_UNTIL_US,
    CODE,
    COPIES,
    COUNTS_REPLICAS,
    DOWN,
    EXPIRY_MS,
    FAR,
    FREES_THREAD,
    KEPT,
    LATENCIES,
    LATENCY,
    LOCK_BUSY_CODE,
    LOCK_FREE_US,
    MESSAGE_BYTES,
    NEVER_MS,
    OCCUPANCY_PPM,
    QUEUE_ID,
    QUEUE_ID_CODE,
    REFUSAL_CODE,
    REJECTS,
    SLAVE,
    STORED_US,
    TOPIC,
    TOPIC_ROWS,
    UNTIL_US,
)
from simulator.engine.periods import end_of_work, next_period, skip_past, start_after_standstill
from simulator.engine.sending.waiting import answered_at
from simulator.latency import service_us


@rule()
def _leaves_unserved(c: Any, m: Any, broker: Any, now_us: Any) -> Any:
    """When fast failure takes a request that arrives at `now_us` out of the send queue, if no thread does before."""
    fixed = c[BROKER_ROWS] + broker * BROKER_SIZE
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    if c[fixed + EXPIRY_MS] >= NEVER_MS:
        return FAR
    leave = scan_at(c, m, broker, (start_after_standstill(c, m, broker, now_us) // 1000 + c[fixed + EXPIRY_MS]) * 1000)
    if m[state + BUSY_FROM_US] > now_us:
        drain = scan_at(c, m, broker, m[state + BUSY_FROM_US])
        if drain < m[state + BUSY_UNTIL_US]:
            leave = min(leave, drain)
    return leave


@rule()
def _queues_of(c: Any, topic: Any, broker: Any, at_us: Any) -> Any:
    """What a queue id must be below by the broker's own configuration of the topic at `at_us`, 0 if it has none."""
    limit = c[c[TOPIC_ROWS] + topic * c[BROKERS] + broker]
    if limit >= 0:
        return limit
    rows = c[TOPIC_ROWS] - limit
    for i in range(c[rows]):
        if c[rows + 1 + 2 * i] > at_us:
            break
        limit = c[rows + 2 + 2 * i]
    return limit


@rule()
def _refusal(c: Any, m: Any, s: Any, broker: Any, at_us: Any) -> Any:
    """Code of a put that is refused before anything is written, else 0 (SendMessageProcessor, msgCheck and store)."""
    fixed = c[BROKER_ROWS] + broker * BROKER_SIZE
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    limit = _queues_of(c, m[s + TOPIC], broker, at_us)
    if limit > 0 and m[s + QUEUE_ID] >= limit:
        return c[fixed + QUEUE_ID_CODE]
    if c[fixed + REFUSAL_CODE] != 0:
        return c[fixed + REFUSAL_CODE]
    if m[state + BUSY_FROM_US] <= at_us < m[state + BUSY_UNTIL_US]:
        return c[fixed + LOCK_BUSY_CODE]
    if c[fixed + COUNTS_REPLICAS] == 1 and slaves_at(c, m, broker, at_us) < c[fixed + ACKS]:
        return codes.SYSTEM_ERROR
    return 0


@rule()
def store(c: Any, m: Any, s: Any, broker: Any, now_us: Any, word: Any, answer: Any) -> Any:
    """`broker.serve` with everything: when the broker answers, FAR = never.

    The append comes first in the service, so that the commit log's lock is taken in the order of the service starts;
    then the flush and the slaves are waited for, then comes the rest of the service time. A process that goes away
    (table DOWN) takes with it what has not been appended; its send threads are free when it is back.
    """
    fixed = c[BROKER_ROWS] + broker * BROKER_SIZE
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    table = c[LATENCIES] + c[fixed + LATENCY]
    fastest_us = service_us(c, table, 0)
    skip_past(c, m, broker, SLAVE, now_us)
    down = next_period(c, m, broker, DOWN, now_us)
    away_us, back_us = FAR, FAR
    if down >= 0:
        away_us, back_us = m[down + AT_US], m[down + UNTIL_US]
    if away_us <= now_us:
        m[s + CODE] = codes.NO_CODE
        return FAR
    if c[fixed + REJECTS] == 1:
        m[s + CODE] = c[fixed + REFUSAL_CODE]
        return now_us + fastest_us
    if m[state + BUSY_FROM_US] <= now_us < m[state + BUSY_UNTIL_US] or is_full(c, m, fixed, state, now_us):
        m[s + CODE] = codes.SYSTEM_BUSY
        return now_us + fastest_us
    free = first_free(c, m, fixed, now_us)
    start = start_after_standstill(c, m, broker, max(now_us, m[free]))
    leave = _leaves_unserved(c, m, broker, now_us) if start > now_us else FAR
    if min(start, leave) >= away_us:
        leave_queue(c, m, fixed, state, away_us)
        m[s + CODE] = codes.NO_CODE
        return FAR
    if start > leave:
        leave_queue(c, m, fixed, state, leave)
        m[s + CODE] = codes.SYSTEM_BUSY
        return leave
    leave_queue(c, m, fixed, state, start)
    work_us = service_us(c, table, word)
    if c[ADDED_LATENCIES] >= 0:
        work_us += added_service_us(c, m, broker, now_us, word)
    refusal = _refusal(c, m, s, broker, start)
    if refusal != 0:
        m[s + CODE] = refusal
        m[free] = end_of_work(c, m, broker, start, fastest_us)
        return m[free] if m[free] <= away_us else FAR
    appended_us, body = start, 0
    stores = answer & ~ANSWER_VALUE != ANSWER_CODE
    if stores:
        body = m[s + MESSAGE_BYTES]
        append_us = c[fixed + APPEND_US] + body * c[fixed + APPEND_PER_KIB_US] // 1024
        appended_us = append(c, m, broker, now_us, start, append_us)
        work_us = max(work_us - append_us, 0)
    if appended_us >= away_us:
        m[free] = back_us
        m[state + LOCK_FREE_US] = min(m[state + LOCK_FREE_US], back_us)
        m[s + CODE] = codes.NO_CODE
        return FAR
    done_us = appended_us
    if stores:
        m[s + COPIES] += 1
        m[s + STORED_US] = appended_us
        m[s + KEPT] += kept_after(c, m, s, broker, now_us, appended_us, word)
        done_us = answered_at(c, m, s, broker, appended_us, word)
    held_us = appended_us if c[fixed + FREES_THREAD] == 1 else done_us
    m[free] = end_of_work(c, m, broker, held_us, work_us * c[fixed + OCCUPANCY_PPM] // 1_000_000)
    end_us = end_of_work(c, m, broker, done_us, work_us)
    if end_us > away_us:
        m[free] = back_us
        return FAR
    return end_us
