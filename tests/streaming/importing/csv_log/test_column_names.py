"""The columns of a CSV: by their names, by --map, and guesses."""

from __future__ import annotations

import pytest

from streaming.errors import InputError
from streaming.importing.csv_log.column_names import latency_unit, meanings_of, parse_map

FOREIGN = ("ts", "client", "destination", "brokerName", "cost", "result")


def meanings(*names, first=(), mapped=None):
    return meanings_of("log.csv", 1, names, first, mapped or {})


def test_names_are_known_however_they_are_spelled():
    found = meanings("Time", "PRODUCER", "topic", "Broker", "latencyMs", "outcome", "Queue Id", "host")
    assert found == ["time", "producer", "topic", "broker", "latency_ms", "outcome", "queue_id", None]


def test_missing_columns_are_guessed_with_the_option_that_names_them():
    with pytest.raises(
        InputError, match=r"looks like time is in 'ts', broker is in 'brokerName'.*use --map (.*)$"
    ) as told:
        meanings(*FOREIGN)
    mapped = parse_map([str(told.value).rpartition("--map ")[2]])
    assert meanings(*FOREIGN, mapped=mapped) == ["time", "producer", "topic", "broker", "latency_ms", "outcome"]


def test_a_column_with_a_name_that_says_nothing_is_guessed_by_its_first_value():
    with pytest.raises(
        InputError, match=r"lacks the columns time, outcome; looks like time is in 'b', outcome is in 'c'"
    ):
        meanings("broker", "latency_ms", "a", "b", "c", first=("broker-a", "1", "x", "2026-11-21 06:10:00", "SEND_OK"))


def test_a_column_that_nothing_looks_like_is_missing():
    with pytest.raises(
        InputError, match=r"log.csv, line 1: lacks the column outcome; expected time, .*, found: time, "
    ):
        meanings("time", "producer", "topic", "broker", "latency_ms")


def test_a_log_without_a_header_is_told_so():
    with pytest.raises(InputError, match=r"line 1: is a row, expected a header; write one above it, such as time, "):
        meanings("1795241400", "shop", "orders", "broker-a", "1.5", "SEND_OK")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (["time"], "expected MEANING=COLUMN"),
        (["tiem=ts"], "unknown meaning tiem; did you mean time"),
        (["time=ts", "time=at"], "time is mapped twice"),
    ],
)
def test_a_map_that_is_none_is_refused(said, why):
    with pytest.raises(InputError, match=why):
        parse_map(said)


def test_a_map_to_a_column_that_is_not_there_is_refused():
    with pytest.raises(
        InputError, match=r"there is no column brokerNam; did you mean brokerName\?.*the header has: ts, client"
    ):
        meanings(*FOREIGN, mapped={"broker": "brokerNam"})


@pytest.mark.parametrize(
    ("name", "unit"),
    [("latency_ms", "ms"), ("latencyUs", "us"), ("cost_ns", "ns"), ("elapsed_s", "s"), ("rtMillis", "ms"),
     ("duration (us)", None), ("cost", None), ("times", None), ("duration_seconds", "s")],
)  # fmt: skip
def test_the_name_of_a_column_says_its_unit(name, unit):
    assert latency_unit(name) == unit
