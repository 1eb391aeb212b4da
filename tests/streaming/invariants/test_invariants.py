"""No run breaks a rule, and each rule finds the row that does."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given, settings

from simulator.run.cell import CELL_TABLES
from simulator.run.simulate import simulate
from simulator.scenario import load_scenario, parse_scenario
from streaming.conf_files import conf_folder
from streaming.invariants.invariants import broken_by, broken_in
from tests.simulator.drawn import scenarios
from tests.simulator.small import text_of

CONSUMED = text_of(
    duration="20s",
    producers={"count": 3, "rate": "20/s"},
    consumers={
        "billing": {"topic": "orders", "count": 2, "threads": 2, "service": {"constant": "20ms"}},
        "audit": {"topic": "orders", "consume_mode": "ORDERLY", "service": {"constant": "5ms"}},
    },
    faults=[{"at": "4s", "for": "6s", "broker": "b", "kind": "hang"}],
)


@pytest.fixture(scope="module")
def result():
    return simulate(parse_scenario(CONSUMED), tables=tuple(CELL_TABLES))


def changed_row(result, table, row, **values):
    """The result with other values in a row of a table."""
    rows = result.tables[table].to_pylist()
    rows[row] |= values
    return replace(result, tables=result.tables | {table: pa.Table.from_pylist(rows, result.tables[table].schema)})


def rules_broken(result):
    return {(one.table, one.rule) for one in broken_by(result)}


@settings(max_examples=20)
@given(scenarios())
def test_no_drawn_run_of_producers_breaks_a_rule(text):
    assert list(map(str, broken_in(parse_scenario(text)))) == []


@pytest.mark.parametrize("name", ["pop", "transactions", "consumer-orderly", "sql-filter", "failover", "grpc-fifo"])
def test_no_run_of_the_gallery_breaks_a_rule(name):
    scenario = load_scenario(conf_folder() / "scenarios" / f"{name}.yaml")
    assert list(map(str, broken_in(scenario))) == []


def test_no_small_run_with_consumers_breaks_a_rule(result):
    assert list(map(str, broken_by(result))) == []


@pytest.mark.parametrize(
    ("table", "values", "rule"),
    [
        ("attempts", {"end_us": -1}, "end_us < begin_us"),
        ("attempts", {"attempt": 0}, "attempt < 1"),
        ("sends", {"attempts": 7}, "attempts differ from their rows"),
        ("attempts", {"will_retry": True}, "will_retry, and is the last"),
        ("attempts", {"broker": "c"}, "attempt is in no window, or in two"),
        ("attempts", {"send_seq": 900_000}, "attempt of no message"),
        ("sends", {"copies_stored": 0}, "copies_kept > copies_stored"),
        ("sends", {"copies_kept": 0}, "lost differs from its copies"),
        ("sends", {"send_seq": 900_000}, "send_seq leaves one out"),
        ("sends", {"latency_us": 7}, "latency_us != end_us - arrival_us"),
        ("fault_items", {"change_seq": 5}, "change_seq leaves one out"),
        ("windows", {"successes": -1}, "counts < 0"),
        ("stored", {"lag": -1}, "lag < 0"),
        ("stored", {"max_offset": 900_000}, "groups see different ends"),
        ("stored", {"committed_offset": 900_000}, "committed_offset > max_offset"),
        ("consumed", {"begin_us": 0}, "begin_us < stored_us"),
        ("consumed", {"times": 0}, "times < 1"),
        ("consumed", {"send_seq": 900_000}, "was never sent"),
        ("consumer_windows", {"cached": -1}, "cached < 0"),
        ("consumer_windows", {"lag": 900_000}, "lag is not that of its queues"),
        ("assignments", {"until_us": -1}, "until_us < from_us"),
        ("rebalances", {"held": -1}, "counts < 0"),
    ],
)
def test_a_row_that_breaks_a_rule_is_found(result, table, values, rule):
    found = rules_broken(changed_row(result, table, 0, **values))
    assert rule in {own for _, own in found}


def test_a_consumption_that_is_not_there_is_missing_from_its_queue(result):
    consumed = result.tables["consumed"]
    less = replace(result, tables=result.tables | {"consumed": consumed.slice(1)})
    assert ("stored", "consumed + lag + missed + skipped != max_offset") in rules_broken(less)


def test_a_breach_names_the_rule_the_rows_and_the_first_of_them(result):
    (first, *_) = broken_by(changed_row(result, "sends", 4, arrival_us=-9))
    assert (first.table, first.rows, first.first["arrival_us"]) == ("sends", 1, -9)
    assert "arrival_us=-9" in str(first)
