"""Closed loops: a sender thread that sends, waits for the end of its send, thinks, and sends again.

The n-th message of a thread and the think time before it follow from the thread and n alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.compiled.jit import rule
from simulator.engine import heap
from simulator.engine.layout import (
    BEGIN_US,
    LOOP,
    LOOP_SEED,
    LOOP_STREAM,
    LOOP_TOPICS,
    LOOP_UNTIL_US,
    LOOPS,
    REFUSED_AFTER_US,
    RESUMING,
    SENDING,
    SENDING_SIZE,
    SIZES,
    STATE,
    THREAD_SIZE,
    THREADS,
    TOPICS,
    WAY,
    WAY_SYNC,
)
from simulator.latency import service_us
from simulator.randomness import ARRIVAL_LATENCY, ARRIVAL_TOPIC, THINK_TIME, hash4

THINK_LEAST_US = 1  # so that virtual time goes on


@rule()
def _next_send_at(c: Any, m: Any, thread: Any, now_us: Any) -> Any:
    """When a thread that is free begins its next message. A send that failed at once has cost a round trip."""
    fixed = c[THREADS] + thread * THREAD_SIZE
    loop = c[SIZES] + c[fixed + LOOP]
    n = m[c[SENDING] + thread * SENDING_SIZE + LOOPS]
    word = np.int64(hash4(c[loop + LOOP_SEED], THINK_TIME, c[loop + LOOP_STREAM] + thread, n) >> np.uint64(32))
    think_us = max(service_us(c, loop + LOOP_TOPICS + c[TOPICS], word), THINK_LEAST_US)
    if c[fixed + WAY] == WAY_SYNC and m[c[SENDING] + thread * SENDING_SIZE + BEGIN_US] == now_us:
        think_us += c[REFUSED_AFTER_US]
    return now_us + think_us


@rule()
def await_next(c: Any, m: Any, thread: Any, now_us: Any) -> None:
    """Give a free thread the event at which it takes its next message: now, or in a closed loop when it has thought."""
    fixed = c[THREADS] + thread * THREAD_SIZE
    at_us = now_us
    if c[fixed + LOOP] >= 0:
        at_us = _next_send_at(c, m, thread, now_us)
        if at_us >= c[c[SIZES] + c[fixed + LOOP] + LOOP_UNTIL_US]:
            return
    m[c[SENDING] + thread * SENDING_SIZE + STATE] = RESUMING
    heap.push(c, m, at_us, thread)


@rule()
def next_of_loop(c: Any, m: Any, thread: Any) -> Any:
    """Topic and draw of the thread's next message, drawn as those of arrivals are."""
    fixed = c[THREADS] + thread * THREAD_SIZE
    loop = c[SIZES] + c[fixed + LOOP]
    place = c[SENDING] + thread * SENDING_SIZE + LOOPS
    n, seed, stream = m[place], c[loop + LOOP_SEED], c[loop + LOOP_STREAM] + thread
    m[place] = n + 1
    choice = np.int64(hash4(seed, ARRIVAL_TOPIC, stream, n) >> np.uint64(33))
    topic = 0
    while choice >= c[loop + LOOP_TOPICS + topic]:
        topic += 1
    return topic, np.int64(hash4(seed, ARRIVAL_LATENCY, stream, n))
