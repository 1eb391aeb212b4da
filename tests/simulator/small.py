"""Small scenarios for tests: a base that behaves, and what is changed in it."""

from __future__ import annotations

from typing import Any

import yaml

from simulator.plan.compile import compile_scenario
from simulator.plan.timetable import PlannedPeriod
from simulator.run.cell import CELL_TABLES
from simulator.run.simulate import Result, simulate, simulate_plan
from simulator.scenario import Scenario, parse_scenario


def text_of(**changes: Any) -> str:
    """YAML of the base with top-level keys replaced; `client` and `producers` are merged into the base's."""
    base: dict[str, Any] = {
        "name": "small",
        "seed": 3,
        "duration": "2s",
        "client": {"release": "4.9.8", "send_latency_fault_enable": True},
        "producers": {"count": 1, "threads": 1, "rate": "10/s", "arrivals": "steady"},
        "topics": {"orders": {"queues": 2}},
        "brokers": {name: {"latency": {"constant": "2ms"}} for name in ("a", "b", "c")},
    }
    for key in ("client", "producers"):
        if isinstance(changes.get(key), dict):
            changes[key] = base[key] | changes[key]
    return yaml.safe_dump(base | changes, sort_keys=False)


def scenario_of(**changes: Any) -> Scenario:
    """The base scenario with changes."""
    return parse_scenario(text_of(**changes))


def ran(**changes: Any) -> Result:
    """The base scenario with changes, run to its end."""
    return simulate(scenario_of(**changes))


def ran_tables(**changes: Any) -> Result:
    """The same with every table, those that have to be asked for as well."""
    return simulate(scenario_of(**changes), tables=CELL_TABLES)


def ran_with(periods: list[tuple[int, int, int, int]], /, **changes: Any) -> Result:
    """The base scenario with changes, its broker 0 with periods (at ms, until ms, table, value)."""
    found = [PlannedPeriod(at * 1000, until * 1000, 0, table, value) for at, until, table, value in periods]
    scenario = scenario_of(**changes)
    return simulate_plan(compile_scenario(scenario, periods=found), scenario)


def rows(run: Result, table: str, /, **where: Any) -> list[dict[str, Any]]:
    """Rows of a table as dictionaries, those with the given values, in the order they were put out."""
    found = run.tables[table].to_pylist()
    return [row for row in found if all(row[name] == value for name, value in where.items())]


def fault(kind: str, at: str, length: str, broker: Any = "b", **more: Any) -> dict[str, Any]:
    """One entry of `faults`."""
    return {"at": at, "for": length, "broker": broker, "kind": kind, **more}
