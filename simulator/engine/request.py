"""One request on its way: connection, broker, answer; what the client then knows, and when."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator import codes
from simulator.client.send_loop import GIVEN_UP
from simulator.engine.broker import serve
from simulator.engine.layout import (
    ANSWER,
    ANSWER_REFUSE,
    ANSWER_VALUE,
    ATTEMPT,
    BROKER,
    BROKER_ROWS,
    BROKER_SIZE,
    CODE,
    DRAW,
    HAS_MASTER,
    OUTCOME,
    REFUSED_AFTER_US,
    TIMEOUT_NOTICE_US,
    TIMEOUT_SPREAD_US,
)
from simulator.engine.periods import value_at
from simulator.jit import rule
from simulator.randomness import below, mix


@rule()
def ask_broker(c: Any, m: Any, s: Any, now_us: Any, wait_ms: Any) -> Any:
    """Send the request of the record at `s`: sets its outcome, code and copies; gives when the client knows."""
    broker = m[s + BROKER]
    m[s + CODE] = codes.NO_CODE
    if c[c[BROKER_ROWS] + broker * BROKER_SIZE + HAS_MASTER] == 0:
        m[s + OUTCOME] = codes.NO_MASTER
        return now_us
    answer = value_at(c, m, broker, ANSWER, now_us, 0)
    if answer & ~ANSWER_VALUE == ANSWER_REFUSE:
        m[s + OUTCOME] = codes.CONNECT_REFUSED
        return now_us + c[REFUSED_AFTER_US]
    if wait_ms == GIVEN_UP:
        m[s + OUTCOME] = codes.RESPONSE_TIMEOUT
        return now_us
    word = np.int64(mix(np.uint64(m[s + DRAW]) + np.uint64(m[s + ATTEMPT])) >> np.uint64(32))
    end_us = serve(c, m, s, broker, now_us, word, answer)
    deadline_us = now_us + wait_ms * 1000
    if end_us >= deadline_us:
        m[s + OUTCOME] = codes.RESPONSE_TIMEOUT
        m[s + CODE] = codes.NO_CODE
        late = below(mix(word), c[TIMEOUT_SPREAD_US])
        return deadline_us + c[TIMEOUT_NOTICE_US] + late
    if m[s + CODE] == 0:
        m[s + OUTCOME] = codes.SEND_OK
    elif codes.FLUSH_DISK_TIMEOUT <= m[s + CODE] <= codes.FLUSH_SLAVE_TIMEOUT:
        m[s + OUTCOME] = codes.SEND_STATUS
    else:
        m[s + OUTCOME] = codes.BROKER_ERROR
    return end_us
