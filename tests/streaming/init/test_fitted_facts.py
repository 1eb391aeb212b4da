"""A trace, a client log and measured points beside or instead of what mqadmin printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from streaming.importing.recording_format import trace_of_recording
from streaming.init.cluster_facts import ClusterFacts
from streaming.init.fitted_facts import read_client_log, read_trace_folder
from streaming.init.saved_part import SavedPart
from streaming.init.texts.init_note_texts import InitNoteTexts
from tests.house.tree import ROOT
from tests.says import prints
from tests.streaming.init.asked import init_scenario, init_text, saved

FAILED = (
    "2026-11-21 14:10:00,123 WARN RocketmqClient - sendKernelImpl exception, resend at once, InvokeID: -42, RT: 3001ms,"
    " Broker: MessageQueue [topic=pay, brokerName=broker-x, queueId=3]\n"
)


def test_a_trace_gives_its_producers_and_their_client(monkeypatch):
    recording = trace_of_recording(ROOT / "conf" / "traces" / "live-4.9.8-s3")
    monkeypatch.setattr("streaming.fitting.open_trace.open_trace", lambda path: recording)
    facts = ClusterFacts()
    read_trace_folder(SavedPart(Path("trace"), 1, ()), facts)
    (group,) = facts.producers.values()
    assert (group.count.value, facts.client["release"].value) == (8, "4.9.8")
    assert facts.per_s[0].value == pytest.approx(320, rel=0.01)
    assert {name: seen.write for name, seen in facts.topics["orders"].queues.items()} == dict.fromkeys(
        ("broker-a", "broker-b", "broker-c"), 4
    )


def test_a_client_log_gives_brokers_and_topics_and_no_rate(tmp_path):
    scenario = init_scenario(saved(tmp_path, "rocketmq_client.log", FAILED))
    assert (sorted(scenario.brokers), sorted(scenario.topics)) == (["broker-x"], ["pay"])
    text = init_text(saved(tmp_path, "rocketmq_client.log", FAILED))
    words = " ".join(text.replace("#", "").split())
    assert prints(words, InitNoteTexts.FAILED_ALONE, count=1, by_broker="1 on broker-x")


def test_a_client_log_counts_failures_of_each_broker():
    facts = ClusterFacts()
    read_client_log(SavedPart(Path("x.log"), 1, (FAILED, FAILED.replace("broker-x", "broker-y"), FAILED)), facts)
    assert "2 on broker-x, 1 on broker-y" in facts.notes[0]


def test_what_producer_sh_printed_is_fitted_to_the_brokers_that_files_name(tmp_path):
    printed = (
        "topic: BenchmarkTest threadCount: 1 messageSize: 128 keyEnable: false\n"
        "Current Time: 2026-01-01 10:00:10,000 | TPS: 1800 | Max RT(ms): 4 | Average RT(ms):   0.550 | Send Failed: 0\n"
        "topic: BenchmarkTest threadCount: 32 messageSize: 128 keyEnable: false\n"
        "Current Time: 2026-01-01 10:00:10,000 | TPS: 24000 | Max RT(ms): 9 | Average RT(ms): 1.330 | Send Failed: 0\n"
    )
    text = init_text("5.3.3/clusterList.txt", "broker-a.conf", saved(tmp_path, "producer.txt", printed))
    assert "fitted to 2 points of producer.sh, 3 brokers with 4 send threads" in " ".join(text.replace("#", "").split())
    assert "slave_latency: {constant: " in text
