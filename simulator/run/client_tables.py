"""Counters and fault items as typed tables of a state row, taken out of the client memory and put back into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from simulator.client.faults.fault_item import FaultItem, FaultTable
from simulator.client.view import View
from simulator.compiled.records import Array, size_of
from simulator.compiled.region_store import column, columns, put_column
from simulator.run.state_texts import RunStateTexts
from state.columns import flags, named, numbers, places
from state.packing import LayoutError
from state.tables import COUNTERS, FAULT_TABLE

VIEW = columns(View)
COUNTER_CELLS = [VIEW["counter.value"], VIEW["counter.seeded"]]
IN_TABLE = (
    "present",
    "current_latency",
    "start_timestamp",
    "reachable",
    "check_stamp",
)  # of a fault item, in its table


@dataclass(frozen=True)
class Owners:
    """Whose views and fault items they are.

    producer, thread: numbers of each view's, int64[views]; topic: its place in `topics`. producers: numbers of those
    that the fault items are of, int64[producers]; brokers: names of those that they are about. has_reachable_flag:
    bool[producers], whether the items of each have the flag.
    """

    producer: Array
    thread: Array
    topic: Array
    topics: Sequence[str]
    producers: Array
    brokers: Sequence[str]
    has_reachable_flag: npt.NDArray[np.bool_]


def fault_items_of(blocks: Array, brokers: int) -> Array:
    """The items [producers, brokers, cells] of faults blocks [producers, cells], as a view of them."""
    listed = blocks[:, size_of(FaultTable) : size_of(FaultTable) + brokers * size_of(FaultItem)]
    return listed.reshape(len(blocks), brokers, size_of(FaultItem))


def take_out(owners: Owners, views: Array, items: Array, next_seqs: Array) -> tuple[pa.Table, pa.Table]:
    """Counters and fault items of views [views, cells] and items; what the tables hold is 0 in both afterwards."""
    counters = pa.Table.from_arrays(
        [
            numbers(owners.producer, np.int32),
            numbers(owners.thread, np.int32),
            named(owners.topic, owners.topics),
            numbers(views[:, VIEW["counter.value"]], np.int32, views[:, VIEW["counter.seeded"]] == 0),
            numbers(next_seqs),
        ],
        schema=COUNTERS.schema,
    )
    producer, broker = np.nonzero(column(FaultItem, items, "present"))
    present = {name: column(FaultItem, items[producer, broker], name) for name in IN_TABLE}
    fault_items = pa.Table.from_arrays(
        [
            numbers(owners.producers[producer], np.int32),
            named(broker, owners.brokers),
            numbers(present["current_latency"]),
            numbers(present["start_timestamp"]),
            flags((present["reachable"] == 1) | ~owners.has_reachable_flag[producer]),
            numbers(present["check_stamp"]),
        ],
        schema=FAULT_TABLE.schema,
    )
    views[:, COUNTER_CELLS] = 0
    for name in IN_TABLE:
        put_column(FaultItem, items, name, 0)
    return counters, fault_items


def put_back(owners: Owners, views: Array, items: Array, tables: Mapping[str, pa.Table]) -> None:
    """Undo `take_out`. Raises LayoutError if the tables are of another number of views."""
    counter = tables[COUNTERS.name].column("send_which_queue").combine_chunks()
    if len(counter) != len(views):
        raise LayoutError(RunStateTexts.OTHER_COUNTERS(rows=len(counter), expected=len(views)))
    views[:, VIEW["counter.value"]] = counter.fill_null(0).to_numpy()
    views[:, VIEW["counter.seeded"]] = counter.is_valid().to_numpy(zero_copy_only=False)
    table = tables[FAULT_TABLE.name].combine_chunks()
    order = np.argsort(owners.producers)
    producer = order[np.searchsorted(owners.producers, table.column("producer").to_numpy(), sorter=order)]
    broker = places(table.column("broker"), owners.brokers)
    present = items[producer, broker]
    put_column(FaultItem, present, "present", 1)
    put_column(FaultItem, present, "current_latency", table.column("current_latency_ms").to_numpy())
    put_column(FaultItem, present, "start_timestamp", table.column("start_timestamp_ms").to_numpy())
    put_column(FaultItem, present, "reachable", table.column("reachable").to_numpy(zero_copy_only=False))
    put_column(FaultItem, present, "check_stamp", table.column("check_stamp_ms").to_numpy())
    items[producer, broker] = present
