"""What the loop puts out is read by name: every column of a table is made, and none that is not declared."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.compiled.records import size_of
from simulator.compiled.region_store import columns
from simulator.engine.memory.output import ROWS, SendRow
from simulator.plan.compile import compile_text
from simulator.run.row_tables import COLUMNS_OF, table_of
from state.tables import TABLES
from tests.simulator.small import text_of


@pytest.mark.parametrize("name", COLUMNS_OF)
def test_the_columns_made_are_those_declared(name):
    fields = dict.fromkeys(columns(ROWS[name][1]), np.zeros(1, np.int64))
    made = COLUMNS_OF[name](fields, compile_text(text_of()).cells[0].names)
    assert sorted([*made, "cell"]) == sorted(TABLES[name].schema.names)


def test_a_record_becomes_a_row():
    cells = np.zeros(3 * size_of(SendRow), np.int64)
    row = SendRow.at(cells, size_of(SendRow))
    row.arrival_us, row.end_us, row.key, row.body_bytes = 7, 12, -1, 100
    table = table_of("sends", cells, 2, compile_text(text_of()).cells[0].names)
    last = table.to_pylist()[1]
    assert table.num_rows == 2
    assert (last["latency_us"], last["message_key"], last["body_bytes"]) == (5, None, 100)
