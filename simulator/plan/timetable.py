"""Broker observations: periods in which a broker, or the network to it, is not as usual.

A row of an observation is (at_us, until_us, broker, table, value), int64 each; in the tables of links `broker` is
group * brokers + broker. Rows of one place and table never overlap: faults that do are resolved here, before the
source sends them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from simulator.engine.layout import (
    ADDED,
    ANSWER,
    BROKER_STATE_SIZE,
    FIRST_PERIOD,
    LINK,
    LINK_CUT,
    LINK_TABLES,
    LOSS,
    LOSS_RTO,
    PERIOD_COUNT,
    PERIOD_SIZE,
    PERIOD_TABLES,
    PERIODS,
    PERIODS_SIZE,
    SLAVE,
    SPEED,
    Ints,
)
from simulator.plan.spans import pieces

COLUMNS = ("at_us", "until_us", "broker", "table", "value")
NORMAL_SPEED = 1_000_000
CERTAIN = 1_000_000
LINK_PLACES = {LINK: 0, LOSS: 1}  # tables whose directories are in region LINKS, and where there

# Observations are announced this long before they begin, so that a request under way meets them.
LEAD_US = 120_000_000


@dataclass(frozen=True)
class Period:
    """One fault period of one place (`broker`, or group * brokers + broker) in one table."""

    at_us: int
    until_us: int
    broker: int
    table: int
    value: int


def _speed(values: list[int]) -> int:
    value = NORMAL_SPEED
    for factor in values:
        value = value * factor // NORMAL_SPEED
    return value


def _link(values: list[int]) -> int:
    return LINK_CUT if LINK_CUT in values else sum(values)


def _loss(values: list[int]) -> int:
    passed = CERTAIN
    for value in values:
        passed = passed * (CERTAIN - value % LOSS_RTO) // CERTAIN
    return max(value // LOSS_RTO for value in values) * LOSS_RTO + CERTAIN - passed


def _value_of(table: int, holding: list[Period]) -> int:
    """Speeds multiply, added latencies add up, losses are independent; a cut is a cut.

    An absence counts as the worst of them, of slaves too; of answers and added services the later start wins.
    """
    values = [period.value for period in holding]
    if table in (ANSWER, ADDED):
        return max(holding, key=lambda period: period.at_us).value
    if table == SPEED:
        return _speed(values)
    if table == LINK:
        return _link(values)
    if table == LOSS:
        return _loss(values)
    return min(values) if table == SLAVE else max(values)


def _flattened(table: int, broker: int, periods: list[Period]) -> Iterable[tuple[int, int, int, int, int]]:
    for at_us, until_us, holding in pieces(periods):
        yield at_us, until_us, broker, table, _value_of(table, holding)


def observations(periods: Iterable[Period]) -> Ints:
    """Observation rows int64[n, 5] in time order for fault periods that may overlap."""
    by_place: dict[tuple[int, int], list[Period]] = {}
    for period in periods:
        by_place.setdefault((period.table, period.broker), []).append(period)
    rows = [row for (table, broker), some in by_place.items() for row in _flattened(table, broker, some)]
    return np.array(sorted(rows), dtype=np.int64).reshape(-1, len(COLUMNS))


def timetable(rows: Ints, broker_states: Ints, links: Ints) -> Ints:
    """The rows as the loop reads them; sets the directories in `broker_states` and `links`, cursors at the start."""
    brokers, places = len(broker_states) // BROKER_STATE_SIZE, len(links) // PERIODS_SIZE
    states = broker_states.reshape(brokers, BROKER_STATE_SIZE)
    directories = np.zeros((brokers * PERIOD_TABLES + places, PERIODS_SIZE), np.int64)
    directory = rows[:, 2] * PERIOD_TABLES + rows[:, 3]
    for table, place in LINK_PLACES.items():
        linked = rows[:, 3] == table
        directory[linked] = brokers * PERIOD_TABLES + rows[linked, 2] * LINK_TABLES + place
    order = np.lexsort((rows[:, 0], directory))
    numbers = np.arange(len(directories))
    directories[:, FIRST_PERIOD] = np.searchsorted(directory[order], numbers)
    directories[:, PERIOD_COUNT] = np.searchsorted(directory[order], numbers, side="right")
    directories[:, PERIOD_COUNT] -= directories[:, FIRST_PERIOD]
    states[:, PERIODS:] = directories[: brokers * PERIOD_TABLES].reshape(brokers, -1)
    links[:] = directories[brokers * PERIOD_TABLES :].reshape(-1)
    return np.append(rows[order][:, [0, 1, 4]].reshape(-1), np.zeros(PERIOD_SIZE, np.int64))


def announced_events(rows: Ints, windows: int, window_us: int) -> int:
    """How many of the observation rows the source announces in all windows."""
    return int((rows[:, 0] < windows * window_us + LEAD_US).sum())


def announced_in(rows: Ints, window: int, window_us: int) -> Ints:
    """The observation rows that the source announces in a window; the first window announces its past too."""
    begin = -1 if window == 0 else window * window_us + LEAD_US
    return rows[(rows[:, 0] >= begin) & (rows[:, 0] < (window + 1) * window_us + LEAD_US)]
