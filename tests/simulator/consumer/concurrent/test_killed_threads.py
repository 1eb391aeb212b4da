"""An instance is killed while its threads are at messages: what they knew is forgotten, lost queues too."""

from __future__ import annotations

from simulator.compiled.region_store import columns
from simulator.consumer.memory.held_queue import NO_PULL, Holding
from simulator.consumer.memory.instance import NOBODY
from simulator.plan.compile import compile_scenario
from simulator.run.cell import Cell
from simulator.run.driver import drive
from tests.simulator.small import scenario_of

GROUP = {"topic": "orders", "count": 2, "threads": 8, "service": "60s", "release": "5.3.3"}
SECOND_STARTS = {"at": "20s", "consumer": "billing-2", "kind": "scale_out"}
FIRST_IS_KILLED = {"at": "40s", "for": "60s", "consumer": "billing-1", "kind": "kill"}


def test_a_killed_instance_gives_back_the_queues_that_it_lost_while_threads_were_at_them():
    plan = compile_scenario(
        scenario_of(duration="50s", consumers={"billing": GROUP}, faults=[SECOND_STARTS, FIRST_IS_KILLED])
    )
    cell = Cell(plan.cells[0], ())
    for _ in drive(plan, cell):
        pass
    at = columns(Holding)
    held = cell.consumers.parts()["consumers.holdings"].values.reshape(-1, len(at))
    lost = held[(held[:, at["is_dropped"]] == 1) & (held[:, at["state"]] == NO_PULL) & (held[:, at["tasks"]] == 0)]
    assert len(lost) > 0
    assert (lost[:, at["instance"]] == NOBODY).all()
