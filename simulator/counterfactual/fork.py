"""The state of a running job as the start of other runs: what if, from now on?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from simulator.compiled.records import size_of
from simulator.compiled.region_store import columns
from simulator.counterfactual.arms_texts import ForkTexts
from simulator.engine.memory.sender_thread import ClosedLoop
from simulator.plan.compile import compile_scenario
from simulator.plan.consumers.own_topics import groups_that_fail
from simulator.plan.run_plan import CellPlan, Plan
from simulator.run.carried_over import carried_over
from simulator.run.cell import ROOM, Cell
from simulator.scenario import Scenario
from state.row import StateRow


@dataclass(frozen=True)
class ForkPoint:
    """A job's scenario, and the state row of each of its cells, all at the same moment."""

    scenario: Scenario
    rows: tuple[StateRow, ...]

    @property
    def at_us(self) -> int:
        """The moment."""
        return self.rows[0].clock_us

    @cached_property
    def plan(self) -> Plan:
        """The plan of the job."""
        return compile_scenario(self.scenario)

    def arm_plan(self, scenario: Scenario, until_us: int) -> Plan:
        """The plan of an arm that ends at `until_us`; its scenario lasts as long as the job's, or longer."""
        plan = self.plan if scenario == self.scenario else compile_scenario(scenario)
        cells = tuple(_ending(cell, until_us) for cell in plan.cells)
        return replace(plan, duration_us=until_us, cells=cells)

    def misfit(self, scenario: Scenario) -> str | None:
        """Why an arm cannot go on from the state, None if nothing is known against it."""
        for what, before, now in (
            ("brokers", list(self.scenario.brokers), list(scenario.brokers)),
            ("producers", _producers(self.scenario), _producers(scenario)),
            ("cells", self.scenario.cells, scenario.cells),
            ("consumers", self.scenario.instances, scenario.instances),
        ):
            if before != now:
                return ForkTexts.OTHER_SET_UP(what=what)
        failing = [name for name in groups_that_fail(scenario) if name not in groups_that_fail(self.scenario)]
        if failing:
            return ForkTexts.NO_RETRY_TOPIC(group=failing[0])
        return None

    def cell(self, plan: Plan, number: int, wanted: Iterable[str] = tuple(ROOM)) -> Cell:
        """A cell of an arm's plan with the state. Raises LayoutError if the arm cannot go on from it."""
        own, before, row = plan.cells[number], self.plan.cells[number], self.rows[number]
        if own.digest == row.digest:
            return Cell.restore(own, row, wanted)
        return carried_over(before, plan, own, row, wanted)


def _producers(scenario: Scenario) -> list[tuple[int, int]]:
    return [(group.count, group.threads) for group in scenario.producers]


def _ending(cell: CellPlan, until_us: int) -> CellPlan:
    """The cell with closed loops that begin nothing after that, and consumers that end with it."""
    loops = cell.cluster["loops"].copy()
    until = loops.reshape(-1, size_of(ClosedLoop))[:, columns(ClosedLoop)["until_us"]]
    np.minimum(until, until_us, out=until)
    consumers = None if cell.consumers is None else cell.consumers.ending(until_us)
    return replace(cell, cluster=dict(cell.cluster) | {"loops": loops}, consumers=consumers)
