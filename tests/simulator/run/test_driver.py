"""One driver leads every cell: it counts what goes in, and ends with nothing in flight."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from simulator.plan.compile import compile_text
from simulator.run.cell import Cell
from simulator.run.driver import Driver, drive, windows_of
from simulator.run.events_ahead import EventsAhead
from simulator.workload import Arrivals
from state.packing import StatePart
from tests.simulator.small import fault, text_of

TEXT = text_of(duration="6s", producers={"count": 3, "rate": "50/s"}, faults=[fault("hang", "2s", "2s")])


def rows_in(found, name):
    return sum(table.num_rows for table_name, table in found if table_name == name)


def test_a_driven_cell_counts_every_arrival_and_observation():
    plan = compile_text(TEXT)
    cell = Cell(plan.cells[0])
    sends = rows_in(list(drive(plan, cell)), "sends")
    announced = sum(len(rows) for _, rows, _ in windows_of(plan, plan.cells[0], 0, plan.windows))
    assert (sends, announced > 0) == (900, True)
    assert cell.events_in == sends + announced


@pytest.fixture
def driver():
    plan = compile_text(TEXT)
    return Driver(plan, Cell(plan.cells[0]))


def first_windows(driver, count):
    return [events for _, _, events in windows_of(driver.plan, driver.cell.plan, 0, count)]


def test_arrivals_are_handled_when_their_window_is_complete(driver):
    (events,) = first_windows(driver, 1)
    driver.arrive(0, events)
    assert list(driver.catch_up()) == []
    assert list(driver.complete(0)) == []
    assert rows_in(list(driver.catch_up()), "attempts") > 140
    assert driver.cell.clock_us == driver.plan.window_us


def test_a_window_may_be_given_in_parts_and_before_an_earlier_one(driver):
    first, second = first_windows(driver, 2)
    whole = Driver(driver.plan, Cell(driver.plan.cells[0]))
    whole.arrive(0, first)
    whole.arrive(1, second)
    even, odd = (Arrivals(*(column[part::2] for column in vars(first).values())) for part in (0, 1))
    for window, events in ((1, second), (0, odd), (0, even)):
        driver.arrive(window, events)
    found = [pa.concat_tables(t for _, t in [*some.complete(1), *some.catch_up()] if "will_retry" in t.column_names)
             for some in (driver, whole)]  # fmt: skip
    assert found[0].equals(found[1])
    assert found[0].num_rows > 290


def test_what_waits_is_remembered_with_what_else_a_source_keeps(driver):
    (events,) = first_windows(driver, 1)
    driver.arrive(0, events)
    driver.announce(3, np.array([[5, 6, 0, 0, 7]]))
    ahead, others = EventsAhead.unpacked(driver.ahead.packed({"marks": StatePart(np.arange(3))}))
    assert others["marks"].values.tolist() == [0, 1, 2]
    assert ahead.windows_until(9) == [0, 3]
    assert ahead.take(3)[0].tolist() == [[5, 6, 0, 0, 7]]
    assert ahead.take(0)[1].draw.tolist() == events.draw.tolist()
    assert ahead.packed() == b""


def test_the_end_leaves_nothing_in_flight():
    plan = compile_text(TEXT)
    cell = Cell(plan.cells[0])
    found = list(drive(plan, cell))
    assert rows_in(found, "windows") == 3 * plan.windows
    assert cell.next_window == plan.windows + 1
    assert list(Driver(plan, cell).catch_up()) == []
