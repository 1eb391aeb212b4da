"""`sendlab watch` before there is something to watch."""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from streaming.commands.kafka import watch_command
from streaming.kafka.brokers import kafka_cluster
from tests.says import Says
from tests.streaming.asked import ask

WRITTEN = {"sendlab-quickstart-attempts", "sendlab-quickstart-sends", "sendlab-quickstart-fault-items"}


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
