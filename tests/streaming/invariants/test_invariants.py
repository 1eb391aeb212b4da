"""No run breaks a rule, and each rule finds the row that does."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given, settings

from simulator.run.cell import CELL_TABLES
from simulator.run.simulate import simulate
from simulator.scenario import load_scenario, parse_scenario
from streaming.installation.conf_files import conf_folder
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


FIFO = {
    "proxies": {"count": 1, "release": "5.3.3"}, "client": {"release": "5.3.3"}, "duration": "20s",
    "producers": {"count": 2, "rate": "20/s", "grpc": {"release": "5.0.8"}, "selector": "hash"},
    "topics": {"orders": {"queues": 2, "keys": {"count": 20}}},
    "brokers": {"a": {"latency": {"constant": "2ms"}, "release": "5.3.3"}},
    "consumers": {"billing": {"topic": "orders", "service": "5ms", "consume_mode": "ORDERLY", "grpc": {}}},
}  # fmt: skip


@pytest.fixture(scope="module")
def result():
    return simulate(parse_scenario(CONSUMED), tables=tuple(CELL_TABLES))


@pytest.fixture(scope="module")
def failover():
    """A set of which the master is killed while its slaves lag: messages are lost, and offsets given out again."""
    scenario = load_scenario(conf_folder() / "scenarios" / "failover.yaml", {"duration": "160s"})
    return simulate(scenario, tables=tuple(CELL_TABLES))


@pytest.fixture(scope="module")
def fifo():
    return simulate(parse_scenario(text_of(**FIFO)), tables=tuple(CELL_TABLES))


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
        ("consumed", {"times": 17}, "times > 16"),
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


@pytest.mark.parametrize(
    ("table", "values", "rule"),
    [
        ("sends", {"copies_kept": 0, "lost": True}, "lost, and nothing struck its broker"),
        ("sends", {"copies_kept": 0}, "a copy is gone, and nothing struck its broker"),
        ("sends", {"messages": 900_000}, "acknowledged messages are not there"),
        ("stored", {"max_offset": 900_000}, "max_offset is below all that is appended"),
        ("consumed", {"queue_offset": 900_000}, "stored later, at no larger offset"),
    ],
)
def test_a_log_that_nothing_struck_loses_nothing(result, table, values, rule):
    assert rule in {own for _, own in rules_broken(changed_row(result, table, 0, **values))}


def test_a_log_has_nothing_that_was_not_sent(result):
    few = replace(result, tables=result.tables | {"sends": result.tables["sends"].slice(0, 9)})
    assert ("stored", "more messages than copies that were stored") in rules_broken(few)


def test_where_a_master_is_lost_what_was_stored_last_may_be_lost_and_nothing_else(failover):
    assert list(map(str, broken_by(failover))) == []
    sends = failover.tables["sends"]
    lost = next(row for row, own in enumerate(sends.column("lost").to_pylist()) if own)
    elsewhere = changed_row(failover, "sends", lost, broker="broker-b")
    assert ("sends", "lost, and nothing struck its broker") in rules_broken(elsewhere)


def test_a_log_grows_by_no_more_than_what_is_appended_also_where_masters_change(failover):
    last = failover.tables["stored"].num_rows - 1
    more = changed_row(failover, "stored", last, max_offset=900_000)
    assert ("stored", "max_offset is above all that is appended") in rules_broken(more)


@pytest.mark.parametrize(
    ("broker", "rule"),
    [
        ("broker-a", "consumed + lag + missed + skipped < max_offset"),
        ("broker-b", "consumed + lag + missed + skipped != max_offset"),
    ],
)
def test_each_stored_message_is_somewhere_also_where_masters_change(failover, broker, rule):
    """Of the broker that nothing struck no message may be there twice, either."""
    consumed = failover.tables["consumed"]
    first = consumed.column("broker").to_pylist().index(broker)
    less = consumed.filter(pa.array([row != first for row in range(consumed.num_rows)]))
    assert ("stored", rule) in rules_broken(replace(failover, tables=failover.tables | {"consumed": less}))


def test_a_group_in_order_over_proxies_hands_on_the_messages_of_a_queue_in_order(fifo):
    assert list(map(str, broken_by(fifo))) == []
    rows = fifo.tables["consumed"].to_pylist()
    at = next(row for row, own in enumerate(rows) if own["queue_offset"] == 9)
    early = changed_row(fifo, "consumed", at, begin_us=rows[at]["stored_us"] - 9_000_000)
    assert ("consumed", "handled before the one in front of it") in rules_broken(early)


def test_an_orderly_group_handles_a_message_after_the_one_before_it(result):
    rows = result.tables["consumed"].to_pylist()
    at = next(row for row, own in enumerate(rows) if own["consumer_group"] == "audit" and own["queue_offset"] == 9)
    early = changed_row(result, "consumed", at, begin_us=0)
    assert ("consumed", "begins before the one before it ends") in rules_broken(early)


def test_an_instance_holds_what_it_held_unless_it_dropped_a_queue_between_two_rounds(result):
    """It drops one at once whose offset is illegal, as after a lost disk; the next round comes for any reason."""
    rule = ("rebalances", "held is not what it held + taken - lost")
    rows = result.tables["rebalances"].to_pylist()
    at = next(row for row, own in enumerate(rows) if own["reason"] == "period")
    wrong = changed_row(result, "rebalances", at, held=7)
    assert rule in rules_broken(wrong)
    holder = {name: rows[at][name] for name in ("consumer_group", "topic", "instance")}
    later = [own["at_us"] for own in rows if own["at_us"] > rows[at]["at_us"] and own["instance"] == holder["instance"]]
    dropped = changed_row(wrong, "assignments", 0, until_us=rows[at]["at_us"] - 1, **holder)
    assert later == []
    assert rule not in rules_broken(dropped)


def test_a_breach_names_the_rule_the_rows_and_the_first_of_them(result):
    (first, *_) = broken_by(changed_row(result, "sends", 4, arrival_us=-9))
    assert (first.table, first.rows, first.first["arrival_us"]) == ("sends", 1, -9)
    assert "arrival_us=-9" in str(first)
