"""A request of an asynchronous send on its way: asked at once or laid in a socket, thrown out by a scan, refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator import codes
from simulator.client.sending.async_send import REFUSED, SCAN_GRACE_MS, scan_at
from simulator.compiled.jit import rule
from simulator.engine import heap
from simulator.engine.layout import (
    ATTEMPT,
    ATTEMPT_BEGIN_US,
    BROKER,
    CODE,
    CONNECT_US,
    DRAW,
    FIRST_SCAN_US,
    IN_ASYNC,
    ORDERS_CHECKED,
    OUTCOME,
    PRODUCER_ROWS,
    PRODUCER_SIZE,
    REFUSALS,
    SCAN_PERIOD_US,
    STATE,
    TIMEOUT_MS,
)
from simulator.engine.network.request import ask_broker, has_master, read_by_broker
from simulator.engine.network.sockets import READ_WITHIN_US, lay_in_socket, read_at, take_from_socket
from simulator.engine.sending.spare_sends import at, await_append
from simulator.engine.sending.threads import producer_of_record
from simulator.randomness import below, mix

US_PER_MS = 1000
# What an attempt that the transport refuses takes of its thread: an exception, its log line, the next selection
# (recorded, 4.9.8 s7: median 65 us). It must be something: charged latencies of 0 and 1 ms then come in either order.
REFUSAL_US = 30
REFUSAL_SPREAD_US = 70


@rule()
def request(c: Any, m: Any, record: Any, now_us: Any, wait_ms: Any) -> None:
    """Send the request of an attempt that waits `wait_ms` (an ASYNC_WAIT) for its answer once connected."""
    s = at(c, record)
    if wait_ms == REFUSED:
        end_us = ask_broker(c, m, s, now_us, REFUSED)
        if m[s + OUTCOME] == codes.RESPONSE_TIMEOUT:
            m[s + OUTCOME] = codes.TOO_MUCH_REQUEST
            m[s + REFUSALS] += 1
            word = mix(np.uint64(m[s + DRAW]) + np.uint64(320 + m[s + ATTEMPT]))
            end_us += REFUSAL_US + below(word, REFUSAL_SPREAD_US)
        _await_end(c, m, record, end_us)
        return
    scan_us = _thrown_out_at(c, m, s, wait_ms)
    on_us = read_at(c, m, s, now_us)
    if now_us < on_us and on_us + READ_WITHIN_US < scan_us and has_master(c, m, s, m[s + BROKER], now_us) == 1:
        m[s + OUTCOME] = codes.RESPONSE_TIMEOUT  # so far
        lay_in_socket(c, m, record, on_us)
    else:
        end_us = ask_broker(c, m, s, now_us, _until(scan_us, now_us + m[s + CONNECT_US]))
        _answered(c, m, record, end_us, scan_us)


@rule()
def read_request(c: Any, m: Any, record: Any, now_us: Any, later: Any) -> None:
    """A broker that goes on reads the first request of a connection; the next one of it comes right behind."""
    s = at(c, record)
    follower = take_from_socket(c, m, s)
    begin_us, connect_us = m[s + ATTEMPT_BEGIN_US], m[s + CONNECT_US]
    connect_ms = (begin_us + connect_us) // US_PER_MS - begin_us // US_PER_MS
    scan_us = _thrown_out_at(c, m, s, later.async_wait(m[s + TIMEOUT_MS], connect_ms))
    m[s + CONNECT_US] = 0  # that was before
    end_us = read_by_broker(c, m, s, now_us, _until(scan_us, now_us))
    _answered(c, m, record, end_us, scan_us)
    m[s + CONNECT_US] = connect_us
    if follower >= 0:
        heap.push(c, m, now_us, follower)


@rule()
def _thrown_out_at(c: Any, m: Any, s: Any, wait_ms: Any) -> Any:
    """The scan that throws the request of the record at `s` out, if there is no answer before."""
    own = c[PRODUCER_ROWS] + producer_of_record(c, m, s) * PRODUCER_SIZE
    expires_us = m[s + ATTEMPT_BEGIN_US] + m[s + CONNECT_US] + (wait_ms + SCAN_GRACE_MS) * US_PER_MS
    return scan_at(expires_us, c[own + FIRST_SCAN_US], c[own + SCAN_PERIOD_US])


@rule(inlined=True)
def _until(scan_us: Any, sent_us: Any) -> Any:
    """Milliseconds, rounded up, so that whatever answers before the scan is told apart afterwards."""
    return (scan_us - sent_us + US_PER_MS - 1) // US_PER_MS


@rule()
def _answered(c: Any, m: Any, record: Any, end_us: Any, scan_us: Any) -> None:
    """The attempt ends at `end_us`, or the scan at `scan_us` throws the request out."""
    s = at(c, record)
    answered = m[s + OUTCOME] in (codes.SEND_OK, codes.SEND_STATUS, codes.BROKER_ERROR)
    if m[s + OUTCOME] == codes.RESPONSE_TIMEOUT or (answered and end_us >= scan_us):
        m[s + OUTCOME] = codes.RESPONSE_TIMEOUT
        m[s + CODE] = codes.NO_CODE
        end_us = scan_us
    _await_end(c, m, record, end_us)


@rule()
def _await_end(c: Any, m: Any, record: Any, end_us: Any) -> None:
    """The attempt ends then."""
    s = at(c, record)
    if c[ORDERS_CHECKED] == 1:
        await_append(c, m, s)
    m[s + STATE] = IN_ASYNC
    heap.push(c, m, end_us, record)
