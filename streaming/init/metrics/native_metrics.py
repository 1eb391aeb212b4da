"""Metrics that brokers of 5.1 and later export themselves, as facts.

Source: rocketmq 5.1.0, 5.2.0 and 5.3.3, broker.metrics: BrokerMetricsConstant (names and labels), BrokerMetricsManager,
ConsumerLagCalculator. Read are `rocketmq_messages_in_total` and `_out_total`, `rocketmq_throughput_in_total` (bytes),
sum and count of `rocketmq_message_size` (bytes), `rocketmq_producer_connections`, `rocketmq_consumer_connections` and
`rocketmq_consumer_lag_messages`. Counters have a rate only between two moments; with metricsInDelta they are no totals,
so no rate is given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from statistics import median

from streaming.init.cluster_facts import ClusterFacts, ConsumerFacts, Sourced, TopicFacts
from streaming.init.metrics.prometheus_text import PREFIX, MetricSample, MetricSamples
from streaming.init.mqadmin.mqadmin_tables import release_in
from streaming.init.saved_part import SavedPart
from streaming.init.texts.init_note_texts import InitNoteTexts
from streaming.init.texts.init_source_texts import InitSourceTexts

IN, OUT, BYTES = "messages_in_total", "messages_out_total", "throughput_in_total"
PRODUCERS, CONSUMERS, LAG = "producer_connections", "consumer_connections", "consumer_lag_messages"
SIZES, SIZED = "message_size_sum", "message_size_count"
READ = (IN, OUT, BYTES, PRODUCERS, CONSUMERS, LAG, SIZES, SIZED)
YES = "true"
Rates = dict[float, dict[str, float]]


def read(part: SavedPart, samples: MetricSamples, facts: ClusterFacts) -> bool:
    """Take what brokers export; False if a part has none of it."""
    if not samples.has(*READ):
        return False
    NativePage(part, samples, facts).read()
    return True


class NativePage:
    """One part's samples of brokers, which become facts."""

    def __init__(self, part: SavedPart, samples: MetricSamples, facts: ClusterFacts) -> None:
        self._part, self._facts = part, facts
        self._samples = {name: [one for one in samples[name] if _is_own(one)] for name in READ}
        self._is_delta = any(one.labels.get("aggregation") == "delta" for one in samples[IN])

    def read(self) -> None:
        """Names, counts, backlogs and rates."""
        facts = self._facts
        for own in self._samples.values():
            for one in own:
                if one.labels.get("node_type", "broker") == "broker" and (name := one.labels.get("node_id")):
                    facts.broker(name)
                if facts.name is None and one.labels.get("cluster"):
                    facts.name = Sourced(one.labels["cluster"], f"{self._part.name}: label cluster")
        self._connections()
        self._behind()
        self._load()

    def _source(self, metric: str) -> str:
        return f"{self._part.name}: {PREFIX}{metric}"

    def _connections(self) -> None:
        """Every client is connected to each broker that it needs: the most on a broker is their number."""
        most = _most_on_a_broker(self._samples[PRODUCERS], lambda one: "")
        if most and not self._facts.producers and (group := self._facts.producer("producers")):
            source = InitSourceTexts.MOST_WITHOUT_GROUPS(source=self._source(PRODUCERS))
            group.count = Sourced(round(most[""]), source)
            versions = {release_in(one.labels.get("version", "").upper()) for one in self._samples[PRODUCERS]}
            group.versions |= {release for release in versions if release}
            group.versions_source = f"{self._source(PRODUCERS)}, label version"
        own = self._samples[CONSUMERS]
        for name, count in _most_on_a_broker(own, lambda one: one.labels["consumer_group"]).items():
            found = self._facts.consumer(name)
            if found is None:
                continue
            found.count = Sourced(round(count), InitSourceTexts.MOST_ON_A_BROKER(source=self._source(CONSUMERS)))
            mine = [one for one in own if one.labels["consumer_group"] == name]
            modes = {one.labels.get("consume_mode", "").upper() for one in mine} & {"PUSH", "PULL", "POP"}
            found.kind = modes.pop() if len(modes) == 1 else found.kind
            releases = sorted(filter(None, (release_in(one.labels.get("version", "").upper()) for one in mine)))
            if releases:
                found.version = found.version or Sourced(releases[0], f"{self._source(CONSUMERS)}, label version")

    def _behind(self) -> None:
        last = self._latest(LAG)
        behind: dict[str, float] = defaultdict(float)
        for one in last:
            name, topic = one.labels["consumer_group"], one.labels["topic"]
            group = self._facts.consumer(name)
            if group is None or self._facts.topic(topic) is None:
                continue
            group.topics.setdefault(topic, self._source(LAG))
            if one.value < 0:
                self._facts.note(
                    InitNoteTexts.BEYOND_THE_END(
                        place=self._part.name, metric=f"{PREFIX}{LAG}", group=name, topic=topic, count=one.value
                    )
                )
                continue
            behind[name] += one.value
        for name, total in behind.items():
            self._facts.consumers[name].behind = Sourced(round(total), self._source(LAG))

    def _latest(self, metric: str) -> list[MetricSample]:
        """The last sample of each series: brokers are scraped at moments of their own."""
        last: dict[tuple[tuple[str, str], ...], MetricSample] = {}
        for one in self._samples[metric]:
            labels = tuple(sorted(one.labels.items()))
            if labels not in last or (one.at_s or 0) >= (last[labels].at_s or 0):
                last[labels] = one
        return list(last.values())

    def _load(self) -> None:
        """The peak between two scrapes; of one page the topics' parts and sizes alone."""
        facts = self._facts
        for one in self._samples[IN]:
            facts.topic(one.labels.get("topic", ""))
        if self._is_delta:
            facts.note(InitNoteTexts.COUNTS_OF_EXPORTS(file=self._part.name, metric=f"{PREFIX}{IN}"))
            return
        own = [one for one in self._samples[IN] if facts.topic(one.labels.get("topic", "")) is not None]
        rates, sizes = _rates(own, lambda one: one.labels["topic"]), self._sizes()
        if not rates:
            self._shares(own)
        else:
            peak_s = max(rates, key=lambda at_s: sum(rates[at_s].values()))
            usual = median(sum(load.values()) for load in rates.values())
            when = f"{datetime.fromtimestamp(peak_s, UTC):%Y-%m-%d %H:%M:%S} UTC"
            source = InitSourceTexts.GROWTH_PEAK(source=self._source(IN), at=when, count=len(rates), usual=usual)
            facts.per_s.append(Sourced(sum(rates[peak_s].values()), source))
            for name, per_s in rates[peak_s].items():
                self._topic(name).per_s = Sourced(per_s, InitSourceTexts.GROWTH_AT_PEAK(source=self._source(IN)))
            for node, load in _rates(own, lambda one: one.labels.get("node_id", "")).get(peak_s, {}).items():
                if node:
                    facts.broker(node).put_per_s = Sourced(load, self._source(IN))
            self._consumed()
        for name, (size, evidence) in sizes.items():
            self._topic(name).stored_bytes = Sourced(size, evidence)

    def _topic(self, name: str) -> TopicFacts:
        return self._facts.topics[name]

    def _shares(self, own: list[MetricSample]) -> None:
        if not own:
            return
        totals: dict[str, float] = defaultdict(float)
        for one in own:
            totals[one.labels["topic"]] += one.value
        for name, total in totals.items():
            self._topic(name).stored = Sourced(round(total), InitSourceTexts.SINCE_START(source=self._source(IN)))
        self._facts.note(InitNoteTexts.COUNTS_SINCE_START(file=self._part.name, metric=f"{PREFIX}{IN}"))

    def _sizes(self) -> dict[str, tuple[float, str]]:
        """Stored bytes of a message of each topic, of all that came since the brokers' start, and their evidence."""
        found = dict[str, tuple[float, str]]()
        for metric, counted in ((SIZES, SIZED), (BYTES, IN)):
            sizes, counts = self._totals(metric), self._totals(counted)
            source = f"{self._source(metric)} over {PREFIX}{counted}"
            found |= {name: (sizes[name] / counts[name], source) for name in sizes if sizes[name] and counts.get(name)}
        return found

    def _totals(self, metric: str) -> dict[str, float]:
        totals: dict[str, float] = defaultdict(float)
        for one in self._latest(metric):
            topic = one.labels.get("topic", "")
            if self._facts.topic(topic) is not None:
                totals[topic] += one.value
        return totals

    def _consumed(self) -> None:
        own = [one for one in self._samples[OUT] if one.labels.get("consumer_group")]
        rates = _rates(own, lambda one: one.labels["consumer_group"])
        for name, per_s in (rates[max(rates)] if rates else {}).items():
            group: ConsumerFacts | None = self._facts.consumer(name)
            if group is not None:
                group.per_s = Sourced(per_s, InitSourceTexts.GROWTH_TO_END(source=self._source(OUT)))
        for one in own:
            found, topic = self._facts.consumer(one.labels["consumer_group"]), one.labels.get("topic", "")
            if found is not None and self._facts.topic(topic) is not None:
                found.topics.setdefault(topic, self._source(OUT))


