"""What brokers were like over time, from the recorded latencies themselves: a distribution for each stretch of each.

Answers that met a fault are left out: the fault is in the fitted scenario. Where nobody had enough ordinary answers of
a broker, its distribution of the whole trace stands in. Requests that waited in a connection while a broker hung are
served one right behind the other by threads that are awake. Few of their answers are held up, which decides which one
comes last, and with it who avoids the broker up to 5.1.3. What a broker's late answers show of that holds for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from simulator.calibrate.attempts import Flags, Ints, TraceAttempts
from simulator.calibrate.found_fault import HANG, FoundFault
from simulator.calibrate.service_times import ANSWERS_LEAST, LATE_LEAST, held_us, ordinary_answers
from simulator.compiled.records import Array, Region
from simulator.engine.memory.broker_state import Broker
from simulator.engine.memory.periods_table import ADDED, ADDED_SCALE
from simulator.engine.memory.settings import Settings
from simulator.engine.network.sockets import READ_WITHIN_US
from simulator.kernel.latency import EDGES, SERVICE_MAX_US, edge_ranks
from simulator.plan.run_plan import CellPlan, Plan

STRETCH_LEAST_US = 1_000_000
TABLES_MOST = 600  # of all brokers together: a table has 64 KiB
LATE_US = 2 * READ_WITHIN_US  # a fitted hang ends within that of when it was over: its times are rounded
WHOLE = 1_000_000  # of a distribution, in parts per million
AFTER_US = 3_600_000_000  # the last stretch holds until everything in flight has ended


@dataclass(frozen=True)
class Conditions:
    """Distributions of brokers over time.

    tables: [n, EDGES] of latency.py. own: [stretches, brokers], number of the table of a broker in a stretch.
    tried: [stretches, brokers], whether anybody tried the broker then; measured: whether enough of them were answered.
    late: (broker, when a hang of it was over, table of what it had been sent meanwhile), by time.
    """

    stretch_us: int
    brokers: tuple[str, ...]
    tables: Array
    own: Array
    tried: Flags
    measured: Flags
    late: tuple[tuple[int, int, int], ...] = ()


def conditions_of(attempts: TraceAttempts, findings: Sequence[FoundFault]) -> Conditions:
    """The conditions of every broker of a trace."""
    brokers, duration = len(attempts.brokers), max(attempts.duration_us, 1)
    stretch_us = max(STRETCH_LEAST_US, -(-duration * brokers // TABLES_MOST))
    stretches = -(-duration // stretch_us)
    own = np.zeros((stretches, brokers), np.int64)
    tried, measured = np.zeros((stretches, brokers), bool), np.zeros((stretches, brokers), bool)
    ordinary = [ordinary_answers(attempts, broker, findings) for broker in range(brokers)]
    together = np.sort(np.concatenate([_took(attempts, rows) for rows in ordinary]))
    tables: list[Array] = []
    for broker, rows in enumerate(ordinary):
        usual = np.sort(_took(attempts, rows))
        own[:, broker] = len(tables)
        tables.append(_table(usual if len(usual) >= ANSWERS_LEAST else together))
        asked = np.clip(attempts.begin_us[attempts.of_broker(broker)] // stretch_us, 0, stretches - 1)
        tried[np.unique(asked), broker] = True
        stretch = np.clip(attempts.begin_us[rows] // stretch_us, 0, stretches - 1)
        for number in np.flatnonzero(np.bincount(stretch, minlength=stretches) >= ANSWERS_LEAST).tolist():
            own[number, broker], measured[number, broker] = len(tables), True
            tables.append(_table(np.sort(_took(attempts, rows[stretch == number]))))
    late: list[tuple[int, int, int]] = []
    for broker, name in enumerate(attempts.brokers):
        held = held_us(attempts, broker, findings)
        if len(held) >= LATE_LEAST:
            over = [one.until_us for one in findings if one.broker == name and one.kind == HANG]
            late += [(broker, us, len(tables)) for us in over]
            tables.append(_table(np.sort(held) + together[0]))
    return Conditions(stretch_us, attempts.brokers, np.stack(tables), own, tried, measured, tuple(sorted(late)))


def _took(attempts: TraceAttempts, rows: Ints) -> Ints:
    return attempts.end_us[rows] - attempts.begin_us[rows]


@cache
def _ranks() -> npt.NDArray[np.float64]:
    return np.array(edge_ranks())


def _table(sorted_us: Ints) -> Array:
    """The latencies themselves as a table, linear between two of them."""
    values = np.interp(_ranks(), np.linspace(0, 1, len(sorted_us)), sorted_us)
    return np.minimum(values.round().astype(np.int64), SERVICE_MAX_US)


def under_conditions(plan: Plan, conditions: Conditions, brokers: Mapping[str, str]) -> Plan:
    """The plan with those brokers as recorded ones were: a constant base, and what each stretch adds to it.

    `brokers`: of the plan, each with the recorded one that it is like, most often itself.
    """
    numbers = {name: conditions.brokers.index(recorded) for name, recorded in brokers.items()}
    names = plan.cells[0].names.brokers
    first = plan.cells[0].settings.added_latencies
    given = 0 if first < 0 else len(plan.cells[0].cluster["latencies"]) // EDGES - first
    rows = [
        (at, until, names.index(name), ADDED, (given + table) * ADDED_SCALE + WHOLE)
        for name, number in numbers.items()
        for at, until, table in _spans(conditions, number)
    ]
    observations = np.concatenate([plan.observations, np.array(rows, np.int64).reshape(-1, 5)])
    observations = observations[np.lexsort((observations[:, 3], observations[:, 2], observations[:, 0]))]
    base_us = conditions.tables.min()
    cells = tuple(_cell(cell, conditions.tables - base_us, int(base_us), list(numbers)) for cell in plan.cells)
    return replace(plan, observations=observations, cells=cells)


def _spans(conditions: Conditions, broker: int) -> list[tuple[int, int, int]]:
    own = conditions.own[:, broker]
    cuts = [0, *(np.flatnonzero(np.diff(own)) + 1).tolist(), len(own)]
    ends = [*(cut * conditions.stretch_us for cut in cuts[1:-1]), len(own) * conditions.stretch_us + AFTER_US]
    spans = [(begin * conditions.stretch_us, end, int(own[begin])) for begin, end in zip(cuts[:-1], ends, strict=True)]
    late = [(us - READ_WITHIN_US, us + LATE_US, table) for number, us, table in conditions.late if number == broker]
    parts = [part for begin, end, table in spans for part in _without(begin, end, table, late)]
    return sorted([*parts, *late])


def _without(begin: int, end: int, table: int, late: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """What is left of a span beside those of late answers."""
    for at, until, _ in late:
        if begin < at < end:
            yield begin, at, table
        begin = max(begin, min(until, end)) if at < end else begin
    if begin < end:
        yield begin, end, table


def _cell(cell: CellPlan, tables: Array, base_us: int, brokers: Sequence[str]) -> CellPlan:
    """The cell with the tables behind those that it has, and a constant one for the brokers before them."""
    latencies, settings = cell.cluster["latencies"].reshape(-1, EDGES), cell.cluster["settings"].copy()
    first = int(cell.settings.added_latencies)
    first = len(latencies) if first < 0 else first
    Settings.at(settings).added_latencies = first + 1
    cells = cell.cluster["brokers"].copy()
    rows = Region.of(Broker, cells)
    for name in brokers:
        rows[cell.names.brokers.index(name)].latency = first
    together = np.concatenate([latencies[:first], np.full((1, EDGES), base_us), latencies[first:], tables])
    cluster = dict(cell.cluster) | {"latencies": together.reshape(-1), "settings": settings, "brokers": cells}
    return replace(cell, cluster=cluster)
