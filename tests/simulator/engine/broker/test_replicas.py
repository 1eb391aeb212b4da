"""The role of a broker is state: who takes messages can change while a run goes on, and is in its checkpoint."""

from __future__ import annotations

import pytest

from simulator.engine.memory.replica import MASTER, SLAVE
from simulator.plan.compile import compile_scenario
from simulator.run.cell import Cell
from simulator.run.driver import Driver, windows_of
from tests.simulator.small import scenario_of

S = 1_000_000
FLUSHED = {"latency": {"constant": "1ms"}, "flush": "sync", "flush_latency": {"constant": "1ms"}}


def cell_at(plan, cell, until_s):
    """The attempts of a cell that goes on until then."""
    driver, found = Driver(plan, cell), []
    for window, announced, events in windows_of(plan, cell.plan, cell.next_window, until_s):
        driver.announce(window, announced)
        driver.arrive(window, events)
        found += [*driver.complete(window), *driver.catch_up()]
    return [row for name, rows in found if name == "attempts" for row in rows.to_pylist()]


def plan_with(**broker):
    """One producer that sends to one broker."""
    client = {"release": "4.9.8", "retry_times_when_send_failed": 0}
    return compile_scenario(scenario_of(duration="6s", client=client, brokers={"a": FLUSHED | broker}))


def outcomes(attempts):
    """The outcomes of attempts, each once."""
    return {attempt["outcome"] for attempt in attempts}


@pytest.mark.parametrize("release", ["4.9.8", "5.3.3"])
def test_a_slave_that_becomes_the_master_takes_messages_from_then_on(release):
    plan = plan_with(role="slave", release=release)
    cell = Cell(plan.cells[0])
    before = cell_at(plan, cell, 2)
    cell.world.replicas[0].role = MASTER
    assert (outcomes(before), outcomes(cell_at(plan, cell, 4))) == ({"MQBrokerException"}, {"SEND_OK"})


@pytest.mark.parametrize(("release", "code"), [("4.9.8", 14), ("5.3.3", 2)])
def test_a_master_that_becomes_a_slave_refuses_as_its_release_does(release, code):
    plan = plan_with(release=release)
    cell = Cell(plan.cells[0])
    before = cell_at(plan, cell, 2)
    cell.world.replicas[0].role = SLAVE
    assert outcomes(before) == {"SEND_OK"}
    assert {attempt["response_code"] for attempt in cell_at(plan, cell, 4)} == {code}


def test_a_role_is_in_the_checkpoint():
    plan = plan_with()
    cell = Cell(plan.cells[0])
    cell_at(plan, cell, 2)
    cell.world.replicas[0].role = SLAVE
    restored = Cell.restore(plan.cells[0], cell.snapshot())
    assert outcomes(cell_at(plan, restored, 4)) == {"MQBrokerException"}


def test_the_log_of_a_master_ends_behind_what_it_appended():
    plan = plan_with()
    cell = Cell(plan.cells[0])
    sent = cell_at(plan, cell, 4)
    assert cell.world.replicas[0].log_end == 1024 * len(sent) > 0
