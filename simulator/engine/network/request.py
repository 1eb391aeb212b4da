"""One request on its way: connection, broker, answer; what the client then knows, and when."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator import codes
from simulator.client.sending.send_loop import GIVEN_UP
from simulator.compiled.jit import rule
from simulator.engine.broker.service import serve
from simulator.engine.layout import (
    ANSWER,
    ANSWER_REFUSE,
    ANSWER_VALUE,
    ATTEMPT,
    BROKER,
    BROKER_ROWS,
    BROKER_SIZE,
    CLOSED,
    CODE,
    CONNECT_US,
    CONNECTIONS_ON,
    COPIES,
    DRAW,
    FAILS_FAST,
    FAR,
    HAS_MASTER,
    NUMBERS,
    OUTCOME,
    REFUSED_AFTER_US,
    ROUTES_ON,
    STORED_US,
    TIMEOUT_NOTICE_US,
    TIMEOUT_SPREAD_US,
    TOPIC,
)
from simulator.engine.network.connection import (
    CONNECTED,
    LOST,
    answer_arrives,
    closes_at,
    connect,
    cut_at,
    goes_down_at,
)
from simulator.engine.network.cutting import close_after_timeout
from simulator.engine.network.route_polls import create_on, finds_master
from simulator.engine.periods import value_at
from simulator.randomness import below, mix


@rule(inlined=True)
def has_master(c: Any, m: Any, s: Any, broker: Any, now_us: Any) -> Any:
    """Whether the producer has an address to which the request of the record at `s` can go."""
    if c[ROUTES_ON] == 1:
        return finds_master(c, m, s, broker, now_us)
    return c[c[BROKER_ROWS] + broker * BROKER_SIZE + HAS_MASTER]


@rule(inlined=True)
def _word_of(m: Any, s: Any) -> Any:
    """What is random about the attempt."""
    return np.int64(mix(np.uint64(m[s + DRAW]) + np.uint64(m[s + ATTEMPT])) >> np.uint64(32))


@rule(inlined=True)
def _timed_out(c: Any, m: Any, s: Any, word: Any, deadline_us: Any) -> Any:
    """When the client notices that the answer is missing."""
    m[s + OUTCOME] = codes.RESPONSE_TIMEOUT
    m[s + CODE] = codes.NO_CODE
    return deadline_us + c[TIMEOUT_NOTICE_US] + below(mix(word), c[TIMEOUT_SPREAD_US])


@rule()
def _lost(c: Any, m: Any, s: Any, word: Any, now_us: Any, wait_ms: Any) -> Any:
    """The same of a request that waits `wait_ms` once connected; the connection may close, then or before."""
    noticed_us = _timed_out(c, m, s, word, now_us + m[s + CONNECT_US] + wait_ms * 1000)
    ends_us = _cut_short(c, m, s, now_us, noticed_us)
    if ends_us == noticed_us:
        close_after_timeout(c, m, s, wait_ms, noticed_us)
    return ends_us


@rule()
def _cut_short(c: Any, m: Any, s: Any, now_us: Any, end_us: Any) -> Any:
    """`end_us`, or when the connection closes before: what is under way on it fails then (failFast)."""
    closes_us = closes_at(c, m, s, now_us)
    if closes_us >= end_us or c[FAILS_FAST] == 0:
        return end_us
    m[s + OUTCOME] = codes.SEND_FAILURE
    m[s + CODE] = codes.NO_CODE
    return closes_us


@rule(inlined=True)
def _name_outcome(m: Any, s: Any) -> None:
    """The outcome that goes with the code of the answer."""
    if m[s + CODE] == 0:
        m[s + OUTCOME] = codes.SEND_OK
    elif codes.FLUSH_DISK_TIMEOUT <= m[s + CODE] <= codes.FLUSH_SLAVE_TIMEOUT:
        m[s + OUTCOME] = codes.SEND_STATUS
    else:
        m[s + OUTCOME] = codes.BROKER_ERROR


@rule()
def ask_broker(c: Any, m: Any, s: Any, now_us: Any, wait_ms: Any) -> Any:
    """Send the request of the record at `s`: sets its outcome, code and copies; gives when the client knows.

    `wait_ms` is what is waited for the answer once connecting, which took CONNECT_US, is done.
    """
    if c[ROUTES_ON] == 1 or c[CONNECTIONS_ON] == 1 or m[c[NUMBERS] + CLOSED] > 0 or m[s + CONNECT_US] > 0:
        return _ask_through(c, m, s, now_us, wait_ms)
    broker = m[s + BROKER]
    m[s + CODE] = codes.NO_CODE
    m[s + STORED_US] = -1
    if c[c[BROKER_ROWS] + broker * BROKER_SIZE + HAS_MASTER] == 0:
        m[s + OUTCOME] = codes.NO_MASTER
        return now_us
    answer = value_at(c, m, broker, ANSWER, now_us, 0)
    if answer & ~ANSWER_VALUE == ANSWER_REFUSE:
        m[s + OUTCOME] = codes.CONNECT_REFUSED
        return now_us + c[REFUSED_AFTER_US]
    if wait_ms == GIVEN_UP:
        m[s + OUTCOME] = codes.RESPONSE_TIMEOUT
        close_after_timeout(c, m, s, 0, now_us)
        return now_us
    word = _word_of(m, s)
    end_us = serve(c, m, s, broker, now_us, word, answer)
    if end_us >= now_us + wait_ms * 1000:
        return _lost(c, m, s, word, now_us, wait_ms)
    _name_outcome(m, s)
    return end_us


@rule()
def _ask_through(c: Any, m: Any, s: Any, now_us: Any, wait_ms: Any) -> Any:
    """The same where processes and networks go away, routes change and connections close."""
    broker = m[s + BROKER]
    m[s + CODE] = codes.NO_CODE
    m[s + STORED_US] = -1
    if has_master(c, m, s, broker, now_us) == 0:
        m[s + OUTCOME] = codes.NO_MASTER
        return now_us
    deadline_us = now_us + m[s + CONNECT_US] + wait_ms * 1000
    known_us = connect(c, m, s, now_us, deadline_us) if c[CONNECTIONS_ON] == 1 else CONNECTED
    if known_us == LOST and wait_ms != GIVEN_UP:
        return _lost(c, m, s, _word_of(m, s), now_us, wait_ms)
    if known_us >= 0:
        return known_us
    answer = value_at(c, m, broker, ANSWER, now_us, 0)
    if answer & ~ANSWER_VALUE == ANSWER_REFUSE:
        m[s + OUTCOME] = codes.CONNECT_REFUSED
        return now_us + c[REFUSED_AFTER_US]
    if wait_ms == GIVEN_UP:
        m[s + OUTCOME] = codes.RESPONSE_TIMEOUT
        close_after_timeout(c, m, s, 0, now_us + m[s + CONNECT_US])
        return now_us + m[s + CONNECT_US]
    return _arrived(c, m, s, now_us, wait_ms, answer)


@rule()
def read_by_broker(c: Any, m: Any, s: Any, now_us: Any, wait_ms: Any) -> Any:
    """`ask_broker` for a request that was sent before and is read only now: nothing can refuse or lose it any more."""
    m[s + CODE] = codes.NO_CODE
    m[s + STORED_US] = -1
    answer = value_at(c, m, m[s + BROKER], ANSWER, now_us, 0)
    if answer & ~ANSWER_VALUE == ANSWER_REFUSE:
        answer = 0
    return _arrived(c, m, s, now_us, wait_ms, answer)


@rule()
def _arrived(c: Any, m: Any, s: Any, now_us: Any, wait_ms: Any, answer: Any) -> Any:
    """The broker has the request: it serves it and answers, unless its process or the connection goes first."""
    broker, copies, word = m[s + BROKER], m[s + COPIES], _word_of(m, s)
    deadline_us = now_us + m[s + CONNECT_US] + wait_ms * 1000
    end_us = serve(c, m, s, broker, now_us, word, answer)
    if c[ROUTES_ON] == 1 and m[s + COPIES] > copies:
        create_on(c, m, m[s + TOPIC], broker)
    if c[CONNECTIONS_ON] == 1:
        goes_us = goes_down_at(c, m, broker, now_us)
        if end_us > goes_us:
            end_us = cut_at(c, m, s, goes_us)
            if LOST < end_us < deadline_us:
                return _cut_short(c, m, s, now_us, end_us)
            return _lost(c, m, s, word, now_us, wait_ms)
    if end_us < FAR:
        end_us = answer_arrives(c, m, s, now_us, end_us + m[s + CONNECT_US])
    if end_us >= deadline_us:
        return _lost(c, m, s, word, now_us, wait_ms)
    _name_outcome(m, s)
    return _cut_short(c, m, s, now_us, end_us)
