"""From rows of a block to events of a cell: what cannot be used is set aside with its reason."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from simulator.engine.layout import (
    ANSWER,
    ANSWER_CODE,
    ANSWER_REFUSE,
    ANSWER_STATUS,
    ANSWER_VALUE,
    DOWN_DISK,
    PERIOD_TABLES,
    SLAVE_LAG,
    SPEED,
    Ints,
)
from simulator.plan import CellPlan
from simulator.timetable import COLUMNS
from simulator.workload import Arrivals

ARRIVAL_COLUMNS = ("at_us", "producer", "thread", "topic", "draw")
ANSWER_KINDS = (ANSWER_REFUSE, ANSWER_CODE, ANSWER_STATUS)
STATES = (0, 0, 1, DOWN_DISK, SLAVE_LAG)  # greatest value of each other table
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Refused:
    """One row that cannot be used: its number in the block, why, and what it said."""

    row: int
    reason: str
    record: str


class UnreadableBlock(ValueError):
    """The block as a whole cannot be used: it lacks a column or holds another type."""


def _columns(table: pa.Table, names: tuple[str, ...]) -> list[Ints]:
    missing = [name for name in names if name not in table.column_names]
    if missing:
        raise UnreadableBlock(f"lacks the column {missing[0]}")
    columns = []
    for name in names:
        column = table.column(name).combine_chunks()
        if not pa.types.is_integer(column.type) or column.null_count:
            raise UnreadableBlock(f"column {name} is not whole numbers without gaps")
        columns.append(column.to_numpy().astype(np.int64))
    return columns


def _set_aside(
    names: tuple[str, ...], columns: list[Ints], faults: list[tuple[str, Mask]]
) -> tuple[Mask, list[Refused]]:
    usable = np.ones(len(columns[0]), dtype=bool)
    refused = []
    for reason, bad in faults:
        for row in np.flatnonzero(bad & usable):
            said = ", ".join(f"{name}={int(column[row])}" for name, column in zip(names, columns, strict=True))
            refused.append(Refused(int(row), reason, said))
        usable &= ~bad
    return usable, refused


def arrivals_of(table: pa.Table, plan: CellPlan, from_us: int, until_us: int) -> tuple[Arrivals, list[Refused]]:
    """Arrivals of one window in time order, and the rows that cannot be used. Raises UnreadableBlock."""
    columns = _columns(table, ARRIVAL_COLUMNS)
    at_us, producer, thread, topic, draw = columns
    own = producer - plan.names.first_producer
    known = (own >= 0) & (own < len(plan.threads_of_producer))
    threads = plan.threads_of_producer[np.where(known, own, 0)]
    usable, refused = _set_aside(
        ARRIVAL_COLUMNS,
        columns,
        [
            ("no such producer in this cell", ~known),
            ("no such sender thread", (thread < 0) | (thread >= threads)),
            ("no such topic", (topic < 0) | (topic >= len(plan.names.topics))),
            ("older than its window", at_us < from_us),
            ("newer than its window", at_us >= until_us),
        ],
    )
    first = np.cumsum(plan.threads_of_producer) - plan.threads_of_producer
    if refused:
        at_us, own, thread, topic, draw = (c[usable] for c in (at_us, own, thread, topic, draw))
    flat = first[own] + thread
    if len(at_us) > 1 and (np.diff(at_us) < 0).any():
        order = np.lexsort((flat, at_us))
        at_us, flat, topic, draw = at_us[order], flat[order], topic[order], draw[order]
    return Arrivals(at_us, flat, topic, draw), refused


def observations_of(table: pa.Table, plan: CellPlan, from_us: int) -> tuple[Ints, list[Refused]]:
    """Observation rows int64[n, 5], and the rows that cannot be used. Raises UnreadableBlock."""
    columns = _columns(table, COLUMNS)
    at_us, until_us, broker, kind, value = columns
    brokers = len(plan.names.brokers)
    of_answers = np.isin(value & ~ANSWER_VALUE, ANSWER_KINDS)
    of_states = (value > 0) & (value <= np.array(STATES)[np.clip(kind, 0, len(STATES) - 1)])
    known = np.where(kind == SPEED, value >= 0, np.where(kind == ANSWER, of_answers, of_states))
    usable, refused = _set_aside(
        COLUMNS,
        columns,
        [
            ("no such broker", (broker < 0) | (broker >= brokers)),
            ("no such table of periods", (kind < 0) | (kind >= PERIOD_TABLES)),
            ("ends before it begins", until_us <= at_us),
            ("no such value in its table of periods", ~known),
            ("late: over before its window", until_us <= from_us),
        ],
    )
    return np.stack(columns, axis=1)[usable], refused


def concatenated(parts: list[Arrivals]) -> Arrivals:
    """Arrivals of several windows one after the other."""
    return Arrivals(*(np.concatenate([getattr(p, f) for p in parts]) for f in ("at_us", "thread", "topic", "draw")))
