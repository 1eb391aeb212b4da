"""One driver leads every cell: it counts what goes in, and ends with nothing in flight."""

from __future__ import annotations

from simulator.plan.compile import compile_text
from simulator.run.cell import Cell
from simulator.run.driver import Driver, drive, windows_of
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


def test_arrivals_are_handled_when_their_window_is_caught_up_with():
    plan = compile_text(TEXT)
    driver = Driver(plan, Cell(plan.cells[0]))
    (window, _, events), *_ = windows_of(plan, plan.cells[0], 0, 1)
    assert list(driver.arrive(window, events)) == []
    assert rows_in(list(driver.catch_up()), "attempts") > 140
    assert driver.cell.clock_us == plan.window_us


def test_the_end_leaves_nothing_in_flight():
    plan = compile_text(TEXT)
    cell = Cell(plan.cells[0])
    found = list(drive(plan, cell))
    assert rows_in(found, "windows") == 3 * plan.windows
    assert cell.next_window == plan.windows + 1
    assert list(Driver(plan, cell).catch_up()) == []
