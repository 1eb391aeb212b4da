"""A synchronous time-out that closes its connection, and with it every other request that is under way there.

A request that is sent later over the connection is cut when it is sent (request.py); one that was sent before and
would end after the time-out is found here: only the sender threads of the same producer can have one.
"""

from __future__ import annotations

from typing import Any

from simulator import codes
from simulator.client.sending.closing import NEVER, closes
from simulator.compiled.jit import rule
from simulator.engine import heap
from simulator.engine.layout import (
    ATTEMPT_BEGIN_US,
    BROKER,
    CLOSES_ON_TIMEOUT,
    CODE,
    CONNECT_US,
    ENDS_US,
    FIRST_THREAD,
    IN_ATTEMPT,
    IN_ONE_ATTEMPT,
    OUTCOME,
    POLLER_SIZE,
    POLLERS,
    PRODUCER,
    SENDING,
    SENDING_SIZE,
    STATE,
    THREAD,
    THREAD_COUNT,
    THREAD_SIZE,
    THREADS,
    WAY,
    WAY_PLAIN,
    WAY_SYNC,
)
from simulator.engine.network.connection import close


@rule(inlined=True)
def _waits_beyond(m: Any, s: Any, broker: Any, at_us: Any) -> Any:
    """Whether the record at `s` waits at `at_us` for an answer of the broker, over a connection that stands."""
    return (
        (m[s + STATE] == IN_ATTEMPT or m[s + STATE] == IN_ONE_ATTEMPT)
        and m[s + BROKER] == broker
        and m[s + ENDS_US] > at_us
        and m[s + ATTEMPT_BEGIN_US] + m[s + CONNECT_US] <= at_us
        and m[s + OUTCOME] != codes.CONNECT_REFUSED
        and m[s + OUTCOME] != codes.NO_MASTER
    )


@rule()
def close_after_timeout(c: Any, m: Any, s: Any, wait_ms: Any, at_us: Any) -> None:
    """What follows when the client notices at `at_us` that the request of the record at `s` has timed out."""
    fixed = c[THREADS] + m[s + THREAD] * THREAD_SIZE
    if c[CLOSES_ON_TIMEOUT] == NEVER or (c[fixed + WAY] != WAY_PLAIN and c[fixed + WAY] != WAY_SYNC):
        return
    if closes(c[CLOSES_ON_TIMEOUT], m[s + CONNECT_US] // 1000 + wait_ms, wait_ms) == 0:
        return
    close(c, m, s, at_us)
    poller = c[POLLERS] + c[fixed + PRODUCER] * POLLER_SIZE
    first = c[poller + FIRST_THREAD]
    for thread in range(first, first + c[poller + THREAD_COUNT]):
        other = c[SENDING] + thread * SENDING_SIZE
        if other != s and _waits_beyond(m, other, m[s + BROKER], at_us):
            m[other + OUTCOME] = codes.SEND_FAILURE
            m[other + CODE] = codes.NO_CODE
            m[other + ENDS_US] = at_us
            heap.hasten(c, m, at_us, thread)
