"""Counters and fault items as typed tables of a state row, taken out of the client memory and put back into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from simulator.client import memory as at
from state.columns import flags, named, numbers, places
from state.packing import LayoutError
from state.tables import COUNTERS, FAULT_TABLE

Ints = npt.NDArray[np.int64]

COUNTER_CELLS = (at.SEND_WHICH_QUEUE, at.SEEDED)
ITEM_CELLS = (at.PRESENT, at.CURRENT_LATENCY, at.START_TIMESTAMP, at.REACHABLE, at.CHECK_STAMP)


@dataclass(frozen=True)
class Owners:
    """Whose views and fault items they are.

    producer, thread: numbers of each view's, int64[views]; topic: its place in `topics`; producers: numbers of those
    that the fault items are of, int64[producers]; brokers: names of those that they are about.
    """

    producer: Ints
    thread: Ints
    topic: Ints
    topics: Sequence[str]
    producers: Ints
    brokers: Sequence[str]


def fault_items_of(blocks: Ints, brokers: int) -> Ints:
    """The items [producers, brokers, ITEM_SIZE] of faults blocks [producers, cells], as a view of them."""
    listed = blocks[:, at.ITEM_LIST : at.ITEM_LIST + brokers * at.ITEM_SIZE]
    return listed.reshape(len(blocks), brokers, at.ITEM_SIZE)


def take_out(
    owners: Owners, views: Ints, items: Ints, next_seqs: Ints, *, has_reachable_flag: bool = True
) -> tuple[pa.Table, pa.Table]:
    """Counters and fault items of views [views, VIEW_SIZE] and items; what the tables hold is 0 in both afterwards."""
    counters = pa.Table.from_arrays(
        [
            numbers(owners.producer, np.int32),
            numbers(owners.thread, np.int32),
            named(owners.topic, owners.topics),
            numbers(views[:, at.SEND_WHICH_QUEUE], np.int32, views[:, at.SEEDED] == 0),
            numbers(next_seqs),
        ],
        schema=COUNTERS.schema,
    )
    producer, broker = np.nonzero(items[:, :, at.PRESENT])
    present = items[producer, broker]
    fault_items = pa.Table.from_arrays(
        [
            numbers(owners.producers[producer], np.int32),
            named(broker, owners.brokers),
            numbers(present[:, at.CURRENT_LATENCY]),
            numbers(present[:, at.START_TIMESTAMP]),
            flags((present[:, at.REACHABLE] == 1) | (not has_reachable_flag)),
            numbers(present[:, at.CHECK_STAMP]),
        ],
        schema=FAULT_TABLE.schema,
    )
    views[:, list(COUNTER_CELLS)] = 0
    items[:, :, list(ITEM_CELLS)] = 0
    return counters, fault_items


def put_back(owners: Owners, views: Ints, items: Ints, tables: Mapping[str, pa.Table]) -> None:
    """Undo `take_out`. Raises LayoutError if the tables are of another number of views."""
    counter = tables[COUNTERS.name].column("send_which_queue").combine_chunks()
    if len(counter) != len(views):
        raise LayoutError(f"the counters of the state have {len(counter)} rows, this scenario has {len(views)}")
    views[:, at.SEND_WHICH_QUEUE] = counter.fill_null(0).to_numpy()
    views[:, at.SEEDED] = counter.is_valid().to_numpy(zero_copy_only=False)
    table = tables[FAULT_TABLE.name].combine_chunks()
    order = np.argsort(owners.producers)
    producer = order[np.searchsorted(owners.producers, table.column("producer").to_numpy(), sorter=order)]
    broker = places(table.column("broker"), owners.brokers)
    items[producer, broker, at.PRESENT] = 1
    items[producer, broker, at.CURRENT_LATENCY] = table.column("current_latency_ms").to_numpy()
    items[producer, broker, at.START_TIMESTAMP] = table.column("start_timestamp_ms").to_numpy()
    items[producer, broker, at.REACHABLE] = table.column("reachable").to_numpy()
    items[producer, broker, at.CHECK_STAMP] = table.column("check_stamp_ms").to_numpy()
