"""A broker: send threads, a bounded send queue, and periods in which it is slow, stands still or answers otherwise."""

from __future__ import annotations

from typing import Any

from simulator.engine.layout import (
    AT_US,
    BROKER_ROWS,
    BROKER_SIZE,
    BROKER_STATE_SIZE,
    BROKER_STATES,
    FIRST_PERIOD,
    OCCUPANCY_PPM,
    PERIOD_COUNT,
    PERIOD_CURSOR,
    PERIOD_SIZE,
    PERIODS,
    PERIODS_SIZE,
    QUEUE_CAPACITY,
    RING,
    RING_PLACE,
    RINGS,
    SERVER_COUNT,
    SERVER_FREE,
    SERVERS,
    SPEED,
    TIMETABLE,
    UNTIL_US,
    VALUE,
)
from simulator.jit import rule

QUEUE_FULL = -1
NO_PERIOD = -1


@rule(inlined=True)
def periods_of(c: Any, broker: Any, table: Any) -> Any:
    """Offset in m of the broker's directory of one table of periods."""
    return c[BROKER_STATES] + broker * BROKER_STATE_SIZE + PERIODS + table * PERIODS_SIZE


@rule(inlined=True)
def skip_past(c: Any, m: Any, broker: Any, table: Any, now_us: Any) -> None:
    """Move the table's cursor past periods that are over at `now_us`."""
    own = periods_of(c, broker, table)
    first, count, i = m[own + FIRST_PERIOD], m[own + PERIOD_COUNT], m[own + PERIOD_CURSOR]
    while i < count and m[c[TIMETABLE] + (first + i) * PERIOD_SIZE + UNTIL_US] <= now_us:
        i += 1
    m[own + PERIOD_CURSOR] = i


@rule(inlined=True)
def period_at(c: Any, m: Any, broker: Any, table: Any, now_us: Any) -> Any:
    """Offset in m of the table's period that holds at `now_us`, or NO_PERIOD; `now_us` never goes back."""
    skip_past(c, m, broker, table, now_us)
    own = periods_of(c, broker, table)
    i = m[own + PERIOD_CURSOR]
    if i < m[own + PERIOD_COUNT]:
        row = c[TIMETABLE] + (m[own + FIRST_PERIOD] + i) * PERIOD_SIZE
        if m[row + AT_US] <= now_us:
            return row
    return NO_PERIOD


@rule(inlined=True)
def value_at(c: Any, m: Any, broker: Any, table: Any, now_us: Any, otherwise: Any) -> Any:
    """Value of the table's period that holds at `now_us`, or `otherwise`."""
    row = period_at(c, m, broker, table, now_us)
    return otherwise if row == NO_PERIOD else m[row + VALUE]


@rule()
def start_after_standstill(c: Any, m: Any, broker: Any, at_us: Any) -> Any:
    """`at_us`, or the end of the standstill that holds then."""
    own = periods_of(c, broker, SPEED)
    first, count = m[own + FIRST_PERIOD], m[own + PERIOD_COUNT]
    for i in range(m[own + PERIOD_CURSOR], count):
        row = c[TIMETABLE] + (first + i) * PERIOD_SIZE
        if m[row + AT_US] > at_us:
            break
        if m[row + VALUE] == 0 and m[row + UNTIL_US] > at_us:
            at_us = m[row + UNTIL_US]
    return at_us


@rule()
def end_of_work(c: Any, m: Any, broker: Any, start_us: Any, work_us: Any) -> Any:
    """When `work_us` of work that begins at `start_us` is done, given slow and standstill periods."""
    own = periods_of(c, broker, SPEED)
    first, count = m[own + FIRST_PERIOD], m[own + PERIOD_COUNT]
    at_us, left = start_us, work_us
    for i in range(m[own + PERIOD_CURSOR], count):
        row = c[TIMETABLE] + (first + i) * PERIOD_SIZE
        until = m[row + UNTIL_US]
        if until <= at_us:
            continue
        if m[row + AT_US] > at_us:
            gap = m[row + AT_US] - at_us
            if left <= gap:
                return at_us + left
            left -= gap
            at_us = m[row + AT_US]
        slowness = m[row + VALUE]
        if slowness > 0:
            needed = left * slowness // 1_000_000
            if at_us + needed <= until:
                return at_us + needed
            left -= (until - at_us) * 1_000_000 // slowness
        at_us = until
    return at_us + left


@rule(inlined=True)
def serve(c: Any, m: Any, broker: Any, now_us: Any, service_us: Any) -> Any:
    """When the broker answers a request that arrives at `now_us`; QUEUE_FULL if its send queue has no place.

    First come, first served, by the first send thread that is free, else by the one that is free first. The ring
    holds the service starts of the last QUEUE_CAPACITY requests: if the oldest has not begun, that many are waiting.
    """
    skip_past(c, m, broker, SPEED, now_us)
    fixed = c[BROKER_ROWS] + broker * BROKER_SIZE
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    place = c[RINGS] + c[fixed + RING] + m[state + RING_PLACE]
    if m[place] > now_us:
        return QUEUE_FULL
    first = c[SERVER_FREE] + c[fixed + SERVERS]
    free = first
    for server in range(first, first + c[fixed + SERVER_COUNT]):
        if m[server] < m[free]:
            free = server
        if m[server] <= now_us:
            break
    start = max(now_us, m[free])
    own = periods_of(c, broker, SPEED)
    if m[own + PERIOD_COUNT] > m[own + PERIOD_CURSOR]:
        start = start_after_standstill(c, m, broker, start)
        end = end_of_work(c, m, broker, start, service_us)
    else:
        end = start + service_us
    occupancy = c[fixed + OCCUPANCY_PPM]
    if occupancy == 1_000_000:
        m[free] = end
    else:
        m[free] = end_of_work(c, m, broker, start, service_us * occupancy // 1_000_000)
    m[place] = start
    m[state + RING_PLACE] += 1
    if m[state + RING_PLACE] == c[fixed + QUEUE_CAPACITY]:
        m[state + RING_PLACE] = 0
    return end
