"""A cell that goes on from another scenario's cell at the same moment, as far as both remember the same.

What depends on the scenario (timers, routes) is as in a cell of the new scenario that has come to this moment without a
message; what happened (messages under way, queues, counters, fault items) is the other's.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from simulator.compiled.memory_marks import marks_of
from simulator.compiled.records import Array, layout_of, size_of
from simulator.compiled.region_store import column, columns, filled, put_column
from simulator.engine.memory.events import is_timer
from simulator.engine.memory.replica import Replica, Role
from simulator.engine.memory.send import Message
from simulator.engine.memory.settings import FAR, Clock
from simulator.engine.memory.world import World
from simulator.kernel.machine_memory import Event
from simulator.plan.run_plan import CellPlan
from simulator.run.client_tables import fault_items_of, put_back, take_out
from simulator.run.fresh import NEEDED, POOLS, TAKEN, events_at_once
from simulator.run.remembered import owners_of, views_of
from simulator.run.state_texts import RunStateTexts
from state.packing import LayoutError
from state.tables import COUNTERS, FAULT_TABLE

MARKS = marks_of(World)

Regions = Mapping[str, Array]


def taken_over(plan: CellPlan, new: Regions, old: Regions) -> dict[str, Array]:
    """The remembered regions of the new cell, which is of that plan.

    Raises LayoutError for a region that both have in another size.
    """
    found = dict(new)
    for name, before in old.items():
        if name in MARKS.renewed or name in ("clock", "heap"):
            continue
        now = new[name]
        if name in ("backlog", *TAKEN) or len(before) == len(now):
            found[name] = before.copy()
        elif len(before) and len(now) and name not in MARKS.may_differ:
            raise LayoutError(RunStateTexts.OTHER_NUMBERS(what=name, count=len(now), before=len(before)))
    theirs, mine = (one["replicas"].reshape(-1, size_of(Replica)) for one in (found, new))
    for name in (*layout_of(Role).cells, "changes"):
        put_column(Replica, theirs, name, column(Replica, mine, name))
    messages = found["messages"].reshape(-1, size_of(Message))
    messages[:, columns(Message)["generation"]] = 0
    records = {name: len(found[name]) // size_of(record) for name, record in POOLS.values()}
    found["heap"], events, timers = _heap(new, old, events_at_once(plan, records))
    clock = old["clock"].copy()
    kept, fresh = Clock.at(clock), Clock.at(new["clock"])
    kept.heap_size, kept.timers_set = events + timers, timers
    kept.poll_place, kept.poll_round_us = fresh.poll_place, fresh.poll_round_us
    for name in POOLS:
        pool, needed = (getattr(one, name) for one in (kept, fresh))
        if pool.spare == FAR and needed.spare != FAR:
            pool.first, pool.spare = -1, -NEEDED
    found["clock"] = clock
    return found


def _heap(new: Regions, old: Regions, at_once: int) -> tuple[Array, int, int]:
    """The events of messages of the one and the timers of the other, with room for so many; how many of each."""
    what = columns(Event)["what"]
    rows = [one["heap"].reshape(-1, size_of(Event))[: Clock.at(one["clock"]).heap_size] for one in (old, new)]
    events, timers = rows[0][~is_timer(rows[0][:, what])], rows[1][is_timer(rows[1][:, what])]
    together = np.concatenate([events, timers])
    together = together[np.lexsort((together[:, what], together[:, columns(Event)["at_us"]]))]  # sorted is a heap
    heap = filled(Event, at_once)
    heap[: len(together)] = together
    return heap.reshape(-1), len(events), len(timers)


def client_memory_taken_over(new: CellPlan, now: Array, old: CellPlan, before: Array) -> Array:
    """The client memory of the new cell with the counters and fault tables of the other, as after an upgrade in place.

    now, before: the client memories of both. Raises LayoutError if they are of other brokers or sender threads.
    """
    memory = now.copy()
    brokers = len(new.names.brokers)
    if new.names.brokers != old.names.brokers or len(views_of(new, memory)) != len(views_of(old, before)):
        raise LayoutError(RunStateTexts.OTHER_BROKERS())
    blocks = _faults(new, memory)
    blocks[:] = _faults(new, new.memory.cells) + _faults(old, before) - _faults(old, old.memory.cells)
    theirs = fault_items_of(_faults(old, before.copy()), brokers)
    counters, fault_items = take_out(
        owners_of(old), views_of(old, before.copy()), theirs, np.zeros(len(views_of(old, before)), np.int64)
    )  # fmt: skip
    tables = {COUNTERS.name: counters, FAULT_TABLE.name: fault_items}
    put_back(owners_of(new), views_of(new, memory), fault_items_of(blocks, brokers), tables)
    return memory


def _faults(plan: CellPlan, memory: Array) -> Array:
    producers, first, size = len(plan.threads_of_producer), plan.memory.faults, plan.memory.fault_size
    return memory[first : first + producers * size].reshape(producers, size)
