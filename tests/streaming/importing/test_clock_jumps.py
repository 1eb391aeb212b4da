"""Clocks that jump are text_of, and messages that overtake each other are not."""

from __future__ import annotations

import pyarrow as pa

from streaming.importing.clock_jumps import ClockWatch
from tests.says import Says

SECOND = 1_000_000


def rows(*seconds, producer="p"):
    count = len(seconds)
    return pa.table(
        {
            "producer": [producer] * count,
            "begin_us": [int(at * SECOND) for at in seconds],
            "latency_us": [1_000] * count,
            "line": list(range(1, count + 1)),
        }
    )


def text_of(*tables):
    watch = ClockWatch()
    for table in tables:
        watch.add(table, "log")
    return watch.jumps


def test_a_clock_that_is_put_back_is_reported_with_its_line():
    assert text_of(rows(100, 101, 40, 41)) == [Says("import-note.clock-back", "log, 3", producer="p", seconds=61.0)]


def test_a_clock_that_is_put_back_between_two_blocks_is_reported():
    assert text_of(rows(100, 101), rows(40, 41)) == [
        Says("import-note.clock-back", "log, 1", producer="p", seconds=61.0)
    ]


def test_a_clock_that_is_put_ahead_is_reported():
    assert text_of(rows(0, 1, 7_201)) == [Says("import-note.clock-ahead", "log, 3", producer="p", seconds=7200.0)]


def test_late_messages_are_no_jump():
    assert text_of(rows(100, 103, 101, 104)) == []


def test_producers_have_clocks_of_their_own():
    assert text_of(rows(1_000, 1_001), rows(5, 6, producer="q"), rows(1_002)) == []


def test_parts_of_one_log_follow_each_other():
    first, second = ClockWatch(), ClockWatch()
    first.add(rows(100, 101), "log")
    second.add(rows(40, 41), "log")
    first.follow(second, "log, 3")
    assert first.jumps == [Says("import-note.clock-back", "log, 3", producer="p", seconds=61.0)]
