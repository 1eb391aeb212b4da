"""What is asked of Kafka and cannot be gets one sentence, before anything begins."""

from __future__ import annotations

import pytest

from streaming.kafka.brokers import kafka_cluster
from streaming.texts.command_texts import CommandTexts
from streaming.texts.kafka_texts import KafkaTexts
from tests.says import Says
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
        (["--source", "kafak"], Says("reading.did-you-mean", near="kafka")),
        (["--source", "kafka"], Says("command.bootstrap-missing")),
        (["--sink", "kafka"], Says("command.bootstrap-missing")),
        (["--bootstrap", "a:1"], Says("command.kafka-option", option="--bootstrap")),
        (["--lateness", "5s"], Says("command.kafka-option", option="--lateness")),
        (["--source", "kafka", "--bootstrap", "a"], Says("kafka.address-expected", "--bootstrap a")),
        (["--source", "kafka", "--bootstrap", "a:1", "--lateness", "5"], "--lateness 5: "),
        (["--source", "kafka", "--bootstrap", "a:1", "--idle", "soon"], "--idle soon: "),
        (["--source", "kafka", "--bootstrap", "a:1", "--kafka-config", "nowhere"], "nowhere: cannot be read"),
        (["--source", "kafka", "--engine", "plain"], Says("command.streaming-job-alone", option="--source kafka")),
        (["--source", "kafka", "--pace", "1x"], Says("command.pace-of-topics")),
        (["--sink", "kafka", "--engine", "plain"], Says("command.streaming-job-alone", option="--sink kafka")),
    ],
)
def test_a_run_that_cannot_be_is_reported_in_a_sentence(monkeypatch, capsys, tmp_path, file, options, sentence):
    code, said = ask(monkeypatch, capsys, "run", file, "--out", tmp_path / "out", *options)
    assert (code, sentence in said) == (2, True), said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], Says("command.bootstrap-missing")),
        (["--bootstrap", "a:1", "--duplicates", "5"], Says("command.duplicates-expected", "--duplicates 5")),
        (["--bootstrap", "a:1", "--duplicates", "101%"], Says("command.duplicates-expected", "--duplicates 101%")),
        (["--bootstrap", "a:1", "--shuffle", "far"], "--shuffle far: "),
        (["--bootstrap", "a:1", "--pace", "fast"], Says("command.pace-expected", "--pace fast")),
        (["--bootstrap", "a:1", "--topic", "a", "--topic", "b"], Says("command.one-topic")),
    ],
)
def test_what_cannot_be_published_is_reported_in_a_sentence(monkeypatch, capsys, file, options, sentence):
    code, said = ask(monkeypatch, capsys, "publish", file, *options)
    assert (code, sentence in said) == (2, True), said


def test_a_recording_alone_is_not_enough_to_publish(monkeypatch, capsys):
    code, said = ask(monkeypatch, capsys, "publish", "conf/traces/live-4.9.8-s3", "--bootstrap", "a:1")
    assert (code, CommandTexts.LIKE_MISSING() in said) == (2, True)


def test_a_folder_has_no_events_to_publish(monkeypatch, capsys, tmp_path):
    code, said = ask(monkeypatch, capsys, "publish", tmp_path, "--like", "mine.yaml", "--bootstrap", "a:1")
    assert (code, Says("command.events-expected", str(tmp_path)) in said) == (2, True), said


def test_a_broker_that_is_not_there_is_reported(monkeypatch, capsys, tmp_path, file):
    monkeypatch.setattr(kafka_cluster, "PATIENCE_MS", 300)
    code, said = ask(
        monkeypatch, capsys, "run", file, "--out", tmp_path / "out", "--source", "kafka", "--bootstrap", "127.0.0.1:1"
    )
    assert (code, said) == (3, KafkaTexts.NO_BROKER_ANSWERS().at("127.0.0.1:1"))