def _is_own(one: MetricSample) -> bool:
    return one.labels.get("is_system", "").lower() != YES and one.labels.get("is_retry", "").lower() != YES


def _most_on_a_broker(samples: list[MetricSample], key: Callable[[MetricSample], str]) -> dict[str, float]:
    """The highest sum on a broker at a moment, by a key."""
    sums: dict[tuple[str, float, str], float] = defaultdict(float)
    for one in samples:
        sums[key(one), one.at_s or 0, one.labels.get("node_id", "")] += one.value
    most: dict[str, float] = {}
    for (name, _, _), value in sums.items():
        most[name] = max(most.get(name, 0.0), value)
    return most


def _rates(samples: list[MetricSample], key: Callable[[MetricSample], str]) -> Rates:
    """By how much counters grew a second up to each moment, by a key; a counter that fell began at 0 again."""
    series: dict[tuple[tuple[str, str], ...], list[tuple[float, float]]] = defaultdict(list)
    names: dict[tuple[tuple[str, str], ...], str] = {}
    for one in samples:
        if one.at_s is not None:
            labels = tuple(sorted(one.labels.items()))
            series[labels].append((one.at_s, one.value))
            names[labels] = key(one)
    steps = [end_s - begin_s for seen in series.values() for begin_s, end_s in pairwise(sorted(at for at, _ in seen))]
    step_s = min((step for step in steps if step > 0), default=0.0)
    begun_s = min((at_s for seen in series.values() for at_s, _ in seen), default=0.0)
    found: Rates = defaultdict(lambda: defaultdict(float))
    for labels, seen in series.items():
        for (begin_s, first), (end_s, last) in pairwise(sorted(seen)):
            if end_s > begin_s:
                grown = last - first if last >= first else last
                # Brokers are scraped at moments of their own: those within a step belong together.
                moment_s = begun_s + (end_s - begun_s + step_s / 1000) // step_s * step_s
                found[moment_s][names[labels]] += grown / (end_s - begin_s)
    return found
