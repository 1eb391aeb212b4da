"""One request on its way: connection, broker, answer; what the client then knows, and when."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator import codes
from simulator.client.send_loop import GIVEN_UP
from simulator.engine.broker import QUEUE_FULL, serve, value_at
from simulator.engine.layout import (
    ANSWER,
    ANSWER_CODE,
    ANSWER_REFUSE,
    ANSWER_STATUS,
    ANSWER_VALUE,
    ATTEMPT,
    BROKER,
    BROKER_ROWS,
    BROKER_SIZE,
    CODE,
    COPIES,
    DRAW,
    HAS_MASTER,
    LATENCIES,
    LATENCY,
    OUTCOME,
    REFUSED_AFTER_US,
    TIMEOUT_NOTICE_US,
    TIMEOUT_SPREAD_US,
)
from simulator.jit import rule
from simulator.latency import service_us
from simulator.randomness import below, mix


@rule(inlined=True)
def ask_broker(c: Any, m: Any, s: Any, now_us: Any, wait_ms: Any) -> Any:
    """Send the request of the record at `s`: sets its outcome, code and copies; gives when the client knows."""
    broker = m[s + BROKER]
    fixed = c[BROKER_ROWS] + broker * BROKER_SIZE
    m[s + CODE] = codes.NO_CODE
    if c[fixed + HAS_MASTER] == 0:
        m[s + OUTCOME] = codes.NO_MASTER
        return now_us
    answer = value_at(c, m, broker, ANSWER, now_us, 0)
    kind = answer & ~ANSWER_VALUE
    if kind == ANSWER_REFUSE:
        m[s + OUTCOME] = codes.CONNECT_REFUSED
        return now_us + c[REFUSED_AFTER_US]
    if wait_ms == GIVEN_UP:
        m[s + OUTCOME] = codes.RESPONSE_TIMEOUT
        return now_us
    table = c[LATENCIES] + c[fixed + LATENCY]
    word = np.int64(mix(np.uint64(m[s + DRAW]) + np.uint64(m[s + ATTEMPT])) >> np.uint64(32))
    end_us = serve(c, m, broker, now_us, service_us(c, table, word))
    if end_us == QUEUE_FULL:
        # The pool's refusal comes back as fast as the fastest answer.
        end_us = now_us + service_us(c, table, 0)
        kind, answer = ANSWER_CODE, ANSWER_CODE | 2
    if kind == ANSWER_CODE:
        m[s + OUTCOME] = codes.BROKER_ERROR
        m[s + CODE] = answer & ANSWER_VALUE
    else:
        m[s + COPIES] += 1
        m[s + OUTCOME] = codes.SEND_STATUS if kind == ANSWER_STATUS else codes.SEND_OK
        m[s + CODE] = answer & ANSWER_VALUE
    deadline_us = now_us + wait_ms * 1000
    if end_us >= deadline_us:
        m[s + OUTCOME] = codes.RESPONSE_TIMEOUT
        m[s + CODE] = codes.NO_CODE
        late = below(mix(word), c[TIMEOUT_SPREAD_US])
        return deadline_us + c[TIMEOUT_NOTICE_US] + late
    return end_us
