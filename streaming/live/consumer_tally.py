"""What a job's tables say of each consumer group, under the names of apache/rocketmq-exporter.

Source: rocketmq-exporter, MetricsCollectTask and RMQMetricsCollector: names, labels, and what each sums. So dashboards
and alerts that read the exporter read a simulation as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import pyarrow as pa
from prometheus_client.core import GaugeMetricFamily, Metric

from streaming.live.metric_texts import MetricTexts

CLUSTER = "DefaultCluster"  # brokerClusterName's default
CLUSTERING = "1"  # ordinal of MessageModel.CLUSTERING
GROUP_DIFF = ("group", "topic", "countOfOnlineConsumers", "msgModel")
OF_BROKER = ("cluster", "broker", "topic", "group")
TOPIC_OFFSET = ("cluster", "broker", "topic")

Queue = tuple[str, str, str, int, str | None]  # broker, topic, group, queue id, instance if each reads everything


class QueuesNow:
    """Rows of `stored`: the last of each queue and group, or instance where each reads everything."""

    columns = (
        "window_us", "broker", "topic", "consumer_group", "queue_id", "max_offset", "committed_offset", "committed_lag",
        "oldest_age_us", "consumed", "instance",
    )  # fmt: skip

    def __init__(self) -> None:
        self.last: dict[Queue, dict[str, int]] = {}

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next windows."""
        for row in batch.to_pylist():
            own = row["broker"], row["topic"], row["consumer_group"], row["queue_id"], row["instance"]
            self.last[own] = row


class GroupsNow:
    """Rows of `consumer_windows`: how many instances of each group run, and the verdict on its lag."""

    columns = ("consumer_group", "instances", "lag_verdict")

    def __init__(self) -> None:
        self.instances: dict[str, int] = {}
        self.verdicts: dict[str, str] = {}

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next windows."""
        for row in batch.to_pylist():
            self.instances[row["consumer_group"]] = row["instances"]
            self.verdicts[row["consumer_group"]] = row["lag_verdict"]


def consumer_metrics(queues: QueuesNow, groups: GroupsNow) -> Iterable[Metric]:
    """The exporter's gauges of groups and topics; nothing before there was a window.

    Of a BROADCASTING group brokers know no offsets, so that the exporter has only what it consumes.
    """
    if not queues.last:
        return
    diff: dict[tuple[str, str], int] = defaultdict(int)
    offset: dict[tuple[str, str, str], int] = defaultdict(int)
    late_ms: dict[tuple[str, str, str], float] = defaultdict(float)
    taken: dict[tuple[str, str, str], float] = defaultdict(float)
    stored: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    for (broker, topic, group, queue, instance), row in queues.last.items():
        of_broker = broker, topic, group
        taken[of_broker] += row["consumed"] / row["window_us"] * 1e6
        stored[broker, topic][queue] = row["max_offset"]
        if instance is None:
            diff[group, topic] += row["committed_lag"]
            offset[of_broker] += row["committed_offset"] or 0
            late_ms[of_broker] = max(late_ms[of_broker], (row["oldest_age_us"] or 0) / 1000)
    gauge = GaugeMetricFamily("rocketmq_group_diff", MetricTexts.GROUP_DIFF(), labels=GROUP_DIFF)
    for (group, topic), messages in diff.items():
        gauge.add_metric([group, topic, str(groups.instances.get(group, 0)), CLUSTERING], messages)
    yield gauge
    for name, what, values in (
        ("rocketmq_consumer_offset", MetricTexts.CONSUMER_OFFSET(), offset),
        ("rocketmq_group_get_latency_by_storetime", MetricTexts.GET_LATENCY(), late_ms),
        ("rocketmq_consumer_tps", MetricTexts.CONSUMER_TPS(), taken),
    ):
        gauge = GaugeMetricFamily(name, what, labels=OF_BROKER)
        for (broker, topic, group), value in values.items():
            gauge.add_metric([CLUSTER, broker, topic, group], value)
        yield gauge
    gauge = GaugeMetricFamily("rocketmq_producer_offset", MetricTexts.PRODUCER_OFFSET(), labels=TOPIC_OFFSET)
    for (broker, topic), ends in stored.items():
        gauge.add_metric([CLUSTER, broker, topic], sum(ends.values()))
    yield gauge
    verdict = GaugeMetricFamily("sendlab_lag_verdict", MetricTexts.LAG_VERDICT(), labels=("group", "verdict"))
    for group, name in groups.verdicts.items():
        verdict.add_metric([group, name], 1)
    yield verdict
