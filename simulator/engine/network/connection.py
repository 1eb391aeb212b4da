"""The way between a producer and a broker: processes that are away, networks that are cut or lose packets.

Only for runs in which such a thing happens (CONNECTIONS_ON), or while a connection is closed. Everything that will
happen to a broker within a time-out is known when a request is sent, so its fate is settled then. A connection is a
cell: 0 = open, or the time from which on it is closed. Source: rocketmq 4.2.0-5.3.3, NettyRemotingClient.invokeSync,
getAndCreateChannel, closeChannel and failFast.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator import codes
from simulator.compiled.jit import rule
from simulator.engine.layout import (
    ANSWER,
    ANSWER_REFUSE,
    ANSWER_VALUE,
    AT_US,
    ATTEMPT,
    BROKER,
    BROKERS,
    CLOSED,
    CODE,
    CONNECT_TIMEOUT_US,
    CONNECTIONS,
    CONNECTIONS_ON,
    DOWN,
    DOWN_KILL,
    DRAW,
    FAILS_FAST,
    FAR,
    FIRST_PERIOD,
    GROUP,
    LINK_CUT,
    LINK_TABLES,
    LINKS,
    LINKS_ON,
    LOSS_RTO,
    NUMBERS,
    OUTCOME,
    PERIOD_COUNT,
    PERIOD_CURSOR,
    PERIOD_SIZE,
    PERIODS_SIZE,
    REFUSED_AFTER_US,
    THREAD,
    THREAD_SIZE,
    THREADS,
    TIMEOUT_NOTICE_US,
    TIMEOUT_SPREAD_US,
    TIMETABLE,
    UNTIL_US,
    VALUE,
)
from simulator.engine.periods import NO_PERIOD, period_at, periods_of, value_at
from simulator.engine.sending.threads import producer_of_record
from simulator.randomness import below, mix

CONNECTED = -1
LOST = -2  # the request or its answer is lost: a time-out
RETRANSMISSIONS_MAX = 15  # net.ipv4.tcp_retries2
PPM = 1_000_000


@rule()
def _links_of(c: Any, m: Any, s: Any, table: Any) -> Any:
    """Offset in m of the directory of a table of links (0 = LINK, 1 = LOSS) between the sender and its broker."""
    group = c[c[THREADS] + m[s + THREAD] * THREAD_SIZE + GROUP]
    return link_directory(c, group, m[s + BROKER], table)


@rule(inlined=True)
def link_directory(c: Any, group: Any, broker: Any, table: Any) -> Any:
    """Offset in m of the directory of one table of a group's links to a broker."""
    return c[LINKS] + ((group * c[BROKERS] + broker) * LINK_TABLES + table) * PERIODS_SIZE


@rule()
def _first_not_over(c: Any, m: Any, own: Any, now_us: Any) -> Any:
    """Number of the table's first period that is not over; moves the cursor there."""
    i = m[own + PERIOD_CURSOR]
    while (
        i < m[own + PERIOD_COUNT] and m[c[TIMETABLE] + (m[own + FIRST_PERIOD] + i) * PERIOD_SIZE + UNTIL_US] <= now_us
    ):
        i += 1
    m[own + PERIOD_CURSOR] = i
    return i


@rule()
def link_at(c: Any, m: Any, own: Any, now_us: Any) -> Any:
    """Value of a table of links at `now_us`, 0 if no period holds."""
    i = _first_not_over(c, m, own, now_us)
    if i < m[own + PERIOD_COUNT]:
        row = c[TIMETABLE] + (m[own + FIRST_PERIOD] + i) * PERIOD_SIZE
        if m[row + AT_US] <= now_us:
            return m[row + VALUE]
    return 0


@rule()
def _after_cut(c: Any, m: Any, own: Any, now_us: Any, at_us: Any) -> Any:
    """`at_us`, or the end of the cut that holds then: lost packets are sent again until they pass."""
    for i in range(_first_not_over(c, m, own, now_us), m[own + PERIOD_COUNT]):
        row = c[TIMETABLE] + (m[own + FIRST_PERIOD] + i) * PERIOD_SIZE
        if m[row + AT_US] > at_us:
            break
        if m[row + VALUE] == LINK_CUT:
            at_us = max(at_us, m[row + UNTIL_US])
    return at_us


@rule()
def goes_down_at(c: Any, m: Any, broker: Any, now_us: Any) -> Any:
    """When the broker's process next goes away, FAR if it does not."""
    own = periods_of(c, broker, DOWN)
    for i in range(m[own + PERIOD_CURSOR], m[own + PERIOD_COUNT]):
        at_us = m[c[TIMETABLE] + (m[own + FIRST_PERIOD] + i) * PERIOD_SIZE + AT_US]
        if at_us > now_us:
            return at_us
    return FAR


@rule()
def _cell_of(c: Any, m: Any, s: Any) -> Any:
    producer = producer_of_record(c, m, s)
    return c[CONNECTIONS] + producer * c[BROKERS] + m[s + BROKER]


@rule(inlined=True)
def connecting_us(c: Any, m: Any, s: Any, now_us: Any) -> Any:
    """Microseconds that connecting takes before the request of the record at `s` can be sent; 0 if it is open."""
    if c[CONNECTIONS_ON] == 0 and m[c[NUMBERS] + CLOSED] == 0:
        return 0
    return _connect_time(c, m, s, now_us)


