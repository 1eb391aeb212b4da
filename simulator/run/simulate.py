"""A whole run without Spark: `simulate(scenario)` gives the same rows as the streaming job."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from simulator.plan.compile import compile_scenario
from simulator.plan.run_plan import Plan
from simulator.run.cell import ROOM
from simulator.run.driver import rows_of
from simulator.scenario import Scenario, load_scenario
from state.tables import TABLES


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
    for name, rows in rows_of(plan, wanted):
        found[name].append(rows)
    return Result(
        plan,
        {
            name: pa.concat_tables(parts) if parts else TABLES[name].schema.empty_table()
            for name, parts in found.items()
        },
    )
