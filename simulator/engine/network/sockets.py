"""What a broker's process that stands still finds when it goes on: its connections, each with requests in order.

They lie in the kernel's buffers, one for each connection (a producer has one to a broker). The process empties one
after the other, so the requests of a producer come to the send threads one right behind the other, not mixed with
those of others as they were sent. In what order it comes to the connections is up to the operating system: it is
drawn. Only for asynchronous sends: of any other way a thread has one request under way.
Source: rocketmq 4.2.0-5.3.3, NettyRemotingServer (epoll or NIO event loops, which read a ready channel until it is
empty); seen in recordings of stopped brokers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.compiled.jit import rule
from simulator.engine import heap
from simulator.engine.layout import (
    ANSWER,
    ANSWER_REFUSE,
    ANSWER_VALUE,
    ATTEMPT,
    BROKER,
    BROKERS,
    CONNECTIONS_ON,
    DRAW,
    IN_SOCKET,
    SOCKET_SIZE,
    SOCKETS,
    SPEED,
    STATE,
)
from simulator.engine.network.connection import goes_down_at, is_away
from simulator.engine.periods import has_period, start_after_standstill, value_at
from simulator.engine.sending.spare_sends import at, put_last, take_first
from simulator.engine.sending.threads import producer_of_record
from simulator.randomness import below, mix

READ_WITHIN_US = 1000  # of going on, all connections


@rule()
def read_at(c: Any, m: Any, s: Any, now_us: Any) -> Any:
    """When the broker's process goes on, if it stands still and the record's request waits for it, else `now_us`."""
    broker = m[s + BROKER]
    if not has_period(c, m, broker, SPEED, now_us):
        return now_us
    on_us = start_after_standstill(c, m, broker, now_us)
    if on_us == now_us or value_at(c, m, broker, ANSWER, now_us, 0) & ~ANSWER_VALUE == ANSWER_REFUSE:
        return now_us
    if c[CONNECTIONS_ON] == 1 and (
        is_away(c, m, s, now_us) != 0 or goes_down_at(c, m, broker, now_us) <= on_us + READ_WITHIN_US
    ):
        return now_us
    return on_us


@rule(inlined=True)
def socket_of(c: Any, m: Any, s: Any) -> Any:
    """Offset in m of the head and the tail of the requests that lie in the record's connection."""
    producer = producer_of_record(c, m, s)
    return c[SOCKETS] + (producer * c[BROKERS] + m[s + BROKER]) * SOCKET_SIZE


@rule()
def lay_in_socket(c: Any, m: Any, record: Any, on_us: Any) -> None:
    """The record's request waits until the process, which goes on then, reads its connection."""
    s = at(c, record)
    m[s + STATE] = IN_SOCKET
    socket = socket_of(c, m, s)
    if m[socket] < 0:
        word = mix(np.uint64(m[s + DRAW]) + np.uint64(256 + m[s + ATTEMPT]))
        heap.push(c, m, on_us + below(word, READ_WITHIN_US), record)
    put_last(c, m, socket, record)


@rule()
def take_from_socket(c: Any, m: Any, s: Any) -> Any:
    """Take the first request, which is that of the record at `s`, out of its connection; gives the next or -1."""
    socket = socket_of(c, m, s)
    take_first(c, m, socket)
    return m[socket]
