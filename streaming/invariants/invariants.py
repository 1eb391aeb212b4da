"""All that no run may break: times that go back, messages that are nowhere or twice, counts that do not add up."""

from __future__ import annotations

from simulator.plan.compile import compile_scenario
from simulator.run.cell import CELL_TABLES
from simulator.run.simulate import Result, simulate_plan
from simulator.scenario import Scenario
from streaming.invariants.breach import Breach
from streaming.invariants.consuming_breaches import consuming_breaches
from streaming.invariants.later_breaches import election_breaches, later_breaches
from streaming.invariants.log_breaches import log_breaches
from streaming.invariants.loss_breaches import loss_breaches
from streaming.invariants.order_breaches import order_breaches
from streaming.invariants.run_facts import facts_of
from streaming.invariants.sending_breaches import sending_breaches


def broken_by(result: Result) -> list[Breach]:
    """What the rows of a run break; the result has all tables."""
    tables, facts = result.tables, facts_of(result.scenario)
    found = [
        *sending_breaches(tables, facts), *election_breaches(tables["elections"]), *loss_breaches(tables, facts),
    ]  # fmt: skip
    if result.scenario.consumers:
        found += [
            *consuming_breaches(tables, facts), *later_breaches(tables, facts), *log_breaches(tables, facts),
            *order_breaches(tables, facts),
        ]  # fmt: skip
    return found


def broken_in(scenario: Scenario) -> list[Breach]:
    """Run a scenario with all tables, and give what its rows break."""
    return broken_by(simulate_plan(compile_scenario(scenario), scenario, tuple(CELL_TABLES)))
