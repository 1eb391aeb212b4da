"""The periods of a broker: in which it is slow, stands still, answers otherwise; and work that goes on through them."""

from __future__ import annotations

from typing import Any

from simulator.compiled.jit import rule
from simulator.engine.layout import (
    AT_US,
    BROKER_STATE_SIZE,
    BROKER_STATES,
    FIRST_PERIOD,
    PERIOD_COUNT,
    PERIOD_CURSOR,
    PERIOD_SIZE,
    PERIODS,
    PERIODS_SIZE,
    SPEED,
    STALL,
    TIMETABLE,
    UNTIL_US,
    VALUE,
)

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


@rule()
def next_period(c: Any, m: Any, broker: Any, table: Any, now_us: Any) -> Any:
    """Offset in m of the table's first period that is not over at `now_us`, or NO_PERIOD."""
    skip_past(c, m, broker, table, now_us)
    own = periods_of(c, broker, table)
    if m[own + PERIOD_CURSOR] < m[own + PERIOD_COUNT]:
        return c[TIMETABLE] + (m[own + FIRST_PERIOD] + m[own + PERIOD_CURSOR]) * PERIOD_SIZE
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
def has_period(c: Any, m: Any, broker: Any, table: Any, now_us: Any) -> Any:
    """Whether the table has a period that is not over at `now_us`; `now_us` never goes back."""
    own = periods_of(c, broker, table)
    if m[own + PERIOD_CURSOR] >= m[own + PERIOD_COUNT]:
        return False
    skip_past(c, m, broker, table, now_us)
    return m[own + PERIOD_CURSOR] < m[own + PERIOD_COUNT]


@rule()
def end_with_disk(c: Any, m: Any, broker: Any, start_us: Any, work_us: Any) -> Any:
    """When `work_us` that needs the disk is done: a stall holds it up until it ends, however little is left."""
    at_us = start_after_standstill(c, m, broker, start_us)
    end_us = end_of_work(c, m, broker, at_us, work_us)
    own = periods_of(c, broker, STALL)
    first, count = m[own + FIRST_PERIOD], m[own + PERIOD_COUNT]
    for i in range(m[own + PERIOD_CURSOR], count):
        row = c[TIMETABLE] + (first + i) * PERIOD_SIZE
        begin_us, until_us = m[row + AT_US], m[row + UNTIL_US]
        if begin_us > at_us and begin_us >= end_us:
            break
        if until_us > at_us:
            left_us = end_us - max(begin_us, at_us)
            at_us = start_after_standstill(c, m, broker, until_us)
            end_us = at_us + left_us
    return end_us
