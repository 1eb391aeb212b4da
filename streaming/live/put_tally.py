"""What brokers say of the messages they store, under the names of apache/rocketmq-exporter.

Source: rocketmq-exporter, RMQMetricsCollector: names and labels. Its rates are of the last minute, and of 10, 60 and
600 s; here they are of virtual time, and a message counts when the producer has its answer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
import pyarrow as pa
from prometheus_client.core import GaugeMetricFamily, Metric

from simulator.codes import OUTCOME_NAMES, STORED
from streaming.live.broker_tally import US_PER_S
from streaming.live.consumer_tally import CLUSTER, TOPIC_OFFSET
from streaming.live.metric_texts import MetricTexts
from streaming.outputs.dataset import codes, numbers

MINUTE_S = 60
SPANS_S = (10, 60, 600)
OF_BROKER = ("cluster", "brokerIP", "broker")
OF_RUNTIME = ("cluster", "brokerIP", "brokerHost", "des", "boottime", "broker_version")
ANSWERED = {OUTCOME_NAMES[code]: code for code in STORED}


class PutTally:
    """Rows of `attempts`: messages stored by broker and topic, by the second of virtual time of their answers.

    Only the last ten minutes are remembered.
    """

    columns = ("broker", "topic", "end_us", "outcome")

    def __init__(self, brokers: Iterable[str], topics: Iterable[str]) -> None:
        self._brokers = {name: place for place, name in enumerate(brokers)}
        self._topics = {name: place for place, name in enumerate(topics)}
        self._seconds: dict[int, np.ndarray] = defaultdict(self._none)
        self._first_s: int | None = None

    def _none(self) -> np.ndarray:
        return np.zeros((len(self._brokers), len(self._topics)), np.int64)

    def add(self, batch: pa.RecordBatch) -> None:
        """Take more attempts."""
        second = numbers(batch.column("end_us")) // US_PER_S
        if len(second) and self._first_s is None:
            self._first_s = int(second.min())
        stored = codes(batch.column("outcome"), ANSWERED, strict=False) >= 0
        topic = codes(batch.column("topic"), self._topics, strict=False)
        stored &= topic >= 0
        places = codes(batch.column("broker"), self._brokers), topic
        found = Counter(zip(*(part[stored].tolist() for part in (second, *places)), strict=True))
        for (at_s, broker, of_topic), count in found.items():
            self._seconds[at_s][broker, of_topic] += count

    def per_s(self, span_s: int, clock_us: int) -> np.ndarray | None:
        """float64[brokers, topics]: a second, over the whole seconds of the span before the clock that were seen.

        None before there was one.
        """
        until_s = clock_us // US_PER_S
        for second in [second for second in self._seconds if second < until_s - max(SPANS_S)]:
            del self._seconds[second]
        if self._first_s is None or until_s <= self._first_s:
            return None
        begin_s = max(until_s - span_s, self._first_s)
        counts = sum((self._seconds[at_s] for at_s in range(begin_s, until_s) if at_s in self._seconds), self._none())
        return counts / (until_s - begin_s)

    def metrics(self, clock_us: int) -> Iterable[Metric]:
        """The exporter's gauges of brokers and topics; nothing before a second of virtual time was seen."""
        minute = self.per_s(MINUTE_S, clock_us)
        if minute is None:
            return
        tps = GaugeMetricFamily("rocketmq_broker_tps", MetricTexts.BROKER_TPS(), labels=OF_BROKER)
        topics = GaugeMetricFamily("rocketmq_producer_tps", MetricTexts.TOPIC_TPS(), labels=TOPIC_OFFSET)
        for broker, at in self._brokers.items():
            tps.add_metric([CLUSTER, broker, broker], float(minute[at].sum()))
            for topic, column in self._topics.items():
                topics.add_metric([CLUSTER, broker, topic], float(minute[at, column]))
        yield from (tps, topics)
        for span_s in SPANS_S:
            rates = self.per_s(span_s, clock_us)
            name = f"rocketmq_brokeruntime_put_tps{span_s}"
            gauge = GaugeMetricFamily(name, MetricTexts.BROKER_TPS_OF_SPAN(span_s=span_s), labels=OF_RUNTIME)
            for broker, at in self._brokers.items():
                total = 0.0 if rates is None else float(rates[at].sum())
                gauge.add_metric([CLUSTER, broker, broker, "", "", ""], total)
            yield gauge
