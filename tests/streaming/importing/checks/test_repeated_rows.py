"""Rows that a log has twice: which are dropped, in whatever parts they are looked at, and how much is remembered."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from streaming.importing.checks import repeated_rows, row_hashes
from streaming.importing.checks.repeated_rows import RepeatedRows, drop_repeated
from streaming.importing.trace import COLUMNS


def part_of(number, rows):
    """Rows (begin, latency, broker, message) of a part as its table."""
    names = ("begin_us", "latency_us", "broker", "message")
    given = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    fixed = {"producer": "p", "topic": "t", "outcome": "SEND_OK"}
    given |= {name: [value] * len(rows) for name, value in fixed.items()}
    given |= {"part": [number] * len(rows), "line": range(2, len(rows) + 2)}
    return pa.table({field.name: pa.array(given.get(field.name, [None] * len(rows)), field.type) for field in COLUMNS})


def trace_in(folder, parts):
    attempts = folder / "attempts"
    attempts.mkdir(parents=True)
    for number, rows in enumerate(parts):
        pq.write_table(part_of(number, rows).cast(COLUMNS), attempts / f"part-{number:05d}.parquet")
    return attempts


def left_in(attempts):
    tables = [pq.read_table(file, columns=["part", "line"]) for file in sorted(attempts.glob("*.parquet"))]
    return [tuple(row.values()) for table in tables for row in table.to_pylist()]


ROWS = some.tuples(some.integers(0, 9), some.integers(0, 1), some.sampled_from(["a", None]), some.sampled_from("mn"))


@settings(deadline=None, max_examples=60)
@given(parts=some.lists(some.lists(ROWS, min_size=1, max_size=20), min_size=1, max_size=3), at_once=some.integers(1, 9))
def test_the_first_of_rows_with_a_message_id_stays_whatever_is_looked_at_at_once(tmp_path_factory, parts, at_once):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repeated_rows, "ROWS_AT_ONCE", at_once)
        patch.setattr(row_hashes, "HASHES_AT_ONCE", at_once)
        patch.setattr(row_hashes, "BATCH_ROWS", at_once)
        attempts = trace_in(tmp_path_factory.mktemp("trace"), parts)
        found = drop_repeated(attempts)
    firsts = {}
    again = [
        (place, firsts[row]) for number, rows in enumerate(parts) for line, row in enumerate(rows)
        if firsts.setdefault(row, (number, line + 2)) != (place := (number, line + 2))
    ]  # fmt: skip
    assert left_in(attempts) == sorted(firsts.values())
    assert found.count == len(again)
    assert not again or (found.first, found.repeats) == again[0]
    assert [path.name for path in attempts.parent.iterdir()] == ["attempts"]


def test_rows_that_only_have_the_same_hash_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(row_hashes, "_hashed", lambda rows, columns: np.zeros(len(rows), np.uint64))
    attempts = trace_in(tmp_path, [[(n, 5, "b", "m") for n in (1, 2, 3, 2)]])
    assert (drop_repeated(attempts).by_part, left_in(attempts)) == ({0: 1}, [(0, 2), (0, 3), (0, 4)])


def test_rows_without_message_ids_that_a_second_part_has_again_are_dropped(tmp_path):
    rows = [(n, 7 * n % 31, "b", None) for n in range(200)]
    attempts = trace_in(tmp_path, [rows, rows])
    assert drop_repeated(attempts) == RepeatedRows({1: 200}, (1, 2), (0, 2))
    assert [path.name for path in attempts.iterdir()] == ["part-00000.parquet"]


def test_rows_without_message_ids_that_are_alike_by_chance_stay(tmp_path):
    rows = [(n % 4, 7 * n * n % 31, "b", None) for n in range(200)]
    assert len(set(rows)) < 100
    assert drop_repeated(trace_in(tmp_path, [rows])) == RepeatedRows()


def test_what_is_remembered_of_a_log_does_not_grow_with_it(tmp_path, monkeypatch):
    monkeypatch.setattr(row_hashes, "BATCH_ROWS", 2_000)
    monkeypatch.setattr(row_hashes, "HASHES_AT_ONCE", 4_000)
    peaks = []
    for count in (2, 8):
        parts = [[(row, 5, "b", f"{part}-{row}") for row in range(10_000)] for part in range(count)]
        attempts = trace_in(tmp_path / str(count), parts)
        del parts
        tracemalloc.start()
        try:
            assert drop_repeated(attempts) == RepeatedRows()
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] < 1.15 * peaks[0]
