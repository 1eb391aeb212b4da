"""A run's events as records on their way to a topic: in order or not, some of them twice."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np

from simulator.compiled.records import Array
from simulator.plan.run_plan import CellPlan, Plan
from simulator.run.driver import windows_of
from simulator.workload import NO_ARRIVALS, Arrivals
from streaming.kafka.intake.event_records import ARRIVAL, END, OBSERVATION, OF_LINKS, PERIODS, TIME, VERSION

Load = Mapping[tuple[int, int], Arrivals]  # by cell and window
PARTS = 1_000_000  # what chances are out of


class TopicRecord(NamedTuple):
    """One record: the virtual time that it belongs to, who keeps its order, and its bytes; None is for everybody."""

    at_us: int
    of: int | None
    value: bytes
    is_end: bool = False


@dataclass(frozen=True)
class Disorder:
    """How far records may be from their order, and how many come twice, out of a million."""

    lateness_us: int = 0
    doubled: int = 0
    seed: int = 0


def records_of(plan: Plan, load: Load | None = None) -> Iterator[TopicRecord]:
    """Every record of a run in order of virtual time, and that each window is complete.

    `load`: what arrives instead of the scenario's own messages.
    """
    seqs = [np.zeros(len(cell.closed), np.int64) for cell in plan.cells]
    windows = [windows_of(plan, cell, 0, plan.windows) for cell in plan.cells]
    for per_cell in zip(*windows, strict=True):
        for cell, own_seqs, (window, announced, events) in zip(plan.cells, seqs, per_cell, strict=True):
            yield from _observed(plan, cell, announced, window * plan.window_us)
            arriving = events if load is None else load.get((cell.number, window), NO_ARRIVALS)
            yield from _arriving(plan, cell, arriving, own_seqs)
        until_us = (per_cell[0][0] + 1) * plan.window_us
        yield TopicRecord(until_us, None, _line(plan, kind=TIME, at_us=until_us))
    yield TopicRecord(plan.windows * plan.window_us, None, _line(plan, kind=END), is_end=True)


def _line(plan: Plan, **fields: object) -> bytes:
    return json.dumps({"v": VERSION, "run": plan.name, **fields}, separators=(",", ":")).encode()


def _observed(plan: Plan, cell: CellPlan, rows: Array, known_us: int) -> Iterator[TopicRecord]:
    tables, brokers = {number: name for name, number in PERIODS.items()}, cell.names.brokers
    for at_us, until_us, place, table, value in rows.tolist():
        group, broker = divmod(place, len(brokers))
        named = {"group": cell.names.groups[group]} if tables[table] in OF_LINKS else {}
        line = _line(
            plan, kind=OBSERVATION, cell=cell.number, at_us=at_us, until_us=until_us, broker=brokers[broker],
            table=tables[table], value=value, **named,
        )  # fmt: skip
        yield TopicRecord(known_us, broker, line)


def _arriving(plan: Plan, cell: CellPlan, events: Arrivals, seqs: Array) -> Iterator[TopicRecord]:
    producer, thread = cell.names.producer_of_thread[events.thread], cell.names.number_of_thread[events.thread]
    topics = [json.dumps(name) for name in cell.names.topics]
    begin = f'{{"v":{VERSION},"kind":"{ARRIVAL}","run":{json.dumps(plan.name)},"cell":{cell.number},"at_us":'
    columns = (events.at_us, producer, thread, events.topic, _numbered(events.thread, seqs), events.draw)
    for at_us, of, number, topic, seq, draw in zip(*(column.tolist() for column in columns), strict=True):
        line = f'{begin}{at_us},"producer":{of},"thread":{number},"topic":{topics[topic]},"seq":{seq},"draw":{draw}}}'
        yield TopicRecord(at_us, of, line.encode())


def _numbered(thread: Array, seqs: Array) -> Array:
    """The next number of each arrival's thread; `seqs`, the threads' next numbers, goes on."""
    order = np.argsort(thread, kind="stable")
    found, first, count = np.unique(thread[order], return_index=True, return_counts=True)
    numbers = np.empty(len(thread), np.int64)
    numbers[order] = np.arange(len(thread)) - np.repeat(first - seqs[found], count)
    seqs[found] += count
    return numbers


def disordered(records: Iterator[TopicRecord], disorder: Disorder) -> Iterator[TopicRecord]:
    """The records out of order within the lateness, some of them twice; the end stays last."""
    if not disorder.lateness_us and not disorder.doubled:
        yield from records
        return
    random, number = Random(disorder.seed), 0
    waiting: list[tuple[int, int, TopicRecord]] = []  # when it is due, in which order it came
    for record in records:
        is_doubled = record.of is not None and random.randrange(PARTS) < disorder.doubled
        for _ in range(2 if is_doubled else 1):
            late_us = disorder.lateness_us + 1 if record.is_end else random.randint(0, disorder.lateness_us)
            number += 1
            heapq.heappush(waiting, (record.at_us + late_us, number, record))
        if record.of is None:  # a window is complete: nothing that comes is due before
            while waiting and waiting[0][0] < record.at_us:
                yield heapq.heappop(waiting)[2]
    while waiting:
        yield heapq.heappop(waiting)[2]
