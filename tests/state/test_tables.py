"""The tables are documented in one place, and everything that writes them keeps to it."""

from __future__ import annotations

import pyarrow.compute as pc
import pytest

from simulator.run.simulate import simulate
from state.describe import markdown
from state.row import COLUMNS, SPARK_SCHEMA, StateRow
from state.tables import STATE_TABLES, TABLES
from tests.simulator.small import fault, ran, scenario_of

EVERY_TABLE = [*TABLES.values(), *STATE_TABLES.values()]


def test_the_document_of_the_tables_is_up_to_date(root):
    assert (root / "docs" / "tables.md").read_text() == markdown(), "python -m state.describe > docs/tables.md"


@pytest.mark.parametrize("table", EVERY_TABLE, ids=lambda table: table.row)
def test_every_column_says_its_unit_in_its_name(table):
    for column in table.columns:
        ending = column.name.rsplit("_", 1)[-1]
        assert (ending if ending in ("us", "ms", "bytes") else "") == column.unit, column
        assert column.meaning


@pytest.mark.parametrize("table", EVERY_TABLE, ids=lambda table: table.row)
def test_a_key_is_made_of_columns(table):
    assert set(table.key) <= {column.name for column in table.columns}


def test_the_simulator_gives_the_documented_columns():
    tables = simulate(scenario_of(faults=[fault("hang", "500ms", "1s")])).tables
    assert {name: table.schema for name, table in tables.items()} == {
        name: TABLES[name].schema for name in ("attempts", "sends", "fault_items", "windows")
    }


def test_null_means_that_there_was_none():
    sends = ran(producers={"rate": "99/s", "hand_off_queue": 1}, faults=[fault("hang", "0s", "2s", "all")]).sends
    refused = sends.filter(pc.equal(sends.column("attempts"), 0))
    assert refused.num_rows > 0
    assert {refused.column(name).null_count for name in ("broker", "queue_id", "response_code")} == {refused.num_rows}


def test_a_state_row_has_scalars_and_binaries_only():
    assert {kind for _, kind, _ in COLUMNS} <= {"int", "bigint", "string", "binary"}
    assert SPARK_SCHEMA.count(",") == len(COLUMNS) - 1
    assert list(StateRow.__dataclass_fields__) == [name for name, _, _ in COLUMNS]
