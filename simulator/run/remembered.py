"""The client memory as it is stored: the counters and fault items as typed tables, the rest as it runs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from simulator.client.view import View
from simulator.compiled.records import Array, size_of
from simulator.plan.run_plan import CellPlan
from simulator.run.client_tables import Owners, fault_items_of, put_back, take_out


def views_of(plan: CellPlan, memory: Array) -> Array:
    """The views [views, cells] in a client memory."""
    first, count = plan.memory.regions["views"]
    return memory[first : first + count * size_of(View)].reshape(count, size_of(View))


def items_of(plan: CellPlan, memory: Array) -> Array:
    """The fault items [producers, brokers, cells] in a client memory."""
    producers, first, size = len(plan.threads_of_producer), plan.memory.faults, plan.memory.fault_size
    return fault_items_of(memory[first : first + producers * size].reshape(producers, size), len(plan.names.brokers))


def owners_of(plan: CellPlan) -> Owners:
    """Whose the views and fault items of a cell are."""
    names = plan.names
    row, topic = (index.reshape(-1) for index in np.indices((len(names.producer_of_view), len(names.topics))))
    producers = names.first_producer + np.arange(len(plan.threads_of_producer))
    return Owners(
        names.producer_of_view[row], names.number_of_view[row], topic, names.topics, producers, names.brokers,
        names.has_reachable_flag,
    )  # fmt: skip


def client_tables(plan: CellPlan, memory: Array, send_seqs: Array) -> tuple[Array, pa.Table, pa.Table]:
    """What the client memory differs by from its start, without what the two tables hold; counters; fault_items."""
    memory = memory.copy()
    views = views_of(plan, memory)
    next_seqs = np.zeros(len(views), np.int64)
    next_seqs[: len(send_seqs)] = send_seqs
    counters, fault_items = take_out(owners_of(plan), views, items_of(plan, memory), next_seqs)
    # Most of it never changes, and zeros cost nothing to store: the lists of all versions of all routes, above all.
    return memory - plan.memory.cells, counters, fault_items


def restore_client(plan: CellPlan, differs: Array, tables: Mapping[str, pa.Table]) -> Array:
    """The client memory as it runs, from its stored rest and the two tables. Raises LayoutError."""
    memory = differs + plan.memory.cells
    put_back(owners_of(plan), views_of(plan, memory), items_of(plan, memory), tables)
    return memory
