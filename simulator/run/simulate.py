"""A whole run without Spark: `simulate(scenario)` gives the same rows as the streaming job."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from simulator.engine.settings import FAR
from simulator.plan.compile import compile_scenario
from simulator.plan.run_plan import CellPlan, Plan
from simulator.plan.timetable import announced_in
from simulator.run.cell import ROOM, Cell
from simulator.run.event_intake import concatenated
from simulator.run.workload import NO_ARRIVALS, Arrivals, arrivals
from simulator.scenario import Scenario, load_scenario
from state.tables import TABLES

ARRIVALS_A_STEP = 100_000  # windows are stepped together up to this many, to bound memory


@dataclass(frozen=True)
class Result:
    """Rows of a run as Arrow tables; attribute access by table name."""

    plan: Plan
    tables: dict[str, pa.Table]

    @property
    def attempts(self) -> pa.Table:
        """One row an attempt."""
        return self.tables["attempts"]

    @property
    def sends(self) -> pa.Table:
        """One row a message."""
        return self.tables["sends"]

    @property
    def fault_items(self) -> pa.Table:
        """One row a change of a fault item."""
        return self.tables["fault_items"]

    @property
    def windows(self) -> pa.Table:
        """One row a window, topic and broker."""
        return self.tables["windows"]

    def column(self, table: str, name: str) -> npt.NDArray[np.generic]:
        """One column as a numpy array, names as strings."""
        column = self.tables[table].column(name)
        return np.asarray(column.to_numpy(zero_copy_only=False))


def _cell_tables(plan: Plan, own: CellPlan, wanted: Iterable[str]) -> dict[str, list[pa.Table]]:
    cell = Cell(own, wanted)
    found: dict[str, list[pa.Table]] = {name: [] for name in ROOM}
    waiting: list[Arrivals] = []

    def step(until_us: int) -> None:
        events = concatenated(waiting) if waiting else NO_ARRIVALS
        waiting.clear()
        for name, tables in cell.step(events, until_us).items():
            found[name] += tables

    for window in range(plan.windows):
        announced = announced_in(plan.observations, window, plan.window_us)
        if len(announced):
            step(window * plan.window_us)
            cell.observe(announced)
        waiting.append(arrivals(own.streams, plan.seed, window, plan.window_us, plan.duration_us))
        if sum(map(len, waiting)) >= ARRIVALS_A_STEP:
            step((window + 1) * plan.window_us)
    step(plan.windows * plan.window_us)
    step(FAR)
    return found


def simulate(scenario: Scenario | str | Path, *, tables: Iterable[str] = tuple(ROOM)) -> Result:
    """Run a scenario (or a scenario file) to its end in this process.

    `tables` limits the output to those names. Raises ScenarioError for a file that is not a scenario.
    """
    if not isinstance(scenario, Scenario):
        scenario = load_scenario(scenario)
    plan = compile_scenario(scenario)
    wanted = tuple(tables)
    unknown = [name for name in wanted if name not in ROOM]
    if unknown:
        raise ValueError(f"no table {unknown[0]}; known: {', '.join(ROOM)}")
    found: dict[str, list[pa.Table]] = {name: [] for name in wanted}
    for own in plan.cells:
        for name, parts in _cell_tables(plan, own, wanted).items():
            if name in found:
                found[name] += parts
    return Result(
        plan,
        {
            name: pa.concat_tables(parts) if parts else TABLES[name].schema.empty_table()
            for name, parts in found.items()
        },
    )
