"""From the rows of a block of a recording to the kernel's rows: names become indexes, gaps become NONE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from simulator.replay import replay_layout as lay
from simulator.replay.replay_plan import Ints, ReplayPlan
from simulator.run.event_intake import Refused, UnreadableBlock
from state.columns import texts

# Columns of a block and the cells they go to; all whole numbers, null where the recording has none.
NUMBERS = {
    "row": lay.IN_ROW,
    "send_seq": lay.IN_SEND_SEQ,
    "clock_least_ms": lay.IN_CLOCK_LEAST,
    "clock_most_ms": lay.IN_CLOCK_MOST,
    "seed": lay.IN_SEED,
    "reset_to": lay.IN_RESET_TO,
    "begin_least_ms": lay.IN_BEGIN_LEAST,
    "begin_most_ms": lay.IN_BEGIN_MOST,
    "attempt_least_ms": lay.IN_ATTEMPT_LEAST,
    "attempt_most_ms": lay.IN_ATTEMPT_MOST,
    "transport_most_ms": lay.IN_TRANSPORT_MOST,
    "sent": lay.IN_SENT,
    "fits_queue_id": lay.IN_FITS_QUEUE_ID,
    "fits_steps": lay.IN_FITS_STEPS,
    "outcome": lay.IN_OUTCOME,
    "response_code": lay.IN_CODE,
    "latency_ms": lay.IN_LATENCY_MS,
    "fits_start_ms": lay.IN_FITS_START_MS,
    "hand_over": lay.IN_HAND_OVER,
    "thrown": lay.IN_THROWN,
    "cost_least_ms": lay.IN_COST_LEAST,
    "cost_most_ms": lay.IN_COST_MOST,
}
NAMES = ("event", "topic", "fits_broker")
SENDER = ("producer", "thread", "route")
COLUMNS = (*NUMBERS, *NAMES, *SENDER, "slot", "problem", "record")


def _numbers(table: pa.Table, name: str) -> Ints:
    column = table.column(name)
    if not pa.types.is_integer(column.type):
        raise UnreadableBlock(f"column {name} is not whole numbers")
    filled: Ints = pc.fill_null(column.cast(pa.int64()), lay.NONE).to_numpy()
    return filled


def _indexes(table: pa.Table, name: str, known: Sequence[str]) -> Ints:
    values = table.column(name).cast(pa.string())
    index: Ints = pc.fill_null(pc.index_in(values, texts(known)), -1).to_numpy().astype(np.int64)
    return index


def _places(keys: Sequence[Sequence[int]], known: Mapping[Any, int]) -> Ints:
    return np.array([known.get(key, -1) for key in zip(*keys, strict=True)], np.int64)


def rows_of(table: pa.Table, plan: ReplayPlan) -> tuple[Ints, list[Refused]]:
    """Kernel rows int64[n, IN_SIZE] in order, and the rows that cannot be used. Raises UnreadableBlock.

    A Refused's `row` is the number of the row in the recording.
    """
    missing = [name for name in COLUMNS if name not in table.column_names]
    if missing:
        raise UnreadableBlock(f"lacks the column {missing[0]}")
    who = plan.senders
    rows = np.full((table.num_rows, lay.IN_SIZE), lay.NONE, np.int64)
    for name, cell in NUMBERS.items():
        rows[:, cell] = _numbers(table, name)
    topic = _indexes(table, "topic", who.topics)
    producer, thread, route = (_numbers(table, name) for name in SENDER)
    rows[:, lay.IN_EVENT] = _indexes(table, "event", lay.EVENTS)
    rows[:, lay.IN_FITS_BROKER] = _indexes(table, "fits_broker", who.brokers)
    topic_of = {name: number for number, name in enumerate(who.topics)}
    lists = [column.tolist() for column in (producer, thread, topic, route)]
    senders = {key: number for number, key in enumerate(who.threads)}
    views: dict[tuple[int, ...], int] = {
        (p, t, topic_of[name]): number for number, (p, t, name) in enumerate(who.views)
    }
    if who.slots:
        keys = zip(who.views, who.view_routes, strict=True)
        views = {(p, t, topic_of[name], route): number for number, ((p, t, name), route) in enumerate(keys)}
    routes = {(p, topic_of[name], r): number for (p, name, r), number in plan.route_index.items()}
    rows[:, lay.IN_TOPIC] = topic
    rows[:, lay.IN_PRODUCER] = _places(lists[:1], {(p,): number for number, p in enumerate(who.producers)})
    rows[:, lay.IN_SENDER] = _places(lists[:2], senders)
    rows[:, lay.IN_VIEW] = _places(lists if who.slots else lists[:3], views)
    rows[:, lay.IN_ROUTE] = _places([lists[0], lists[2], lists[3]], routes)

    if who.slots:
        slot = _numbers(table, "slot")
        rows[:, lay.IN_SENDER] = np.where(slot < who.slots, slot, -1)

    problems = table.column("problem").to_pylist()
    is_viewless = (rows[:, lay.IN_EVENT] != lay.SELECT) if who.slots else np.zeros(len(rows), bool)
    unknown = (rows[:, lay.IN_EVENT] < 0) | (rows[:, lay.IN_SENDER] < 0) | (rows[:, lay.IN_PRODUCER] < 0)
    unknown |= (topic < 0) | ((rows[:, lay.IN_VIEW] < 0) & ~is_viewless)
    refused, usable = [], ~unknown
    for number in np.flatnonzero(unknown | table.column("problem").is_valid().to_numpy()):
        reason = problems[number] or "an event, producer, thread or topic that the recording did not announce"
        record = table.column("record")[number].as_py() or ""
        refused.append(Refused(int(rows[number, lay.IN_ROW]), reason, record))
        usable[number] = False
    return rows[usable], refused
