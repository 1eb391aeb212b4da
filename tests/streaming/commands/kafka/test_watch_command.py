"""`sendlab watch` before there is something to watch."""

from __future__ import annotations

import json
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

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


@pytest.mark.parametrize("value", [None, b"no JSON", b"[1]", b"{}", b'{"run": "own-1"}'])
def test_a_record_that_is_no_row_is_counted_as_such(value):
    reading = watch_command.Reading({"p-attempts": "attempts"})
    reading.take(record(value, "attempts"))
    assert (reading.unreadable, reading.found) == (1, {})


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
