"""What a producer meets at the address of a master that another machine has taken over from."""

from __future__ import annotations

from collections import Counter

from simulator.plan.compile import compile_scenario
from simulator.run.cell import Cell
from tests.simulator.engine.broker.test_replicas import S, cell_at
from tests.simulator.small import fault, scenario_of

SET = {"latency": {"constant": "1ms"}, "replicas": 3, "mode": "controller"}
FEW = {"count": 60, "threads": 1, "rate": "0.1/s", "arrivals": "poisson"}


def test_a_request_to_a_master_that_died_silently_is_lost_also_over_a_connection_that_nobody_has_used_since():
    plan = compile_scenario(
        scenario_of(
            duration="60s", producers=FEW, brokers={"a": SET}, faults=[fault("silent_death", "5s", "50s", "a")],
            client={"release": "4.9.8", "retry_times_when_send_failed": 0},
        )
    )  # fmt: skip
    cell = Cell(plan.cells[0])
    cell_at(plan, cell, 18)
    old = {producer for producer in range(60) if cell.world.addresses[producer] == 1}
    ended = [row for row in cell_at(plan, cell, 24) if row["producer"] in old and 18 * S <= row["begin_us"] < 20 * S]
    assert Counter(row["outcome"] for row in ended) == {"RemotingConnectException": 8, "RemotingTimeoutException": 1}
