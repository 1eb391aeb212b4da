"""The memory of row tables: rooms by what is wanted, and rows that are taken out once."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.compiled.records import layout_of
from simulator.engine.memory.output import ROWS, Output
from simulator.kernel.row_memory import RowMemory
from simulator.kernel.row_table import NO_LIMIT

ROOM, MOST = dict.fromkeys(ROWS, 8), dict.fromkeys(ROWS, 0) | {"attempts": 1, "windows": 10}
CELLS = np.zeros(layout_of(Output).size, np.int64)


@pytest.fixture
def output():
    return Output.at(CELLS)


def test_a_table_has_room_for_two_events_at_least_and_none_if_it_is_not_wanted(output):
    RowMemory(output, ROWS, ROOM, MOST, {"attempts", "windows"})
    assert (output.attempts.room, output.attempts.limit) == (8, 7)
    assert (output.windows.room, output.windows.limit) == (20, 10)
    assert (output.sends.room, output.sends.limit) == (0, NO_LIMIT)


def test_rows_are_taken_out_once(output):
    memory = RowMemory(output, ROWS, ROOM, MOST, {"attempts"})
    output.attempt_rows[1].broker, output.attempts.rows, output.full = 5, 2, 1
    assert [(name, count) for name, _, count in memory.take()] == [("attempts", 2)]
    assert (output.attempts.rows, output.full) == (0, 0)
    assert list(memory.take()) == []


def test_there_is_no_room_beyond_the_limit_of_a_table(output):
    memory = RowMemory(output, ROWS, ROOM, MOST, {"attempts"})
    output.attempts.rows = 8
    assert not memory.has_room()
    memory.clear()
    assert memory.has_room()
