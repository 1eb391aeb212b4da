"""The columns of a CSV: by their names, by --map, and guesses."""

from __future__ import annotations

import shlex

import pytest

from streaming.errors import InputError
from streaming.importing.csv_log.column_names import latency_unit, meanings_of, parse_map
from streaming.texts.import_texts import ImportTexts
from tests.says import Says, raises

CHINESE = ("时间", "生产者", "主题", "broker名称", "耗时(毫秒)", "结果", "队列")
FOREIGN = ("ts", "client", "destination", "brokerName", "cost", "result")


def meanings(*names, first=(), mapped=None):
    return meanings_of("log.csv", 1, names, first, mapped or {})


def test_names_are_known_however_they_are_spelled():
    found = meanings("Time", "PRODUCER", "topic", "Broker", "latencyMs", "outcome", "Queue Id", "host")
    assert found == ["time", "producer", "topic", "broker", "latency_ms", "outcome", "queue_id", None]


def test_missing_columns_are_guessed_with_the_option_that_names_them():
    with pytest.raises(
        InputError, match=r"looks like time is in 'ts', broker is in 'brokerName'.*use --map (.*)$"
    ) as found:
        meanings(*FOREIGN)
    mapped = parse_map([str(found.value).rpartition("--map ")[2]])
    assert meanings(*FOREIGN, mapped=mapped) == ["time", "producer", "topic", "broker", "latency_ms", "outcome"]


def test_a_column_with_a_name_that_says_nothing_is_guessed_by_its_first_value():
    guessed_so = {"noun": "columns", "missing": "time, outcome", "looks": "time is in 'b', outcome is in 'c'"}
    with raises(InputError, Says("import.columns-guessed", **guessed_so)):
        meanings("broker", "latency_ms", "a", "b", "c", first=("broker-a", "1", "x", "2026-11-21 06:10:00", "SEND_OK"))


def test_a_column_that_nothing_looks_like_is_missing():
    with raises(InputError, Says("import.columns-missing", "log.csv, line 1", noun="column", missing="outcome")):
        meanings("time", "producer", "topic", "broker", "latency_ms")


def test_a_log_without_a_header_is_reported():
    with raises(InputError, Says("import.no-header")):
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
    with raises(InputError, Says("import.no-column")):
        meanings(*FOREIGN, mapped={"broker": "brokerNam"})


@pytest.mark.parametrize(
    ("name", "unit"),
    [("latency_ms", "ms"), ("latencyUs", "us"), ("cost_ns", "ns"), ("elapsed_s", "s"), ("rtMillis", "ms"),
     ("duration (us)", "us"), ("cost", None), ("times", None), ("duration_seconds", "s"), ("rt[µs]", "us"),
     ("rt[μs]", "us"),
     ("Latency / ms", "ms"), ("latency in ms", "ms"), ("耗时(毫秒)", "ms"), ("耗时（ms）", "ms"), ("耗时ms", "ms"),
     ("响应时间(微秒)", "us"), ("RT(单位:ms)", "ms"), ("costms", "ms"), ("status", None), ("messages", None)],
)  # fmt: skip
def test_the_name_of_a_column_says_its_unit(name, unit):
    assert latency_unit(name) == unit


def guessed(*names, first=()):
    """The option that the error offers."""
    with pytest.raises(InputError) as found:
        meanings(*names, first=first)
    return parse_map(shlex.split(str(found.value).rpartition("--map ")[2])), str(found.value)


def test_a_latency_with_its_unit_in_brackets_is_known():
    assert meanings("time", "broker", "latency (us)", "outcome")[2] == "latency_ms"
    assert meanings("time (ms)", "broker", "Latency / μs", "outcome", first=("1795241403000",))[0] == "time"


@pytest.mark.parametrize("name", ["finished_at", "endTs", "CompletedAt", "end", "结束时间", "return_time"])
def test_a_name_that_says_an_end_is_not_offered_as_the_begin(name):
    option, _ = guessed(name, "broker", "latency_ms", "outcome", first=("2026-11-21T06:10:03Z",))
    assert option == {"end_time": name}


@pytest.mark.parametrize("name", ["started_at", "开始时间", "sendTimestamp", "request_time"])
def test_a_name_that_says_a_begin_is_offered_as_it(name):
    option, text = guessed(name, "broker", "latency_ms", "outcome", first=("2026-11-21T06:10:03Z",))
    assert (option, "ended" in text) == ({"time": name}, False)


def test_a_name_that_says_neither_asks_for_the_other():
    option, text = guessed("ts", "broker", "latency_ms", "outcome", first=("1795241403",))
    assert (option, ImportTexts.IF_AN_END(name="ts", meaning="end_time") in text) == ({"time": "ts"}, True)


def test_chinese_names_of_columns_are_guessed():
    option, _ = guessed(*CHINESE)
    assert option == {
        "time": "时间",
        "broker": "broker名称",
        "latency_ms": "耗时(毫秒)",
        "outcome": "结果",
        "producer": "生产者",
        "topic": "主题",
        "queue_id": "队列",
    }


def test_begin_and_end_are_guessed_in_the_place_of_a_latency():
    option, _ = guessed("开始时间", "结束时间", "broker", "状态", first=("1795241400000", "1795241403000"))
    assert option == {"time": "开始时间", "end_time": "结束时间", "outcome": "状态"}


def test_a_guessed_latency_without_a_unit_asks_for_it():
    _, text = guessed("time", "broker", "cost", "outcome", first=("1795241400", "a", "3", "SEND_OK"))
    assert ImportTexts.IF_NO_UNIT(name="cost") in text
