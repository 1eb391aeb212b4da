"""What a job's tables say of each broker is counted as they grow."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from streaming.live.broker_tally import LATENCY_BOUNDS_S, AvoidedNow, BrokerTally
from streaming.live.followed_table import FollowedTable
from tests.streaming.report.fake_output import write_table

BROKERS = {"a": 0, "b": 1}
MS = 1000


@pytest.fixture
def attempts(tmp_path):
    """Write more attempts: attempts(block, broker=..., ...)."""
    return lambda block, **rows: write_table(tmp_path, "attempts", {"outcome": "SEND_OK"} | rows, block)


def follow(tmp_path, *, from_start):
    tally = BrokerTally(BROKERS)
    return tally, FollowedTable(tmp_path, "main", "attempts", tally, from_start=from_start)


def test_attempts_failures_and_retries_are_counted_by_broker(tmp_path, attempts):
    attempts(
        0, broker=["a", "b", "b"], attempt=[1, 1, 2], outcome=["SEND_OK", "RemotingTimeoutException", "SENT_ONEWAY"]
    )
    tally, table = follow(tmp_path, from_start=True)
    assert table.catch_up() == 1
    counts = (tally.attempts, tally.failures, tally.retries)
    assert [count.tolist() for count in counts] == [[1, 2], [0, 1], [0, 1]]


def test_a_latency_falls_below_the_bound_that_it_is_at(tmp_path, attempts):
    attempts(0, broker=["b"] * 3, begin_us=0, end_us=[1 * MS, 1 * MS + 1, 16_000 * MS], attempt=1)
    tally, table = follow(tmp_path, from_start=True)
    table.catch_up()
    found = {place: count for place, count in enumerate(tally.latencies[1].tolist()) if count}
    assert found == {0: 1, 1: 1, len(LATENCY_BOUNDS_S): 1}
    assert (tally.latency_us[1], tally.latencies[0].sum()) == (16_002_001, 0)


def test_only_files_that_came_since_the_last_look_are_read(tmp_path, attempts):
    attempts(0, broker=["a"], attempt=1)
    tally, table = follow(tmp_path, from_start=False)
    attempts(1, broker=["a", "a"], attempt=1)
    assert (table.catch_up(), table.catch_up(), tally.attempts.tolist()) == (1, 0, [2, 0])


def test_what_was_read_before_a_damaged_file_is_counted_once(tmp_path, attempts):
    tally, table = follow(tmp_path, from_start=True)
    for block in range(2):
        attempts(block, broker=["a"], attempt=1)
    (tmp_path / "attempts" / "run=main" / "b00000001-p0000.parquet").write_bytes(b"PAR1")
    for _ in range(2):
        with pytest.raises(pa.ArrowException):
            table.catch_up()
    assert tally.attempts.tolist() == [1, 0]


def test_who_avoids_a_broker_follows_from_the_last_change_and_the_clock(tmp_path):
    now = AvoidedNow(BROKERS, np.zeros(3, np.bool_))
    rows = {
        "producer": [0, 1, 1],
        "broker": ["b"] * 3,
        "start_timestamp_ms": [9000, 9000, 4000],
        "change_seq": [0, 0, 1],
        "available": [False] * 3,
    }
    write_table(tmp_path, "fault_items", rows)
    FollowedTable(tmp_path, "main", "fault_items", now, from_start=True).catch_up()
    assert [now.producers(second * 1_000_000).tolist() for second in (1, 5, 9)] == [[0, 2], [0, 1], [0, 0]]


def test_the_release_that_keeps_an_unreachable_broker_out_does_so_whatever_the_clock(tmp_path):
    found = []
    for keeps_out in (True, False):
        now = AvoidedNow(BROKERS, np.array([keeps_out]))
        changed = {"start_timestamp_ms": [10], "reachable": [False], "available": [False]}
        rows = {"producer": [0], "broker": ["a"], **changed}
        write_table(tmp_path, "fault_items", rows)
        FollowedTable(tmp_path, "main", "fault_items", now, from_start=True).catch_up()
        found.append(now.producers(60_000_000).tolist())
    assert found == [[1, 0], [0, 0]]


def test_a_one_way_attempt_has_no_latency(tmp_path, attempts):
    attempts(0, broker=["a", "a"], end_us=[0, 3 * MS], attempt=1, outcome=["SENT_ONEWAY", "SEND_OK"])
    tally, table = follow(tmp_path, from_start=True)
    table.catch_up()
    assert (tally.attempts[0], tally.latencies[0].sum(), tally.latency_us[0]) == (2, 1, 3 * MS)
