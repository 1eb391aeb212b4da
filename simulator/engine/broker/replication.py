"""The slaves of a broker: when they have what the master appended."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.compiled.jit import rule
from simulator.engine.layout import (
    AT_US,
    BROKER_ROWS,
    BROKER_SIZE,
    BROKER_STATE_SIZE,
    BROKER_STATES,
    COPIED_US,
    FIRST_PERIOD,
    LATENCIES,
    PERIOD_COUNT,
    PERIOD_CURSOR,
    PERIOD_SIZE,
    SLAVE,
    SLAVE_AWAY,
    SLAVE_LATENCY,
    SLAVES,
    TIMETABLE,
    UNTIL_US,
    VALUE,
)
from simulator.engine.periods import NO_PERIOD, periods_of
from simulator.latency import service_us
from simulator.randomness import mix

SLAVE_WORD = 0x51A7E  # so that a slave draws otherwise than the service time


@rule()
def slave_period_at(c: Any, m: Any, broker: Any, at_us: Any) -> Any:
    """Offset in m of the period in which the slaves are away or lag at `at_us`, or NO_PERIOD; moves no cursor."""
    own = periods_of(c, broker, SLAVE)
    for i in range(m[own + PERIOD_CURSOR], m[own + PERIOD_COUNT]):
        row = c[TIMETABLE] + (m[own + FIRST_PERIOD] + i) * PERIOD_SIZE
        if m[row + AT_US] <= at_us < m[row + UNTIL_US]:
            return row
    return NO_PERIOD


@rule()
def slaves_at(c: Any, m: Any, broker: Any, at_us: Any) -> Any:
    """Slaves that are connected at `at_us`: all of them, or none while they are away."""
    row = slave_period_at(c, m, broker, at_us)
    if row != NO_PERIOD and m[row + VALUE] == SLAVE_AWAY:
        return 0
    return c[c[BROKER_ROWS] + broker * BROKER_SIZE + SLAVES]


@rule()
def delay_us(c: Any, broker: Any, word: Any, acks: Any) -> Any:
    """How long it takes until `acks` slaves have a message and said so: the slowest of the fastest `acks`."""
    fixed = c[BROKER_ROWS] + broker * BROKER_SIZE
    table, slaves = c[LATENCIES] + c[fixed + SLAVE_LATENCY], c[fixed + SLAVES]
    for i in range(slaves):
        mine = service_us(c, table, np.int64(mix(np.uint64(word + SLAVE_WORD + i)) >> np.uint64(32)))
        before = 0
        for k in range(slaves):
            other = service_us(c, table, np.int64(mix(np.uint64(word + SLAVE_WORD + k)) >> np.uint64(32)))
            if other < mine or (other == mine and k < i):
                before += 1
        if before == acks - 1:
            return mine
    return 0


@rule()
def copied_at(c: Any, m: Any, broker: Any, at_us: Any, word: Any, acks: Any) -> Any:
    """When `acks` of the slaves have what was appended at `at_us`; what came before it they have first.

    Slaves that are away or lag get it when that is over.
    """
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    delay = delay_us(c, broker, word, acks)
    copied_us = at_us + delay
    own = periods_of(c, broker, SLAVE)
    for i in range(m[own + PERIOD_CURSOR], m[own + PERIOD_COUNT]):
        row = c[TIMETABLE] + (m[own + FIRST_PERIOD] + i) * PERIOD_SIZE
        if m[row + AT_US] >= copied_us:
            break
        if m[row + UNTIL_US] > at_us:
            copied_us = max(copied_us, m[row + UNTIL_US] + delay)
    m[state + COPIED_US] = max(m[state + COPIED_US], copied_us)
    return m[state + COPIED_US]
