"""Broker observations: periods in which a broker is slow, stands still, refuses or answers otherwise.

A row of an observation is (at_us, until_us, broker, table, value), int64 each. Rows of one broker and table never
overlap: faults that do are resolved here, before the source sends them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from simulator.engine.layout import (
    ANSWER,
    BROKER_STATE_SIZE,
    FIRST_PERIOD,
    PERIOD_COUNT,
    PERIOD_CURSOR,
    PERIOD_SIZE,
    PERIOD_TABLES,
    PERIODS,
    PERIODS_SIZE,
    SLAVE,
    SPEED,
    Ints,
)

COLUMNS = ("at_us", "until_us", "broker", "table", "value")
NORMAL_SPEED = 1_000_000


# Observations are announced this long before they begin, so that a request under way meets them.
LEAD_US = 120_000_000


@dataclass(frozen=True)
class Period:
    """One fault period of one broker. SPEED values multiply (0 stands still), of ANSWER values the later start wins."""

    at_us: int
    until_us: int
    broker: int
    table: int
    value: int


def _value_of(table: int, holding: list[Period]) -> int:
    if table == ANSWER:
        return max(holding, key=lambda period: period.at_us).value
    if table != SPEED:
        # Of two outages the worse; slaves that are away do not lag.
        values = [period.value for period in holding]
        return min(values) if table == SLAVE else max(values)
    value = NORMAL_SPEED
    for period in holding:
        value = value * period.value // NORMAL_SPEED
    return value


def _flattened(table: int, broker: int, periods: list[Period]) -> Iterable[tuple[int, int, int, int, int]]:
    edges = sorted({edge for period in periods for edge in (period.at_us, period.until_us)})
    for at_us, until_us in pairwise(edges):
        holding = [period for period in periods if period.at_us <= at_us and until_us <= period.until_us]
        if holding:
            yield at_us, until_us, broker, table, _value_of(table, holding)


def observations(periods: Iterable[Period]) -> Ints:
    """Observation rows int64[n, 5] in time order for fault periods that may overlap."""
    by_place: dict[tuple[int, int], list[Period]] = {}
    for period in periods:
        by_place.setdefault((period.table, period.broker), []).append(period)
    rows = [row for (table, broker), some in by_place.items() for row in _flattened(table, broker, some)]
    return np.array(sorted(rows), dtype=np.int64).reshape(-1, len(COLUMNS))


def timetable(rows: Ints, brokers: int, broker_states: Ints) -> Ints:
    """The rows as the loop reads them; sets each broker's part of `broker_states`, cursors at the beginning."""
    places: list[Ints] = []
    filled = 0
    for broker in range(brokers):
        for table in range(PERIOD_TABLES):
            own = rows[(rows[:, 2] == broker) & (rows[:, 3] == table)]
            own = own[np.argsort(own[:, 0], kind="stable")]
            state = broker * BROKER_STATE_SIZE + PERIODS + table * PERIODS_SIZE
            broker_states[state + FIRST_PERIOD] = filled
            broker_states[state + PERIOD_COUNT] = len(own)
            broker_states[state + PERIOD_CURSOR] = 0
            places.append(own[:, [0, 1, 4]].reshape(-1))
            filled += len(own)
    flat = np.concatenate(places) if places else np.empty(0, np.int64)
    return np.ascontiguousarray(np.append(flat, np.zeros(PERIOD_SIZE, np.int64)))


def announced_in(rows: Ints, window: int, window_us: int) -> Ints:
    """The observation rows that the source announces in a window; the first window announces its past too."""
    begin = -1 if window == 0 else window * window_us + LEAD_US
    return rows[(rows[:, 0] >= begin) & (rows[:, 0] < (window + 1) * window_us + LEAD_US)]
