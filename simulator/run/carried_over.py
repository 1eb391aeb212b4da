"""A cell that goes on under another plan: what it remembers is carried over at a moment between two windows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from simulator.client.view import RouteVersion, View
from simulator.compiled.records import Array, size_of
from simulator.engine.memory.settings import FAR
from simulator.plan.run_plan import CellPlan, Plan
from simulator.plan.timetable import LEAD_US
from simulator.run.cell import ROOM, Cell
from simulator.workload import NO_ARRIVALS
from state.row import StateRow

SIZES_AND_TIMERS = (
    "routes_on", "detector_on", "policy_tick_us", "connections_on", "links_on", "networks_on", "version_count",
    "heartbeats_close",
)  # fmt: skip


def carried_over(
    before: CellPlan, plan: Plan, own: CellPlan, row: StateRow, wanted: Iterable[str] = tuple(ROOM)
) -> Cell:
    """The cell `own` of a plan with the state that a cell of the plan `before` was left in.

    It knows of the observations that its plan's source would have announced by then. Raises LayoutError if it cannot go
    on from that state.
    """
    known = plan.observations[plan.observations[:, 0] < row.next_window * plan.window_us + LEAD_US]
    if _remembers_the_same(own, before):
        cell = Cell.restore(own, replace(row, digest=own.digest), wanted)
    else:
        cell = _empty_at(plan, own, row.clock_us, wanted)
        cell.take_over(Cell.restore(before, row, ()))
    cell.foresee(known)
    return cell


def _remembers_the_same(own: CellPlan, before: CellPlan) -> bool:
    """Whether a state of the one is a state of the other: the same client, routes, timers and sizes."""
    settings, others = own.settings, before.settings
    alike = all(getattr(settings, name) == getattr(others, name) for name in SIZES_AND_TIMERS)
    cells, theirs = own.memory, before.memory
    return (
        alike
        and own.clients == before.clients
        and own.names.brokers == before.names.brokers
        and own.policy.rules == before.policy.rules
        and dict(cells.regions) == dict(theirs.regions)
        and len(cells.cells) == len(theirs.cells)
        and len(own.streams.stream) == len(before.streams.stream)
        and own.servers == before.servers
        and own.rings == before.rings
        and np.array_equal(own.replicas, before.replicas)
        and np.array_equal(own.cluster["role_changes"], before.cluster["role_changes"])
        and own.takes_records == before.takes_records
        and np.array_equal(_route_lists(own), _route_lists(before))
        and np.array_equal(own.cluster["masters"], before.cluster["masters"])
    )


def _route_lists(own: CellPlan) -> Array:
    """The part of the client memory that says what the numbers of route versions mean."""
    (views, count), (versions, number) = (own.memory.regions[name] for name in ("views", "versions"))
    return own.memory.cells[views + count * size_of(View) : versions + number * size_of(RouteVersion)]


def _empty_at(plan: Plan, own: CellPlan, at_us: int, wanted: Iterable[str]) -> Cell:
    """A cell of the plan at that moment, to which no message has come: timers and routes are where they would be."""
    cell = Cell(replace(own, first_sends_us=np.full_like(own.first_sends_us, FAR)), wanted)
    cell.foresee(plan.observations[plan.observations[:, 0] < at_us + LEAD_US])
    cell.step(NO_ARRIVALS, at_us)
    return cell
