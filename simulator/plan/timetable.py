"""Broker observations: periods in which a broker, or the network to it, is not as usual.

A row of an observation is (at_us, until_us, broker, table, value), int64 each; in the tables of links `broker` is
group * brokers + broker. Rows of one place and table never overlap: faults that do are resolved here, before the
source sends them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from simulator.compiled.records import Array, layout_of, size_of
from simulator.compiled.region_store import columns, filled
from simulator.engine.memory import periods_table
from simulator.engine.memory.broker_state import BrokerState
from simulator.engine.memory.links import PROXY_PLACES
from simulator.engine.memory.periods_table import PeriodTable
from simulator.plan.spans import pieces, stretches

COLUMNS = ("at_us", "until_us", "broker", "table", "value")
NORMAL_SPEED = 1_000_000
CERTAIN = 1_000_000
LINK_PLACES = {
    periods_table.LINK: 0,
    periods_table.LOSS: 1,
    periods_table.LATE: 2,
}  # tables that links have instead of brokers, and which of a Link's they are

# Observations are announced this long before they begin, so that a request under way meets them.
LEAD_US = 120_000_000

Row = tuple[int, int, int, int, int]


@dataclass(frozen=True)
class PlannedPeriod:
    """One fault period of one place (`broker`, or group * brokers + broker) in one table."""

    at_us: int
    until_us: int
    broker: int
    table: int
    value: int


def speed_of(values: Iterable[int]) -> int:
    """Slowness, in parts per million of the usual time, of several that hold at once."""
    value = NORMAL_SPEED
    for factor in values:
        value = value * factor // NORMAL_SPEED
    return value


def _link(values: list[int]) -> int:
    return periods_table.LINK_CUT if periods_table.LINK_CUT in values else sum(values)


def _loss(values: list[int]) -> int:
    passed = CERTAIN
    for value in values:
        passed = passed * (CERTAIN - value % periods_table.LOSS_RTO) // CERTAIN
    return max(value // periods_table.LOSS_RTO for value in values) * periods_table.LOSS_RTO + CERTAIN - passed


def _value_of(table: int, active: list[PlannedPeriod]) -> int:
    """Speeds multiply, added latencies add up, losses are independent; a cut is a cut.

    An absence counts as the worst of them, of slaves too (of a process: see _ways_of_absence); of answers the later
    start wins, of those that start together a refusal. Of added services there is one (faults/added_latencies.py).
    """
    values = [period.value for period in active]
    if table in (periods_table.ANSWER, periods_table.ADDED):
        return max(active, key=lambda period: (period.at_us, -period.value)).value
    if table == periods_table.SPEED:
        return speed_of(values)
    if table == periods_table.LINK:
        return _link(values)
    if table == periods_table.LOSS:
        return _loss(values)
    if table == periods_table.LATE:
        return sum(values)
    return min(values) if table == periods_table.SLAVE else max(values)


def _ways_of_absence(values: list[int]) -> list[int]:
    """How a process is away in the pieces of one absence: as it went, and where its machine is off by that."""
    went = values[0] if values[0] <= periods_table.LAST_CLOSING else periods_table.DOWN_KILL
    found: list[int] = []
    for is_off, some in groupby(values, key=lambda value: value > periods_table.LAST_CLOSING):
        own = list(some)
        found += [max(own) if is_off else went] * len(own)
    return found


def _flattened(table: int, broker: int, periods: list[PlannedPeriod]) -> Iterable[Row]:
    """Rows that do not overlap; pieces that touch and say the same are one."""
    for _, _, together in stretches(periods):
        found = list(pieces(together))
        values = [_value_of(table, active) for _, _, active in found]
        if table == periods_table.DOWN:
            values = _ways_of_absence(values)
        for value, some in groupby(zip(found, values, strict=True), key=lambda piece: piece[1]):
            own = [piece for piece, _ in some]
            yield own[0][0], own[-1][1], broker, table, value


def observations(periods: Iterable[PlannedPeriod]) -> Array:
    """Observation rows int64[n, 5] in time order for fault periods that may overlap."""
    by_place: dict[tuple[int, int], list[PlannedPeriod]] = {}
    for period in periods:
        by_place.setdefault((period.table, period.broker), []).append(period)
    rows = [row for (table, broker), some in by_place.items() for row in _flattened(table, broker, some)]
    return np.array(sorted(rows), dtype=np.int64).reshape(-1, len(COLUMNS))


def longest_silence_us(rows: Array) -> int:
    """Of observation rows: for how long a broker answers nothing, at most, while its connections stand."""
    at_us, until_us, _, table, value = rows.T
    stands_still = (table == periods_table.SPEED) & (value == 0)
    is_gone = (table == periods_table.DOWN) & (value > periods_table.LAST_CLOSING)
    silent = stands_still | is_gone | ((table == periods_table.LINK) & (value == periods_table.LINK_CUT))
    over_link = [value[table == kind].max(initial=0) for kind in (periods_table.LINK, periods_table.LATE)]
    late_us = sum(over_link)
    return int((until_us - at_us)[silent].max(initial=late_us))


def timetable(rows: Array, broker_states: Array, links: Array, proxies: Array) -> Array:
    """The rows as region `timetable` has them, the empty period at the end.

    Writes where each table's are into the rows [brokers, cells], [links, cells] and [proxies, cells] of those regions,
    cursors at the start.
    """
    brokers, of_brokers = len(broker_states), len(broker_states) * periods_table.PERIOD_TABLES
    of_links = of_brokers + len(links) * len(LINK_PLACES)
    tables = np.zeros((of_links + len(proxies) * len(PROXY_PLACES), size_of(PeriodTable)), np.int64)
    table = rows[:, 2] * periods_table.PERIOD_TABLES + rows[:, 3]
    for number, place in LINK_PLACES.items():
        linked = rows[:, 3] == number
        table[linked] = of_brokers + rows[linked, 2] * len(LINK_PLACES) + place
    for number, place in PROXY_PLACES.items():
        struck = rows[:, 3] == number
        table[struck] = of_links + rows[struck, 2] * len(PROXY_PLACES) + place
    order = np.lexsort((rows[:, 0], table))
    column, numbers = columns(PeriodTable), np.arange(len(tables))
    first = np.searchsorted(table[order], numbers)
    tables[:, column["first"]] = first
    tables[:, column["count"]] = np.searchsorted(table[order], numbers, side="right") - first
    begin = layout_of(BrokerState).field("periods").at
    end = begin + periods_table.PERIOD_TABLES * size_of(PeriodTable)
    broker_states[:, begin:end] = tables[:of_brokers].reshape(brokers, -1)
    links[:] = tables[of_brokers:of_links].reshape(links.shape)
    proxies[:] = tables[of_links:].reshape(proxies.shape)
    at_us, until_us, value = rows[order][:, [0, 1, 4]].T
    periods = filled(periods_table.Period, len(rows), at_us=at_us, until_us=until_us, value=value)
    return np.concatenate([periods, filled(periods_table.Period, 1)])


def announced_events(rows: Array, windows: int, window_us: int, first: int = 0) -> int:
    """How many of the observation rows the source announces in the windows from `first` to `windows`."""
    before = int((rows[:, 0] < first * window_us + LEAD_US).sum()) if first else 0
    return int((rows[:, 0] < windows * window_us + LEAD_US).sum()) - before


def announced_in(rows: Array, window: int, window_us: int) -> Array:
    """The observation rows that the source announces in a window; the first window announces its past too."""
    begin = -1 if window == 0 else window * window_us + LEAD_US
    return rows[(rows[:, 0] >= begin) & (rows[:, 0] < (window + 1) * window_us + LEAD_US)]
