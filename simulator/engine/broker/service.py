"""A broker: send threads, a bounded send queue, fast failure. What is rare or has to be asked for: storing.py."""

from __future__ import annotations

from typing import Any

from simulator.codes import SYSTEM_BUSY
from simulator.compiled.jit import rule
from simulator.engine.broker.send_queue import first_free, is_full, leave_queue, scan_at
from simulator.engine.broker.slowness import added_service_us
from simulator.engine.broker.storing import store
from simulator.engine.layout import (
    ADDED_LATENCIES,
    ANSWER_CODE,
    ANSWER_VALUE,
    BROKER_ROWS,
    BROKER_SIZE,
    BROKER_STATE_SIZE,
    BROKER_STATES,
    CODE,
    COPIES,
    DOWN,
    EXPIRY_MS,
    FEATURES,
    KEPT,
    LATENCIES,
    LATENCY,
    LOCK_FREE_US,
    OCCUPANCY_PPM,
    PERIOD_COUNT,
    PERIOD_CURSOR,
    SPEED,
    STALL,
    STORED_US,
)
from simulator.engine.periods import end_of_work, has_period, periods_of, skip_past, start_after_standstill
from simulator.latency import service_us


@rule(inlined=True)
def serve(c: Any, m: Any, s: Any, broker: Any, now_us: Any, word: Any, answer: Any) -> Any:
    """When the broker answers the request of the record at `s`, which gets its code and its copy; FAR = never.

    First come, first served, by the first send thread that is free, else by the one that is free first. The ring
    holds when the last QUEUE_CAPACITY requests leave the queue: if the oldest has not, that many are waiting.
    Fast failure (rocketmq 4.2.0-5.3.3, BrokerFastFailure) answers at the first scan at which a request has waited
    waitTimeMillsInSendQueue, whole milliseconds of both clocks; at a tie of a free thread and a scan the thread
    takes it. A process that stands still reads nothing: what arrives then is queued when it goes on, and only what was
    queued before can be over age at once; each free thread takes one of it, and the scan clears the others.
    """
    skip_past(c, m, broker, SPEED, now_us)
    fixed = c[BROKER_ROWS] + broker * BROKER_SIZE
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    table = c[LATENCIES] + c[fixed + LATENCY]
    m[s + CODE] = answer & ANSWER_VALUE
    stalls, goes_down = has_period(c, m, broker, STALL, now_us), has_period(c, m, broker, DOWN, now_us)
    if c[fixed + FEATURES] != 0 or stalls or goes_down or m[state + LOCK_FREE_US] > now_us:
        return store(c, m, s, broker, now_us, word, answer)
    if is_full(c, m, fixed, state, now_us):
        # The pool's refusal comes back as fast as the fastest answer.
        m[s + CODE] = SYSTEM_BUSY
        return now_us + service_us(c, table, 0)
    free = first_free(c, m, fixed, now_us)
    start = max(now_us, m[free])
    work_us = service_us(c, table, word)
    if c[ADDED_LATENCIES] >= 0:
        work_us += added_service_us(c, m, broker, now_us, word)
    own = periods_of(c, broker, SPEED)
    speeds = m[own + PERIOD_COUNT] > m[own + PERIOD_CURSOR]
    queued_us = now_us
    if speeds:
        start = start_after_standstill(c, m, broker, start)
        queued_us = start_after_standstill(c, m, broker, now_us)
    if start > now_us:
        over_age_us = (queued_us // 1000 + c[fixed + EXPIRY_MS]) * 1000
        if start > over_age_us:
            scan = scan_at(c, m, broker, over_age_us)
            if start > scan:
                leave_queue(c, m, fixed, state, scan)
                m[s + CODE] = SYSTEM_BUSY
                return scan
    end = end_of_work(c, m, broker, start, work_us) if speeds else start + work_us
    occupancy = c[fixed + OCCUPANCY_PPM]
    if occupancy == 1_000_000:
        m[free] = end
    else:
        m[free] = end_of_work(c, m, broker, start, work_us * occupancy // 1_000_000)
    leave_queue(c, m, fixed, state, start)
    if answer & ~ANSWER_VALUE != ANSWER_CODE:
        m[s + COPIES] += 1
        m[s + KEPT] += 1
        m[s + STORED_US] = end
    return end
