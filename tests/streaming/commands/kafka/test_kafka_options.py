"""What is asked of Kafka and cannot be gets one sentence, before anything begins."""

from __future__ import annotations

import pytest

from streaming.kafka.brokers import kafka_cluster
from streaming.texts.command_texts import CommandTexts
from streaming.texts.kafka_texts import KafkaTexts
from tests.simulator.small import text_of
from tests.streaming.asked import ask


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(text_of())
    return path


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--source", "csv"], "--source csv: expected synthetic or kafka"),
        (["--source", "kafka"], "--bootstrap is missing: expected HOST:PORT of a Kafka broker"),
        (["--sink", "kafka"], "--bootstrap is missing: expected HOST:PORT of a Kafka broker"),
        (["--bootstrap", "a:1"], "--bootstrap goes with --source kafka or --sink kafka; give that too, or leave"),
        (["--lateness", "5s"], "--lateness goes with --source kafka or --sink kafka"),
        (["--source", "kafka", "--bootstrap", "a"], "--bootstrap a: expected HOST:PORT, several with commas"),
        (["--source", "kafka", "--bootstrap", "a:1", "--lateness", "5"], "--lateness 5: "),
        (["--source", "kafka", "--bootstrap", "a:1", "--idle", "soon"], "--idle soon: "),
        (["--source", "kafka", "--bootstrap", "a:1", "--kafka-config", "nowhere"], "nowhere: cannot be read"),
        (["--source", "kafka", "--engine", "plain"], "--source kafka goes with the streaming job alone"),
        (["--source", "kafka", "--pace", "1x"], "--pace goes with the scenario's own events"),
        (["--sink", "kafka", "--engine", "plain"], "--sink kafka goes with the streaming job alone"),
    ],
)
def test_a_run_that_cannot_be_is_reported_in_a_sentence(monkeypatch, capsys, tmp_path, file, options, sentence):
    code, said = ask(monkeypatch, capsys, "run", file, "--out", tmp_path / "out", *options)
    assert (code, sentence in said) == (2, True), said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "--bootstrap is missing"),
        (["--bootstrap", "a:1", "--duplicates", "5"], "--duplicates 5: expected a percentage such as 1%"),
        (["--bootstrap", "a:1", "--duplicates", "101%"], "--duplicates 101%: expected a percentage such as 1%"),
        (["--bootstrap", "a:1", "--shuffle", "far"], "--shuffle far: "),
        (["--bootstrap", "a:1", "--pace", "fast"], "--pace fast: expected max or a factor"),
        (["--bootstrap", "a:1", "--topic", "a", "--topic", "b"], "--topic: expected one topic to publish to"),
    ],
)
def test_what_cannot_be_published_is_reported_in_a_sentence(monkeypatch, capsys, file, options, sentence):
    code, said = ask(monkeypatch, capsys, "publish", file, *options)
    assert (code, sentence in said) == (2, True), said


def test_a_recording_alone_is_not_enough_to_publish(monkeypatch, capsys):
    code, said = ask(monkeypatch, capsys, "publish", "conf/traces/live-4.9.8-s3", "--bootstrap", "a:1")
    assert (code, CommandTexts.LIKE_MISSING() in said) == (2, True)


def test_a_broker_that_is_not_there_is_reported(monkeypatch, capsys, tmp_path, file):
    monkeypatch.setattr(kafka_cluster, "PATIENCE_MS", 300)
    code, said = ask(
        monkeypatch, capsys, "run", file, "--out", tmp_path / "out", "--source", "kafka", "--bootstrap", "127.0.0.1:1"
    )
    assert (code, said) == (3, KafkaTexts.NO_BROKER_ANSWERS().at("127.0.0.1:1"))
