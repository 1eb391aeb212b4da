"""Consumers follow what brokers append, lose and answer, in order of time, and keep what is still to come."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.compiled.region_store import column, filled
from simulator.engine.memory.output import FOLLOWED
from simulator.plan.compile import compile_scenario
from simulator.run.cell import Cell
from simulator.run.consumers.consumer_machine import ConsumerMachine
from simulator.run.consumers.followed_rows import in_order
from tests.simulator.small import scenario_of

MS = 1_000
PLAN = compile_scenario(scenario_of(consumers={"billing": {"topic": "orders", "service": "10ms"}})).cells[0].consumers


def follow(machine, name, **values):
    """Hand a machine rows of a table, as many as there are moments."""
    rows = filled(FOLLOWED[name], len(values["at_us"]), **values)
    machine.follow(name, rows.reshape(-1), len(rows))


def lengths(machine):
    """Messages in the logs of a machine's queues, together."""
    return sum(int(machine.world.logs[number].max_offset) for number in range(int(machine.world.settings.logs)))


@pytest.fixture
def machine():
    return ConsumerMachine(PLAN, ())


def test_a_copy_can_be_read_until_it_is_lost(machine):
    follow(machine, "appends", at_us=[2 * MS, 4 * MS], count=1)
    follow(machine, "losses", at_us=[5 * MS], count=1)
    machine.step(5 * MS)
    assert lengths(machine) == 2
    machine.step(6 * MS)
    assert lengths(machine) == 1


def test_what_is_appended_and_lost_at_one_moment_is_not_left(machine):
    follow(machine, "losses", at_us=[2 * MS], count=3)
    follow(machine, "appends", at_us=[2 * MS], count=3)
    machine.step(3 * MS)
    assert lengths(machine) == 0


@pytest.mark.parametrize("name", FOLLOWED)
def test_what_is_still_to_come_is_stored_in_order_of_time(machine, name):
    follow(machine, name, at_us=[9 * MS, 5 * MS])
    machine.step(4 * MS)
    part = machine.parts()[f"consumers.{name}"]
    rows = part.values.reshape(-1, len(part.fields))
    assert column(FOLLOWED[name], rows, "at_us").tolist() == [5 * MS, 9 * MS]


def test_a_cell_without_consumers_has_no_room_for_what_brokers_did():
    output = Cell(compile_scenario(scenario_of()).cells[0]).world.output
    assert [getattr(output, name).room for name in FOLLOWED] == [0, 0, 0]


@given(st.lists(st.integers(0, 1 << 62), max_size=40) | st.lists(st.integers(0, 5), max_size=40))
def test_rows_come_in_order_of_time_and_those_of_one_moment_as_they_were_put_out(moments):
    order = in_order(np.array(moments, np.int64))
    assert order.tolist() == sorted(range(len(moments)), key=moments.__getitem__)


def test_what_a_machine_is_to_read_in_a_window_comes_in_order_beside_what_waits_longer(machine):
    follow(machine, "appends", at_us=[8 * MS, 3 * MS, 3 * MS], count=1, draw=[1, 2, 3])
    machine.step(2 * MS)
    follow(machine, "appends", at_us=[5 * MS, 3 * MS], count=1, draw=[4, 5])
    machine.step(6 * MS)
    rows = machine.world.appends.rows.array
    assert column(FOLLOWED["appends"], rows, "draw").tolist() == [2, 3, 5, 4]
    machine.step(9 * MS)
    assert lengths(machine) == 5
