"""What Prometheus reads of a job: names and units by its conventions, nothing that was not measured."""

from __future__ import annotations

import json
import re

import pytest
import yaml
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from streaming.jobs.progress import Progress
from streaming.live.job_metrics import JobMetrics
from streaming.live.query_watch import QueryWatch
from streaming.operator.cell_progress import CellProgress
from tests.streaming.report.fake_output import about, write_run, write_table

UNITS = re.compile(r"_(seconds|bytes|ratio|total|rows|avoiding)$")
NAMES = re.compile(r"\b(?:sendlab|rocketmq)_\w+")


class Query:
    """A query that had two micro-batches with data and one without."""

    recentProgress = (
        {"batchId": 0, "durationMs": {"addBatch": 900, "triggerExecution": 1200}, "stateOperators": []},
        {"batchId": 1, "durationMs": {"latestOffset": 3, "triggerExecution": 3}, "stateOperators": []},
        {
            "batchId": 1,
            "durationMs": {"addBatch": 300, "triggerExecution": 400},
            "stateOperators": [{"numRowsTotal": 2, "memoryUsedBytes": 4096}],
        },
    )


def progress_of(clock_us=30_000_000):
    progress = Progress(())
    progress.cells["main", 0] = CellProgress(clock_us, 30, 1000, 990, 10, 0, 900, 9, 12)
    return progress


def scraped(out, *, speed=1.0, progress=True, query=True):
    """Samples of one scrape by (name, labels)."""
    watch = QueryWatch()
    metrics = JobMetrics(out, about(), watch, speed)
    rows = {
        "broker": ["broker-a", "broker-a", "broker-b"],
        "topic": "orders",
        "attempt": 1,
        "end_us": 2_000,
        "outcome": "SEND_OK",
    }
    write_table(out, "attempts", rows, block=1)
    if progress:
        metrics.note(progress_of())
    if query:
        watch.look(Query())
    registry = CollectorRegistry()
    registry.register(metrics)
    families = list(text_string_to_metric_families(generate_latest(registry).decode()))
    return families, {(s.name, *s.labels.values()): s.value for family in families for s in family.samples}


@pytest.fixture
def out(tmp_path):
    folder = write_run(tmp_path / "out")
    changes = {"producer": [0, 1], "broker": ["broker-b", "broker-b"], "start_timestamp_ms": [90_000, 20_000]}
    write_table(folder, "fault_items", changes)
    return folder


def test_the_job_is_counted_since_its_run_began(out):
    _, found = scraped(out)
    counts = ("sends_total", "send_failures_total", "retries_total", "rejects_total", "events_total")
    assert [found[f"sendlab_{name}",] for name in counts] == [900, 9, 12, 10, 1000]
    assert found["sendlab_virtual_time_seconds",] == 30


def test_brokers_are_distinguished(out):
    _, found = scraped(out)
    assert found["sendlab_attempts_total", "broker-a"] == 2
    assert found["sendlab_broker_share_ratio", "broker-b"] == pytest.approx(1 / 3)
    assert found["sendlab_attempt_latency_seconds_bucket", "broker-a", "0.001"] == 0
    assert found["sendlab_attempt_latency_seconds_bucket", "broker-a", "0.002"] == 2
    assert [found["sendlab_producers_avoiding", f"broker-{name}"] for name in "abc"] == [0, 1, 0]


def test_micro_batches_and_state_are_sparks(out):
    _, found = scraped(out)
    assert (found["sendlab_state_rows",], found["sendlab_state_bytes",]) == (2, 4096)
    assert found["sendlab_batch_duration_seconds_bucket", "0.5"] == 1
    assert found["sendlab_batch_duration_seconds_count",] == 2
    assert found["sendlab_batch_duration_seconds_sum",] == 1.6


def test_what_was_not_measured_is_not_there(out):
    _, found = scraped(out, speed=0, progress=False, query=False)
    assert {name for name, *_ in found} & {"sendlab_sends_total", "sendlab_state_rows"} == set()
    _, found = scraped(out, speed=0)
    assert ("sendlab_virtual_time_lag_seconds",) not in found


def test_every_metric_has_a_unit_and_a_meaning(out):
    families, found = scraped(out)
    assert all(family.documentation for family in families)
    names = {name for name, *_ in found} | {family.name for family in families if family.type == "gauge"}
    own = {name for name in names if name.startswith("sendlab_")}
    odd = {name for name in own if not UNITS.search(re.sub("_(bucket|sum|count)$", "", name))}
    assert odd == set()


def test_dashboard_and_alerts_name_metrics_that_are_there(out, root):
    _, found = scraped(out)
    known = {name for name, *_ in found}
    alerts = yaml.safe_load((root / "conf/deploy/prometheus-alerts.yaml").read_text())["groups"][0]["rules"]
    panels = json.loads((root / "conf/deploy/grafana-dashboard.json").read_text())["panels"]
    asked = [rule["expr"] for rule in alerts] + [target["expr"] for panel in panels for target in panel["targets"]]
    assert (len(alerts), {name for text in asked for name in NAMES.findall(text)} - known) == (5, set())
    by = {label for text in asked for labels in re.findall(r"by \(([^)]*)\)", text) for label in labels.split(", ")}
    assert by <= {"broker", "le", "instance", "job"}
