"""Consumer groups under the names of the RocketMQ exporter."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from streaming.live.job_metrics import JobMetrics
from streaming.live.query_watch import QueryWatch
from tests.streaming.report.fake_output import SECOND, about, write_run, write_table

STORED = {
    "topic": "orders", "consumer_group": "billing", "broker": ["broker-a", "broker-a", "broker-b"],
    "queue_id": [0, 1, 0], "window_us": SECOND, "max_offset": [100, 50, 70], "committed_offset": [90, 50, 10],
    "committed_lag": [10, 0, 60], "oldest_age_us": [2_000_000, 0, 9_000_000], "consumed": [5, 5, 0],
    "instance": [None, None, None],
}  # fmt: skip
GROUPS = {"consumer_group": ["billing"], "instances": [3], "lag_verdict": "STOP"}


def scraped(folder, **changed):
    groups = {"consumer_groups": ["billing"]}
    out = write_run(folder / "out", **groups)
    metrics = JobMetrics(out, about(**groups), QueryWatch(), 1.0)
    write_table(out, "stored", STORED | {"max_offset": [1, 1, 1]} | changed)
    write_table(out, "stored", STORED | changed, block=1)  # the last window counts
    write_table(out, "consumer_windows", GROUPS, block=1)
    registry = CollectorRegistry()
    registry.register(metrics)
    families = text_string_to_metric_families(generate_latest(registry).decode())
    return {(s.name, *sorted(s.labels.values())): s.value for family in families for s in family.samples}


@pytest.fixture
def samples(tmp_path):
    return scraped(tmp_path)


def test_of_instances_that_each_read_everything_only_what_they_consume_is_there(tmp_path):
    alike = {"broker": "broker-a", "queue_id": [0, 0, 1], "instance": ["billing-1", "billing-2", "billing-1"]}
    found = scraped(tmp_path, **alike)
    assert found["rocketmq_consumer_tps", "DefaultCluster", "billing", "broker-a", "orders"] == 10
    assert {"rocketmq_group_diff", "rocketmq_consumer_offset"} & {name for name, *_ in found} == set()


def test_the_lag_of_a_group_is_the_exporters_group_diff(samples):
    assert samples["rocketmq_group_diff", "1", "3", "billing", "orders"] == 70


@pytest.mark.parametrize(
    ("name", "of_a", "of_b"),
    [
        ("rocketmq_consumer_offset", 140, 10),
        ("rocketmq_group_get_latency_by_storetime", 2_000, 9_000),
        ("rocketmq_consumer_tps", 10, 0),
    ],
)
def test_what_the_exporter_sums_by_broker(samples, name, of_a, of_b):
    found = [samples[name, "DefaultCluster", "billing", f"broker-{broker}", "orders"] for broker in "ab"]
    assert found == [of_a, of_b]


def test_a_topics_end_offsets_and_the_verdict(samples):
    assert samples["rocketmq_producer_offset", "DefaultCluster", "broker-a", "orders"] == 150
    assert samples["sendlab_lag_verdict", "STOP", "billing"] == 1
