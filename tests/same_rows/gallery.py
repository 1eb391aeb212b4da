"""What a tree has to be compared by: its scenarios and experiments, and the tables that each of them gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pyarrow as pa

from simulator import load_scenario
from simulator.experiments.experiment_runner import experiment
from simulator.plan.compile import compile_scenario
from simulator.plan.run_plan import Plan
from simulator.run.cell import CELL_TABLES, ROOM, Cell
from simulator.run.driver import Driver, windows_of
from state.packing import StatePart, unpack
from state.row import StateRow, decode_tables

STATE = "state"  # the first word of the names of tables that are parts of a state
SEEDS = 2  # of an experiment: the fewest that give intervals
# What a state row says of its scenario and layout, and what the tables below are made of.
NOT_COMPARED = ("version", "digest", "counters", "fault_items", "engine", "intake")

Tables = dict[str, pa.Table]


def names_of(tree: Path) -> list[str]:
    """Paths of the scenarios and experiments below conf/, without their suffix."""
    files = [
        path for folder in ("scenarios", "experiments") for path in sorted((tree / "conf" / folder).rglob("*.yaml"))
    ]
    return [path.relative_to(tree / "conf").with_suffix("").as_posix() for path in files]


def tables_of(tree: Path, name: str) -> Tables:
    """Every table that a scenario or an experiment gives, and the parts of the states of its cells."""
    path = tree / "conf" / f"{name}.yaml"
    if name.startswith("experiments/"):
        found = experiment(path, seeds=SEEDS)
        return {"runs": found.runs, "measures": found.measures, "differences": found.differences}
    scenario = load_scenario(path)
    plan, states = compile_scenario(scenario), Tables()
    wanted = CELL_TABLES if scenario.consumers else tuple(ROOM)
    parts: dict[str, list[pa.Table]] = {table: [] for table in wanted}
    for number, own in enumerate(plan.cells):
        for table, rows in _driven(plan, Cell(own, wanted), f"of cell {number}", states):
            parts[table].append(rows)
    return {table: pa.concat_tables(rows) for table, rows in parts.items() if rows} | states


def _driven(plan: Plan, cell: Cell, whose: str, states: Tables) -> Iterator[tuple[str, pa.Table]]:
    """The finished rows of a cell; its states halfway and at the end are put into `states`."""
    driver, half = Driver(plan, cell), plan.windows // 2
    for window, announced, events in windows_of(plan, cell.plan, 0, plan.windows):
        if window == half:
            yield from driver.catch_up()
            states |= state_tables(cell.snapshot(), f"{STATE} {whose} halfway")
        cell.events_in += len(announced) + len(events)
        driver.announce(window, announced)
        driver.arrive(window, events)
        yield from driver.complete(window)
    yield from driver.end()
    states |= state_tables(cell.snapshot(), f"{STATE} {whose} at the end")


def state_tables(row: StateRow, title: str) -> Tables:
    """The numbers of a state row, its typed tables, and a table for each region, a column a field."""
    numbers = {name: [value] for name, value in asdict(row).items() if name not in NOT_COMPARED}
    typed = {f"{title}, {name}": table for name, table in decode_tables(row).items()}
    regions = {f"{title}, {name}": _as_table(part) for name, part in unpack(row.engine).items()}
    return {title: pa.table(numbers), **typed, **regions}


def _as_table(part: StatePart) -> pa.Table:
    fields = tuple(part.fields) or ("value",)
    columns = np.ascontiguousarray(part.values.reshape(-1, len(fields)).T)
    return pa.table(dict(zip(fields, columns, strict=True)))
