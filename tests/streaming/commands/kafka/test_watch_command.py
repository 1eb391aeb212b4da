"""`sendlab watch` before there is something to watch."""

from __future__ import annotations

import json
from contextlib import contextmanager
from io import StringIO
from types import SimpleNamespace

import pytest
from rich.console import Console

from streaming.commands.kafka import watch_command
from streaming.kafka.brokers import kafka_cluster
from tests.says import Says
from tests.streaming.asked import ask

WRITTEN = {"sendlab-quickstart-attempts", "sendlab-quickstart-sends", "sendlab-quickstart-fault-items"}


def record(value, table="sends", headers=()):
    return SimpleNamespace(topic=f"p-{table}", value=value, headers=headers)


def test_runs_in_the_same_topics_are_counted_apart():
    reading = watch_command.Reading({"p-sends": "sends"})
    for run in ("own-1", "own-2", "own-1"):
        reading.take(record(json.dumps({"run": run}).encode()))
    assert {run: found.sends for run, found in reading.found.items()} == {"own-1": 2, "own-2": 1}


HALF = b'{"run": "own-1", "broker": "a"}'


@pytest.mark.parametrize("value", [None, b"no JSON", b"[1]", b"{}", b'{"run": "own-1"}', HALF])
def test_a_record_that_is_no_row_is_counted_as_such(value):
    reading = watch_command.Reading({"p-attempts": "attempts"})
    reading.take(record(value, "attempts"))
    assert (reading.unreadable, reading.found) == (1, {})


def test_half_a_row_of_a_run_counts_for_no_broker():
    reading = watch_command.Reading({"p-attempts": "attempts"})
    whole = {"run": "own-1", "broker": "a", "outcome": "SEND_OK", "attempt": 1, "latency_us": 900, "end_us": 1_000}
    for value in (json.dumps(whole).encode(), HALF.replace(b'"a"', b'"b"')):
        reading.take(record(value, "attempts"))
    assert [line.broker for line in reading.found["own-1"].lines()] == ["a"]


def test_a_name_of_a_run_is_shown_as_it_is():
    reading = watch_command.Reading({"p-sends": "sends"})
    reading.take(record(json.dumps({"run": "night[/b]"}).encode()))
    console = Console(width=200, record=True, file=StringIO())
    console.print(*reading.shown)
    assert "night[/b]" in console.export_text()


@pytest.mark.parametrize(
    ("prefix", "there", "sentence"),
    [
        ("sendlab-quickstart", {"sendlab-quickstart"}, Says("kafka.written-by-job", prefix="sendlab-quickstart")),
        ("sendlab-quikstart", WRITTEN, Says("kafka.other-prefix", near="sendlab-quickstart")),
    ],
)
def test_a_prefix_without_decisions_is_answered_with_what_writes_them(monkeypatch, capsys, prefix, there, sentence):
    cluster = SimpleNamespace(topics=lambda: there)
    for module in (kafka_cluster, watch_command):
        monkeypatch.setattr(module, "reached", contextmanager(lambda *_, **__: (yield cluster)))
    code, said = ask(monkeypatch, capsys, "watch", prefix, "--bootstrap", "a:1", "--once")
    assert (code, sentence in said) == (2, True), said
