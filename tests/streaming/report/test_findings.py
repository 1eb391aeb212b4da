"""Findings fire where they must, and only there."""

from __future__ import annotations

import pytest

from simulator.scenario import load_scenario, parse_scenario
from streaming.report.collected.data import collect
from streaming.report.findings.finding import ReportFinding, in_order
from streaming.report.findings.ranked import findings
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


def test_a_broker_that_is_isolated_outside_its_fault_is_reported_with_producers_and_period(found):
    text = found()
    assert "broker-b was isolated outside of all its faults by 10 of 10 producers that use it, 40.0 s each" in text
    assert "isolation period 600 s (" in text


def test_a_broker_that_was_only_slow_is_not_said_to_fail(found):
    text = found(faults="[]", healthy="{latency: {constant: 600ms}, send_threads: 99}")
    assert "no attempt failed there, but 4.9.8 isolates for 30 s or more a broker that takes 550 ms" in text
    assert "isolation period 30 s (" in text


def test_a_short_penalty_is_none(found):
    assert "isolated" not in found(faults="[{at: 10s, for: 1ms, broker: broker-b, kind: slow, factor: 2}]")


def test_the_busiest_queue_is_reported_with_its_reason(found):
    text = found()
    assert "took" in text
    assert "apache/rocketmq#5672" in text


def test_the_fixed_scan_is_not_blamed(found):
    assert "apache/rocketmq#5672" not in found(release="5.3.3")


def test_a_lost_message_that_was_acknowledged_comes_first(root, tmp_path):
    data = collect(write_simulated(tmp_path, load_scenario(root / "conf" / "scenarios" / "power-loss.yaml")))
    assert findings(data)[0].text == (
        "13 acknowledged messages are lost, without a durable copy, on broker-b, sent 0:58.7 to 0:59.9: "
        "broker-b loses power (F1, 1:00 to 2:00)."
    )


def test_nothing_is_lost_that_is_kept(found):
    assert "lost" not in found()


def test_duplicates_are_copies_and_messages(root, tmp_path):
    scenario = load_scenario(root / "conf" / "scenarios" / "quickstart.yaml", {"duration": "2m"})
    data = collect(write_simulated(tmp_path, scenario))
    printed = next(one for one in findings(data) if one.kind == "duplicates")
    total = data.summary.total
    assert printed.text.startswith("98 messages are stored more than once: 103 duplicates")
    assert (total.duplicated, total.duplicates) == (102, 107)
    assert "; 4 more: no fault there: the load of broker-b moved there" in printed.text


def test_isolation_is_outside_of_every_fault_of_the_broker(found):
    text = found(faults=f"{HANG[:-1]}, {{at: 40s, for: 20s, broker: broker-b, kind: slow, factor: 2}}]")
    assert "10 of 10 producers that use it, 20.0 s each (" in text


def test_the_worst_kind_comes_first_and_in_it_the_largest():
    kinds = [("isolation", 900), ("waits", 5), ("failed", 3), ("never_sent", 7), ("failed", 8), ("lost", 1)]
    made = [ReportFinding(kind, f"{kind} {size}", "x", size) for kind, size in kinds]
    assert [one.text for one in in_order(made)] == [
        "lost 1", "failed 8", "failed 3", "never_sent 7", "waits 5", "isolation 900",
    ]  # fmt: skip
