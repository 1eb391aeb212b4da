"""The client memory as it is stored: the counters and fault items as typed tables, the rest as it runs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from simulator.client import memory as at
from simulator.engine.layout import Ints, Live
from simulator.plan import CellPlan
from state.columns import flags, named, numbers, places
from state.layout import LayoutError
from state.tables import COUNTERS, FAULT_TABLE

COUNTER_CELLS = (at.SEND_WHICH_QUEUE, at.SEEDED)
ITEM_CELLS = (at.PRESENT, at.CURRENT_LATENCY, at.START_TIMESTAMP, at.REACHABLE, at.CHECK_STAMP)


def _views(plan: CellPlan, memory: Ints) -> Ints:
    rows, topics = len(plan.names.producer_of_view), len(plan.names.topics)
    first = plan.memory.views
    return memory[first : first + rows * topics * at.VIEW_SIZE].reshape(rows, topics, at.VIEW_SIZE)


def _items(plan: CellPlan, memory: Ints) -> Ints:
    producers, brokers = len(plan.threads_of_producer), len(plan.names.brokers)
    first, size = plan.memory.faults, plan.memory.fault_size
    blocks = memory[first : first + producers * size].reshape(producers, size)
    listed = blocks[:, at.ITEM_LIST : at.ITEM_LIST + brokers * at.ITEM_SIZE]
    return listed.reshape(producers, brokers, at.ITEM_SIZE)


def client_tables(plan: CellPlan, live: Live) -> tuple[Ints, pa.Table, pa.Table]:
    """What the client memory differs by from its start, without what the two tables hold; counters; fault_items."""
    memory = live.memory.copy()
    views, items = _views(plan, memory), _items(plan, memory)
    row, topic = (index.reshape(-1) for index in np.indices(views.shape[:2]))
    next_seqs = np.zeros(len(row), np.int64)
    next_seqs[: len(live.send_seqs)] = live.send_seqs
    flat = views.reshape(-1, at.VIEW_SIZE)
    counters = pa.Table.from_arrays(
        [
            numbers(plan.names.producer_of_view[row], np.int32),
            numbers(plan.names.number_of_view[row], np.int32),
            named(topic, plan.names.topics),
            numbers(flat[:, at.SEND_WHICH_QUEUE], np.int32, flat[:, at.SEEDED] == 0),
            numbers(next_seqs),
        ],
        schema=COUNTERS.schema,
    )
    producer, broker = np.nonzero(items[:, :, at.PRESENT])
    present = items[producer, broker]
    fault_items = pa.Table.from_arrays(
        [
            numbers(producer + plan.names.first_producer, np.int32),
            named(broker, plan.names.brokers),
            numbers(present[:, at.CURRENT_LATENCY]),
            numbers(present[:, at.START_TIMESTAMP]),
            flags((present[:, at.REACHABLE] == 1) | (not plan.names.has_reachable_flag)),
            numbers(present[:, at.CHECK_STAMP]),
        ],
        schema=FAULT_TABLE.schema,
    )
    views[:, :, list(COUNTER_CELLS)] = 0
    items[:, :, list(ITEM_CELLS)] = 0
    # Most of it never changes, and zeros cost nothing to store: the lists of all versions of all routes, above all.
    return memory - plan.memory.cells, counters, fault_items


def restore_client(plan: CellPlan, differs: Ints, tables: Mapping[str, pa.Table]) -> Ints:
    """The client memory as it runs, from its stored rest and the two tables. Raises LayoutError."""
    memory = differs + plan.memory.cells
    views, items = _views(plan, memory), _items(plan, memory)
    counter = tables[COUNTERS.name].column("send_which_queue").combine_chunks()
    flat = views.reshape(-1, at.VIEW_SIZE)
    if len(counter) != len(flat):
        raise LayoutError(f"the counters of the state have {len(counter)} rows, this scenario has {len(flat)}")
    flat[:, at.SEND_WHICH_QUEUE] = counter.fill_null(0).to_numpy()
    flat[:, at.SEEDED] = counter.is_valid().to_numpy(zero_copy_only=False)
    table = tables[FAULT_TABLE.name].combine_chunks()
    producer = table.column("producer").to_numpy() - plan.names.first_producer
    broker = places(table.column("broker"), plan.names.brokers)
    items[producer, broker, at.PRESENT] = 1
    items[producer, broker, at.CURRENT_LATENCY] = table.column("current_latency_ms").to_numpy()
    items[producer, broker, at.START_TIMESTAMP] = table.column("start_timestamp_ms").to_numpy()
    items[producer, broker, at.REACHABLE] = table.column("reachable").to_numpy()
    items[producer, broker, at.CHECK_STAMP] = table.column("check_stamp_ms").to_numpy()
    return memory
