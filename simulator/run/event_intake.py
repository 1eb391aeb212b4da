"""From rows of a block to events of a cell: what cannot be used is set aside with its reason."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from simulator.compiled.records import Array
from simulator.engine.memory import periods_table as tables
from simulator.kernel.latency import EDGES
from simulator.plan.run_plan import CellPlan
from simulator.plan.timetable import COLUMNS
from simulator.run.reject_texts import RejectTexts
from simulator.workload import Arrivals

ARRIVAL_COLUMNS = ("at_us", "producer", "thread", "topic", "draw")
ANSWER_KINDS = (tables.ANSWER_REFUSE, tables.ANSWER_CODE, tables.ANSWER_STATUS)
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Refused:
    """One row that cannot be used: its number in the block, why, and what it said."""

    row: int
    reason: str
    record: str


class UnreadableBlock(ValueError):
    """The block as a whole cannot be used: it lacks a column or holds another type."""


def _columns(table: pa.Table, names: tuple[str, ...]) -> list[Array]:
    missing = [name for name in names if name not in table.column_names]
    if missing:
        raise UnreadableBlock(RejectTexts.COLUMN_MISSING(column=missing[0]))
    columns = []
    for name in names:
        column = table.column(name).combine_chunks()
        if not pa.types.is_integer(column.type) or column.null_count:
            raise UnreadableBlock(RejectTexts.COLUMN_NOT_WHOLE(column=name))
        columns.append(column.to_numpy().astype(np.int64))
    return columns


def set_aside(
    names: tuple[str, ...], columns: list[Array], faults: list[tuple[str, Mask]]
) -> tuple[Mask, list[Refused]]:
    """Which rows can be used, and those that cannot: for each the first of the reasons whose mask has it."""
    usable = np.ones(len(columns[0]), dtype=bool)
    refused = []
    for reason, bad in faults:
        for row in np.flatnonzero(bad & usable):
            said = ", ".join(f"{name}={int(column[row])}" for name, column in zip(names, columns, strict=True))
            refused.append(Refused(int(row), reason, said))
        usable &= ~bad
    return usable, refused


def sender_faults(plan: CellPlan, producer: Array, thread: Array, topic: Array) -> tuple[Array, list[tuple[str, Mask]]]:
    """The cell's number of each arrival's sender thread, and where there is none, or no such topic: (reason, mask)."""
    own = producer - plan.names.first_producer
    known = (own >= 0) & (own < len(plan.threads_of_producer))
    own = np.where(known, own, 0)
    closed = np.zeros(len(plan.threads_of_producer), dtype=bool)
    closed[plan.names.producer_of_thread[plan.closed] - plan.names.first_producer] = True
    first = np.cumsum(plan.threads_of_producer) - plan.threads_of_producer
    return first[own] + thread, [
        (RejectTexts.NO_PRODUCER(), ~known),
        (RejectTexts.NO_THREAD(), (thread < 0) | (thread >= plan.threads_of_producer[own])),
        (RejectTexts.CLOSED_LOOP(), known & closed[own]),
        (RejectTexts.NO_TOPIC(), (topic < 0) | (topic >= len(plan.names.topics))),
    ]


def arrivals_of(table: pa.Table, plan: CellPlan, from_us: int, until_us: int) -> tuple[Arrivals, list[Refused]]:
    """Arrivals of one window in time order, and the rows that cannot be used. Raises UnreadableBlock."""
    columns = _columns(table, ARRIVAL_COLUMNS)
    at_us, producer, thread, topic, draw = columns
    flat, faults = sender_faults(plan, producer, thread, topic)
    misplaced = [(RejectTexts.OLDER(), at_us < from_us), (RejectTexts.NEWER(), at_us >= until_us)]
    usable, refused = set_aside(ARRIVAL_COLUMNS, columns, [*faults, *misplaced])
    if refused:
        at_us, flat, topic, draw = (c[usable] for c in (at_us, flat, topic, draw))
    if len(at_us) > 1 and (np.diff(at_us) < 0).any():
        order = np.lexsort((flat, at_us))
        at_us, flat, topic, draw = at_us[order], flat[order], topic[order], draw[order]
    return Arrivals(at_us, flat, topic, draw), refused


def _known_values(table: Array, value: Array, plan: CellPlan) -> Mask:
    """Whether each table can hold its value."""
    settings = plan.settings
    first = settings.added_latencies
    latencies = len(plan.cluster["latencies"]) // EDGES - first if first >= 0 else 0
    added = value // tables.ADDED_SCALE
    tests = {
        tables.SPEED: value >= 0,
        tables.ANSWER: np.isin(value & ~tables.ANSWER_VALUE, ANSWER_KINDS),
        tables.STALL: value == 1,
        tables.DOWN: (value >= tables.DOWN_GRACEFUL) & (value <= tables.DOWN_FROZEN),
        tables.SLAVE: np.isin(value, (tables.SLAVE_AWAY, tables.SLAVE_APART))
        | ((value > 0) & (value % tables.SLAVE_RATE == tables.SLAVE_LAG)),
        tables.LINK: value >= tables.LINK_CUT,
        tables.ADDED: (added >= 0) & (added < latencies),
        tables.LOSS: value >= 0,
        tables.PROXY_DOWN: (value == tables.DOWN_GRACEFUL) | (value == tables.DOWN_KILL),
        tables.PROXY_STILL: value == 1,
        tables.LATE: (value >= 0) & (settings.networks_on == 1),
    }
    return np.select([table == number for number in tests], list(tests.values()), default=False)


def observations_of(table: pa.Table, plan: CellPlan, from_us: int) -> tuple[Array, list[Refused]]:
    """Observation rows int64[n, 5], and the rows that cannot be used. Raises UnreadableBlock."""
    columns = _columns(table, COLUMNS)
    at_us, until_us, broker, kind, value = columns
    settings = plan.settings
    links = settings.links_on * len(plan.names.groups)
    is_link = np.isin(kind, (tables.LINK, tables.LOSS, tables.LATE))
    places = len(plan.names.brokers) * np.where(is_link, links, 1)
    places = np.where(np.isin(kind, (tables.PROXY_DOWN, tables.PROXY_STILL)), settings.proxies, places)
    away = (kind == tables.DOWN) & (settings.connections_on == 0)
    usable, refused = set_aside(
        COLUMNS,
        columns,
        [
            (RejectTexts.NO_PERIODS(), (kind < 0) | (kind >= tables.ALL_TABLES)),
            (RejectTexts.NOBODY_GOES_AWAY(), away | (is_link & (links == 0))),
            (RejectTexts.NO_BROKER(), (broker < 0) | (broker >= places)),
            (RejectTexts.OVER_BEFORE(), until_us <= at_us),
            (RejectTexts.NO_PERIOD_VALUE(), ~_known_values(kind, value, plan)),
            (RejectTexts.LATE(), until_us <= from_us),
        ],
    )
    return np.stack(columns, axis=1)[usable], refused


def concatenated(parts: list[Arrivals]) -> Arrivals:
    """Arrivals of several windows one after the other."""
    return Arrivals(*(np.concatenate([getattr(p, f) for p in parts]) for f in ("at_us", "thread", "topic", "draw")))
