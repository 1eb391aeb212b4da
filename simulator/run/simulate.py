"""A whole run without Spark: `simulate(scenario)` gives the same rows as the streaming job."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from simulator.plan.compile import compile_scenario
from simulator.plan.consumers.own_topics import groups_that_fail
from simulator.plan.run_plan import Plan
from simulator.run.cell import CELL_TABLES, PROXIED_ROOM, ROOM, Cell
from simulator.run.driver import drive
from simulator.run.views.notebook_view import notebook_view
from simulator.run.views.result_views import view
from simulator.scenario import Scenario, changed
from simulator.scenario.policy.policy_check import check_policy
from simulator.scenario.reading.scenario_error import not_known
from state.failover_tables import SET_TABLES
from state.later_tables import CHECK_BACKS, POPS, TRANSACTION_WINDOWS, TRANSACTIONS
from state.proxied_tables import PROXIED_ATTEMPTS, PROXIED_CONSUMERS
from state.tables import DELAYS, ONLY_ASKED, REJECTS, RETRIES, TABLES
from state.texts import at

NOTHING: Mapping[str, object] = types.MappingProxyType({})


@dataclass(frozen=True, repr=False)
class Result:
    """Rows of a run as Arrow tables; attribute access by table name.

    events: `generated` arrivals and broker observations, of which `skipped` met a blocked thread and sent nothing.
    """

    plan: Plan
    tables: dict[str, pa.Table]
    scenario: Scenario
    events: dict[str, int]

    def __repr__(self) -> str:
        rows = "".join(f"\n  {name}: {table.num_rows:,} rows" for name, table in self.tables.items())
        return f"<Result of {self.plan.name}, seed {self.plan.seed}, {self.plan.duration_us / 1e6:g} s{rows}>"

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

    @property
    def rejects(self) -> pa.Table:
        """Records that could not be used: none, for a scenario makes its events itself."""
        return self.tables.get("rejects", REJECTS.schema.empty_table())

    def frame(self, table: str) -> Any:
        """A table as a pandas data frame: names are texts and not categories, whole numbers stay whole.

        Raises ValueError for a table that was not made, LookupError as `summary` does.
        """
        if table not in self.tables:
            raise ValueError(not_known("table", str(table), self.tables))
        return view("frame")(self.tables[table])

    def column(self, table: str, name: str) -> npt.NDArray[np.generic]:
        """One column as a numpy array, names as strings. Raises ValueError for what the run did not make."""
        if table not in self.tables:
            raise ValueError(not_known("table", str(table), self.tables))
        if name not in self.tables[table].column_names:
            raise ValueError(at(table, not_known("column", str(name), self.tables[table].column_names)))
        column = self.tables[table].column(name)
        return np.asarray(column.to_numpy(zero_copy_only=False))

    def summary(self) -> Any:
        """What the run came to, by broker and producer group: the Summary that `sendlab run` prints.

        Raises LookupError if the package that makes it is not installed.
        """
        return view("summary")(self)

    def report(self, path: str | Path) -> Path:
        """Write the report of the run, one HTML file, and return its path. Raises LookupError as `summary` does."""
        return Path(view("report")(self, path))

    def write(self, folder: str | Path) -> Path:
        """Write tables and run.json into an empty folder, as `sendlab run` does, and return its path.

        Raises LookupError as `summary` does, InputError for a folder that holds something.
        """
        return Path(view("write")(self, folder))

    def findings(self) -> Any:
        """What stands out in the run, the worst first, as its report lists it. Raises LookupError as `summary` does."""
        return view("findings")(self)

    def plot(self, measure: str = "p99_ms", topic: str | None = None) -> Any:
        """A plotly figure of a measure over virtual time, which draws itself in a notebook.

        measure: a column of `windows`, a line a broker, or of `consumer_windows` such as `lag`, a line a group. Raises
        ValueError for another one, LookupError as `summary` does.
        """
        return view("plot")(self, measure, topic)

    def _repr_html_(self) -> str:
        rows = {"table": [*self.tables], "rows": [table.num_rows for table in self.tables.values()]}
        title = f"{self.plan.name}, seed {self.plan.seed}, {self.plan.duration_us / 1e6:g} s"
        return notebook_view(title, pa.table(rows))


def simulate(
    scenario: Scenario | str | Path,
    *,
    seed: int | None = None,
    overrides: Mapping[str, object] = NOTHING,
    tables: Iterable[str] | None = None,
) -> Result:
    """Run a scenario (or a scenario file) to its end in this process.

    `overrides` are changes as with `--set`, `{"client.release": "5.3.3", "producers.web.rate": "50/s"}`; `seed` is
    another seed than the scenario's; `tables` names the tables to put out, by default `usual_tables`. Raises
    ScenarioError for a file or a change that is not one of a scenario, and for a policy of your own that breaks a rule
    (`sendlab policy check`).
    """
    scenario = changed(scenario, {**overrides, **({} if seed is None else {"seed": seed})})
    check_policy(scenario.client.policy)
    return simulate_plan(compile_scenario(scenario), scenario, tables)


def usual_tables(scenario: Scenario) -> tuple[str, ...]:
    """The tables that a scenario gives unless others are asked for: those that it can fill."""
    retries = bool(groups_that_fail(scenario))
    can_fill = {
        DELAYS.name: retries or any(group.delay is not None for group in scenario.producers),
        RETRIES.name: retries,
        TRANSACTIONS.name: bool(scenario.transactional),
        TRANSACTION_WINDOWS.name: bool(scenario.transactional),
        CHECK_BACKS.name: bool(scenario.transactional),
        POPS.name: any(group.is_pop for group in scenario.consumers.values()),
        PROXIED_CONSUMERS.name: (
            scenario.proxies is not None
            and not scenario.proxies.is_local
            and any(group.grpc is not None for group in scenario.consumers.values())
        ),
    }
    of_sets = [table.name for table in SET_TABLES]
    over_proxies = [PROXIED_ATTEMPTS.name] if any(group.grpc is not None for group in scenario.producers) else []
    others = (name for name in CELL_TABLES if name not in (*ROOM, *PROXIED_ROOM, *ONLY_ASKED, *of_sets))
    of_consumers = [name for name in others if scenario.consumers and can_fill.get(name, True)]
    elects = any(broker.is_elected for broker in scenario.brokers.values())
    return (*ROOM, *over_proxies, *(of_sets if elects else []), *of_consumers)


def simulate_plan(plan: Plan, scenario: Scenario, tables: Iterable[str] | None = None) -> Result:
    """The same of a scenario that is compiled already. Raises ValueError for a table that there is not."""
    wanted = usual_tables(scenario) if tables is None else tuple(tables)
    unknown = [name for name in wanted if name not in CELL_TABLES]
    if unknown:
        raise ValueError(not_known("table", str(unknown[0]), CELL_TABLES))
    found: dict[str, list[pa.Table]] = {name: [] for name in wanted}
    events = {"generated": 0, "skipped": 0}
    for own in plan.cells:
        cell = Cell(own, wanted)
        for name, rows in drive(plan, cell):
            found[name].append(rows)
        events["generated"] += cell.events_in
        events["skipped"] += cell.skipped
    return Result(
        plan,
        {
            name: pa.concat_tables(parts) if parts else TABLES[name].schema.empty_table()
            for name, parts in found.items()
        },
        scenario,
        events,
    )
