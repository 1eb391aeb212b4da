"""The distributions that slow brokers add to a service, and the sums of those that are added at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from simulator.compiled.records import Array
from simulator.engine.memory.periods_table import ADDED, ADDED_SCALE
from simulator.kernel.latency import BODY_CELLS, SERVICE_MAX_US, Table, edge_ranks
from simulator.plan.effects import latency_text
from simulator.plan.spans import pieces, stretches
from simulator.plan.timetable import PlannedPeriod
from simulator.scenario import Latency, Scenario

PPM = 1_000_000
BODY_STEP, TAIL_STEP = 16, 64  # cells that count as one where tables are added
BODY_WEIGHT = 64  # of a cell, in those of the upper 1/64


def added_latencies(scenario: Scenario) -> dict[str, Table]:
    """The distributions that slow brokers add, by the text that names them, in the order of their numbers."""
    periods = [p for p in scenario.fault_periods() if "latency" in p.details]
    return {latency_text(p): Latency.model_validate(p.details["latency"]).service_table_us() for p in periods}


def summed(periods: Iterable[PlannedPeriod], tables: Sequence[Table]) -> tuple[list[PlannedPeriod], list[Table]]:
    """The periods with one added distribution at a time, their sum where several hold, and all distributions.

    The draws of each are independent. Numbers of `tables` stay as they are.
    """
    found, added, by_broker = list[PlannedPeriod](), list(tables), dict[int, list[PlannedPeriod]]()
    numbers: dict[tuple[int, ...], int] = {}
    for period in periods:
        if period.table == ADDED:
            by_broker.setdefault(period.broker, []).append(period)
        else:
            found.append(period)
    for own in by_broker.values():
        for at_us, until_us, held in _pieces(own):
            value = held[0].value
            if len(held) > 1:
                values = tuple(sorted(period.value for period in held))
                if values not in numbers:
                    numbers[values] = len(added)
                    added.append(_sum_of(values, tables))
                value = numbers[values] * ADDED_SCALE + PPM
            found.append(replace(held[0], at_us=at_us, until_us=until_us, value=value))
    return found, added


def _pieces(periods: list[PlannedPeriod]) -> Iterator[tuple[int, int, list[PlannedPeriod]]]:
    for _, _, together in stretches(periods):
        yield from pieces(together)


def _sum_of(values: Sequence[int], tables: Sequence[Table]) -> Table:
    """The distribution of the sum of what rows of ADDED say."""
    parts = [tables[value // ADDED_SCALE] * (value % ADDED_SCALE) // PPM for value in values]
    total: Array = parts[0]
    for part in parts[1:]:
        total = _sum(total, part)
    return total


def _sum(one: Array, other: Array) -> Array:
    """The table of the sum of two independent draws, to within the steps."""
    (first, weight), (second, others) = _steps(one), _steps(other)
    values = (first[:, None] + second).reshape(-1)
    weights = (weight[:, None] * others).reshape(-1)
    order = np.argsort(values, kind="stable")
    until = np.cumsum(weights[order])
    ranks = (until - weights[order] / 2) / until[-1]
    found = np.interp(np.array(edge_ranks()), ranks, values[order]).round().astype(np.int64)
    found[0], found[-1] = one[0] + other[0], max(found[-1], values[order[-1]])
    return np.minimum(np.maximum.accumulate(found), SERVICE_MAX_US)


def _steps(table: Array) -> tuple[Array, Array]:
    """Mean value and weight of each step of a table."""
    middles = (table[1:] + table[:-1]) // 2
    body = middles[:BODY_CELLS].reshape(-1, BODY_STEP).mean(axis=1)
    tail = middles[BODY_CELLS:].reshape(-1, TAIL_STEP).mean(axis=1)
    weights = np.repeat([BODY_STEP * BODY_WEIGHT, TAIL_STEP], [len(body), len(tail)])
    return np.concatenate([body, tail]).round().astype(np.int64), weights
