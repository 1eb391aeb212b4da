"""Decisions as records: a row's id is the same each time it is written, and a consumer has each row once."""

from __future__ import annotations

import json

import pytest

from streaming.kafka.output.broker_lines import BrokerLine, Decisions
from streaming.kafka.output.decision_records import SCHEMA, WRITTEN, RowsSeen, records_of, topic_of
from tests.simulator.small import fault, ran


@pytest.fixture(scope="module")
def run():
    faults = [fault("hang", "2s", "3s"), fault("refuse", "6s", "1s", "c")]
    return ran(duration="8s", faults=faults, producers={"count": 3, "threads": 2})


@pytest.mark.parametrize("table", WRITTEN)
def test_every_row_has_an_id_of_its_own_and_its_producers_key(run, table):
    batch = records_of("out", "small", table, run.tables[table])
    assert (batch.schema, batch.num_rows) == (SCHEMA, run.tables[table].num_rows)
    rows, ids = batch.to_pylist(), set()
    for row, wanted in zip(rows, run.tables[table].to_pylist(), strict=True):
        assert json.loads(row["value"]) == {"v": 1, "run": "small", **wanted}
        assert (row["topic"], row["key"]) == (topic_of("out", table), f"small/{wanted['producer']}".encode())
        ids.add(row["headers"][0]["value"])
    assert len(ids) == len(rows) > 10


def test_a_consumer_takes_each_row_once_and_forgets_the_oldest():
    seen = RowsSeen(most=2)
    headers = [[("row", name)] for name in (b"a", b"b", b"a", b"c", b"a")]
    assert [seen.is_new(one) for one in headers] == [True, True, False, True, True]
    assert seen.is_new([("other", b"x")])


def test_a_line_a_broker_counts_what_was_read(run):
    found = Decisions()
    for table in WRITTEN:
        for row in run.tables[table].to_pylist():
            found.take(table, row)
    lines = {line.broker: line for line in found.lines()}
    attempts = run.column("attempts", "broker")
    assert {name: line.attempts for name, line in lines.items()} == {name: (attempts == name).sum() for name in "abc"}
    assert found.sends == run.sends.num_rows
    assert found.retries == (run.column("attempts", "attempt") > 1).sum() > 0
    assert isinstance(lines["b"], BrokerLine)
    assert (lines["b"].avoided_by, lines["a"].avoided_by, lines["a"].median_ms) == (3, 0, 2)
    assert sum(line.share_now for line in found.lines()) == pytest.approx(1)
