"""Brokers and topics of a running twin under the names of the RocketMQ exporter."""

from __future__ import annotations

import pyarrow as pa
import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from streaming.importing.exporter_format import Exposition
from streaming.live.job_metrics import JobMetrics
from streaming.live.put_tally import PutTally
from streaming.live.query_watch import QueryWatch
from tests.streaming.live.test_job_metrics import progress_of
from tests.streaming.report.fake_output import SECOND, about, write_run, write_table


def tally(**seconds):
    """Attempts answered by broker-a and broker-b, at these seconds."""
    found = PutTally(["broker-a", "broker-b"], ["orders"])
    rows = [(broker, at) for broker, times in seconds.items() for at in times]
    found.add(
        pa.record_batch(
            {
                "broker": pa.array([f"broker-{broker}" for broker, _ in rows]),
                "topic": pa.array(["orders"] * len(rows)),
                "end_us": pa.array([round(at * SECOND) for _, at in rows]),
                "outcome": pa.array(["SEND_OK" if at % 1 == 0 else "RemotingTimeoutException" for _, at in rows]),
            }
        )
    )
    return found


def test_a_rate_is_of_the_whole_seconds_before_the_clock():
    rates = tally(a=[10, 11, 11, 12], b=[13]).per_s(10, 12_500_000)
    assert rates.tolist() == [[1.5], [0.0]]


def test_only_what_was_stored_counts():
    assert tally(a=[10, 10.5, 11]).per_s(60, 12_000_000).tolist() == [[1.0], [0.0]]


def test_a_rate_is_of_its_span_alone():
    found = tally(a=[*range(100), *range(90, 100)])
    assert [found.per_s(span, 100_000_000)[0, 0] for span in (10, 60)] == [2.0, 70 / 60]


def test_before_a_second_was_seen_there_is_no_rate():
    assert tally().per_s(60, 5_000_000) is None
    assert list(tally(a=[7]).metrics(7_900_000)) == []


def test_what_is_older_than_ten_minutes_is_forgotten():
    found = tally(a=[0, 700])
    found.per_s(60, 701_000_000)
    assert list(found._seconds) == [700]


@pytest.fixture
def scrape(tmp_path):
    out = write_run(tmp_path / "out")
    metrics = JobMetrics(out, about(), QueryWatch(), 1.0)
    ends = [28 * SECOND, 29 * SECOND, 29 * SECOND + 1]
    rows = {"broker": ["broker-a", "broker-a", "broker-b"], "topic": "orders", "end_us": ends, "outcome": "SEND_OK"}
    write_table(out, "attempts", rows, block=1)
    metrics.note(progress_of(30 * SECOND))
    registry = CollectorRegistry()
    registry.register(metrics)
    return generate_latest(registry).decode()


def test_the_exporters_names_and_labels(scrape):
    families = text_string_to_metric_families(scrape)
    found = {(s.name, *sorted(s.labels.values())): s.value for family in families for s in family.samples}
    assert found["rocketmq_broker_tps", "DefaultCluster", "broker-a", "broker-a"] == 1.0
    assert found["rocketmq_producer_tps", "DefaultCluster", "broker-b", "orders"] == 0.5
    runtime = ("", "", "", "DefaultCluster", "broker-a", "broker-a")
    assert [found[f"rocketmq_brokeruntime_put_tps{span}", *runtime] for span in (10, 60, 600)] == [1.0, 1.0, 1.0]


def test_the_import_of_metrics_reads_a_scrape_of_a_twin(scrape, tmp_path):
    file = tmp_path / "scrape.txt"
    file.write_text("# time 2026-11-21T20:15:00Z\n" + scrape)
    exposition = Exposition({})
    exposition.read(file)
    loads = {broker: value for _, broker, metric, value in exposition.rows if metric == "rocketmq_broker_tps"}
    assert loads == {"broker-a": 1.0, "broker-b": 0.5, "broker-c": 0.0}
