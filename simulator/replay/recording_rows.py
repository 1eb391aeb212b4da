"""From the rows of a block of a recording to the kernel's rows: names become indexes, gaps become NONE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from simulator.compiled.region_store import columns
from simulator.replay import replay_codes
from simulator.replay.replay_plan import Ints, ReplayPlan
from simulator.replay.replay_world import InputRow
from simulator.run.event_intake import Refused, UnreadableBlock
from simulator.run.reject_texts import RejectTexts
from state.columns import texts

# Columns of a block that go to the field of their name; all whole numbers, null where the recording has none.
NUMBERS = (
    *("row", "send_seq", "clock_least_ms", "clock_most_ms", "seed", "reset_to", "begin_least_ms", "begin_most_ms"),
    *("attempt_least_ms", "attempt_most_ms", "transport_most_ms", "sent", "fits_queue_id", "fits_steps", "outcome"),
    *("response_code", "latency_ms", "fits_start_ms", "hand_over", "thrown", "cost_least_ms", "cost_most_ms"),
)
FIELD_OF = {"response_code": "code"}  # but for this one
NAMES = ("event", "topic", "fits_broker")
SENDER = ("producer", "thread", "route")
COLUMNS = (*NUMBERS, *NAMES, *SENDER, "slot", "problem", "record")


def _numbers(table: pa.Table, name: str) -> Ints:
    column = table.column(name)
    if not pa.types.is_integer(column.type):
        raise UnreadableBlock(RejectTexts.NOT_WHOLE(column=name))
    filled: Ints = pc.fill_null(column.cast(pa.int64()), replay_codes.NONE).to_numpy()
    return filled


def _indexes(table: pa.Table, name: str, known: Sequence[str]) -> Ints:
    values = table.column(name).cast(pa.string())
    index: Ints = pc.fill_null(pc.index_in(values, texts(known)), -1).to_numpy().astype(np.int64)
    return index


def _places(keys: Sequence[Sequence[int]], known: Mapping[Any, int]) -> Ints:
    return np.array([known.get(key, -1) for key in zip(*keys, strict=True)], np.int64)


def rows_of(table: pa.Table, plan: ReplayPlan) -> tuple[Ints, list[Refused]]:
    """Kernel rows int64[n, cells of an InputRow] in order, and the rows that cannot be used. Raises UnreadableBlock.

    A Refused's `row` is the number of the row in the recording.
    """
    missing = [name for name in COLUMNS if name not in table.column_names]
    if missing:
        raise UnreadableBlock(f"lacks the column {missing[0]}")
    who = plan.senders
    at = columns(InputRow)
    rows = np.full((table.num_rows, len(at)), replay_codes.NONE, np.int64)
    for name in NUMBERS:
        rows[:, at[FIELD_OF.get(name, name)]] = _numbers(table, name)
    topic = _indexes(table, "topic", who.topics)
    producer, thread, route = (_numbers(table, name) for name in SENDER)
    rows[:, at["event"]] = _indexes(table, "event", replay_codes.EVENTS)
    rows[:, at["fits_broker"]] = _indexes(table, "fits_broker", who.brokers)
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
    rows[:, at["topic"]] = topic
    rows[:, at["producer"]] = _places(lists[:1], {(p,): number for number, p in enumerate(who.producers)})
    rows[:, at["sender"]] = _places(lists[:2], senders)
    rows[:, at["view"]] = _places(lists if who.slots else lists[:3], views)
    rows[:, at["route"]] = _places([lists[0], lists[2], lists[3]], routes)

    if who.slots:
        slot = _numbers(table, "slot")
        rows[:, at["sender"]] = np.where(slot < who.slots, slot, -1)

    problems = table.column("problem").to_pylist()
    is_viewless = (rows[:, at["event"]] != replay_codes.SELECT) if who.slots else np.zeros(len(rows), bool)
    unknown = (rows[:, at["event"]] < 0) | (rows[:, at["sender"]] < 0) | (rows[:, at["producer"]] < 0)
    unknown |= (topic < 0) | ((rows[:, at["view"]] < 0) & ~is_viewless)
    refused, usable = [], ~unknown
    for number in np.flatnonzero(unknown | table.column("problem").is_valid().to_numpy()):
        reason = problems[number] or RejectTexts.NOTHING_ANNOUNCED()
        record = table.column("record")[number].as_py() or ""
        refused.append(Refused(int(rows[number, at["row"]]), reason, record))
        usable[number] = False
    return rows[usable], refused
