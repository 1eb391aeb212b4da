"""Findings fire where they must, and only there."""

from __future__ import annotations

import pytest

from simulator.scenario import load_scenario, parse_scenario
from streaming.report.data import collect
from streaming.report.findings import findings
from tests.streaming.report.pure_output import write_simulated

TEXT = """
name: found
duration: 60s
client: {release: RELEASE, send_latency_fault_enable: true}
producers: {count: 10, rate: 20/s}
topics: {orders: {queues: 8}}
brokers:
  broker-a: {latency: {constant: 1ms}}
  broker-b: {like: broker-a}
  broker-c: HEALTHY
faults: FAULTS
"""
HANG = "[{at: 10s, for: 10s, broker: broker-b, kind: hang}]"


@pytest.fixture
def found(tmp_path):
    def of(release="4.9.8", faults=HANG, healthy="{like: broker-a}"):
        text = TEXT.replace("RELEASE", release).replace("FAULTS", faults).replace("HEALTHY", healthy)
        scenario = parse_scenario(text)
        return " ".join(one.text for one in findings(collect(write_simulated(tmp_path, scenario))))

    return of


def test_a_healthy_run_has_none(found):
    assert found(faults="[]") == ""


def test_a_broker_that_is_avoided_after_its_fault_is_told_with_the_time(found):
    text = found()
    assert "although it had been healthy since 0:20, because 4.9.8 isolates for up to 600 s." in text


def test_a_broker_that_was_only_slow_is_not_said_to_fail(found):
    text = found(faults="[]", healthy="{latency: {constant: 600ms}, send_threads: 99}")
    assert "no attempt failed there, but 4.9.8 avoids for 30 s or more who takes 550 ms" in text


def test_a_short_penalty_is_none(found):
    assert "avoided" not in found(faults="[{at: 10s, for: 1ms, broker: broker-b, kind: slow, factor: 2}]")


def test_the_busiest_queue_is_told_with_its_reason(found):
    text = found()
    assert "took" in text
    assert "apache/rocketmq#5672" in text


def test_the_mended_scan_is_not_blamed(found):
    assert "apache/rocketmq#5672" not in found(release="5.3.3")


def test_failures_are_told_with_their_share_and_time(found):
    assert " failed, " in found()
    assert "attempts failed from 0:1" in found()
    assert ", most with Remoting" in found()


def test_a_lost_message_that_was_acknowledged_is_told(root, tmp_path):
    data = collect(write_simulated(tmp_path, load_scenario(root / "conf" / "scenarios" / "power-loss.yaml")))
    assert findings(data)[0].text == "No copy is left of 13 messages whose caller was told SEND_OK."


def test_nothing_is_told_lost_that_is_kept(found):
    assert "No copy" not in found()


def test_duplicates_are_told_where_there_are_many(root, tmp_path):
    scenario = load_scenario(root / "conf" / "scenarios" / "quickstart.yaml", {"duration": "2m", "faults.0.at": "9s"})
    text = " ".join(one.text for one in findings(collect(write_simulated(tmp_path, scenario))))
    assert "duplicates: consumers see those messages twice or more" in text