@rule()
def _connect_time(c: Any, m: Any, s: Any, now_us: Any) -> Any:
    """The same. A connect that fails is told by `connect`. A round trip, as a refusal is."""
    connection = _cell_of(c, m, s)
    if m[connection] == 0 or m[connection] > now_us or is_away(c, m, s, now_us) != 0:
        return 0
    if value_at(c, m, m[s + BROKER], ANSWER, now_us, 0) & ~ANSWER_VALUE == ANSWER_REFUSE:
        return 0
    m[connection] = 0
    m[c[NUMBERS] + CLOSED] -= 1
    return c[REFUSED_AFTER_US]


@rule()
def is_away(c: Any, m: Any, s: Any, now_us: Any) -> Any:
    """0 if packets pass and the process is there, 1 if it refuses connections, 2 if nothing answers."""
    row = period_at(c, m, m[s + BROKER], DOWN, now_us)
    if row != NO_PERIOD:
        return 1 if m[row + VALUE] <= DOWN_KILL else 2
    if c[LINKS_ON] == 1 and link_at(c, m, _links_of(c, m, s, 0), now_us) == LINK_CUT:
        return 2
    return 0


@rule()
def connect(c: Any, m: Any, s: Any, now_us: Any, deadline_us: Any) -> Any:
    """CONNECTED if the request reaches the broker, LOST if it gets lost, else when the client knows (sets the outcome).

    A connection that is open when the network is cut stays so until a time-out closes it; from then on connects
    time out. A cut that ends before the deadline only delays.
    """
    away = is_away(c, m, s, now_us)
    if away == 0:
        return CONNECTED
    connection = _cell_of(c, m, s)
    is_closed = m[connection] != 0 and m[connection] <= now_us
    if away == 1:
        close(c, m, s, now_us)
        m[s + OUTCOME] = codes.CONNECT_REFUSED
        return now_us + c[REFUSED_AFTER_US]
    if is_closed:
        m[s + OUTCOME] = codes.CONNECT_REFUSED
        late = below(mix(np.uint64(m[s + DRAW]) + np.uint64(128 + m[s + ATTEMPT])), c[TIMEOUT_SPREAD_US])
        return now_us + c[CONNECT_TIMEOUT_US] + c[TIMEOUT_NOTICE_US] + late
    row = period_at(c, m, m[s + BROKER], DOWN, now_us)
    if row != NO_PERIOD:
        close(c, m, s, m[row + UNTIL_US])  # the machine that is back knows nothing of the connection
        return LOST
    return CONNECTED if _after_cut(c, m, _links_of(c, m, s, 0), now_us, now_us) < deadline_us else LOST


@rule()
def close(c: Any, m: Any, s: Any, at_us: Any) -> None:
    """The connection closes at `at_us`, if nothing closes it before."""
    connection = _cell_of(c, m, s)
    if m[connection] == 0:
        m[c[NUMBERS] + CLOSED] += 1
        m[connection] = at_us
    m[connection] = min(m[connection], at_us)


@rule()
def closes_at(c: Any, m: Any, s: Any, now_us: Any) -> Any:
    """When the connection over which the record at `s` sends will close, as far as is known; FAR if it will not."""
    at_us = m[_cell_of(c, m, s)]
    return at_us if at_us > now_us else FAR


@rule()
def answer_arrives(c: Any, m: Any, s: Any, now_us: Any, end_us: Any) -> Any:
    """When the answer that leaves the broker at `end_us` is there: retransmissions, added latency, cuts."""
    if c[LINKS_ON] == 0:
        return end_us
    added_us = link_at(c, m, _links_of(c, m, s, 0), now_us)
    if added_us > 0:
        end_us += added_us
    loss = link_at(c, m, _links_of(c, m, s, 1), now_us)
    if loss > 0:
        word = mix(np.uint64(m[s + DRAW]) + np.uint64(64 + m[s + ATTEMPT]))
        rto_us = loss // LOSS_RTO
        for _ in range(RETRANSMISSIONS_MAX):
            word = mix(word)
            if below(word, PPM) >= loss % LOSS_RTO:
                break
            end_us += rto_us
            rto_us *= 2
    return _after_cut(c, m, _links_of(c, m, s, 0), now_us, end_us)


@rule()
def cut_at(c: Any, m: Any, s: Any, down_us: Any) -> Any:
    """When the client sees the connection close of a broker whose process goes away at `down_us`, or LOST.

    Up to 4.2.0 nobody tells those who wait for an answer. A machine without power closes nothing until it is back.
    """
    row = _outage_from(c, m, m[s + BROKER], down_us)
    if m[row + VALUE] > DOWN_KILL:
        close(c, m, s, m[row + UNTIL_US])
        return LOST
    close(c, m, s, down_us)
    if c[FAILS_FAST] == 0:
        return LOST
    m[s + OUTCOME] = codes.SEND_FAILURE
    m[s + CODE] = codes.NO_CODE
    return down_us


@rule()
def _outage_from(c: Any, m: Any, broker: Any, at_us: Any) -> Any:
    """Offset in m of the outage that begins at `at_us`."""
    own = periods_of(c, broker, DOWN)
    row = c[TIMETABLE] + (m[own + FIRST_PERIOD] + m[own + PERIOD_CURSOR]) * PERIOD_SIZE
    while m[row + AT_US] < at_us:
        row += PERIOD_SIZE
    return row
