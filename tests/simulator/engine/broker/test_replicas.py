"""The role of a broker is state: who takes messages can change while a run goes on, and is in its checkpoint."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simulator.compiled.region_store import filled, put_column
from simulator.engine.memory.broker_state import Broker
from simulator.engine.memory.replica import IS_GONE, MASTER, NOBODY, SLAVE, STATE_MASK, RoleChange
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


def with_changes(plan, *changes):
    """The plan's cell whose broker changes its role: (second, role)."""
    at_s, roles = zip(*changes, strict=True)
    cluster = dict(plan.cells[0].cluster)
    cluster["role_changes"] = filled(RoleChange, len(roles), at_us=[at * S for at in at_s], role=list(roles))
    brokers = cluster["brokers"].reshape(1, -1).copy()
    put_column(Broker, brokers, "role_changes", len(roles))
    return replace(plan.cells[0], cluster=cluster | {"brokers": brokers.reshape(-1)})


def test_a_change_of_role_is_an_event():
    plan = plan_with()
    cell = Cell(with_changes(plan, (2, SLAVE), (4, MASTER)))
    parts = [outcomes(cell_at(plan, cell, until_s)) for until_s in (2, 4, 6)]
    assert parts == [{"SEND_OK"}, {"MQBrokerException"}, {"SEND_OK"}]
    cell.drain()  # nothing more is set
    assert cell.world.clock.timers_set == 1


def test_the_next_change_of_role_is_in_the_checkpoint():
    plan = plan_with()
    own = with_changes(plan, (2, SLAVE), (4, MASTER))
    cell = Cell(own)
    cell_at(plan, cell, 3)
    restored = Cell.restore(own, cell.snapshot())
    assert outcomes(cell_at(plan, restored, 4)) == {"MQBrokerException"}
    assert outcomes(cell_at(plan, restored, 6)) == {"SEND_OK"}


def test_an_elected_machine_has_the_role_from_the_moment_of_its_election():
    sets = {"latency": {"constant": "1ms"}, "replicas": 3, "mode": "controller"}
    kill = {"at": "2s", "for": "10s", "broker": "a", "kind": "kill"}
    plan = compile_scenario(scenario_of(duration="6s", brokers={"a": sets}, faults=[kill]))
    cell, elected = Cell(plan.cells[0]), plan.cells[0].elections[0]
    cell_at(plan, cell, 2)
    assert cell.world.replicas[0].machine == NOBODY
    cell_at(plan, cell, 3)
    assert 2 * S < elected.at_us < 3 * S
    assert cell.world.replicas[0].machine == elected.machine > 1
    assert cell.world.replicas[0].others & STATE_MASK == IS_GONE  # the first machine, to a client with its address


def test_the_log_of_a_master_ends_behind_what_it_appended():
    plan = plan_with()
    cell = Cell(plan.cells[0])
    sent = cell_at(plan, cell, 4)
    assert cell.world.replicas[0].log_end == 1024 * len(sent) > 0
