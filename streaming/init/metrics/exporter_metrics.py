"""Metrics of the RocketMQ exporter as facts: the peak of a Prometheus range, or the one scrape of a text.

Source: apache/rocketmq-exporter, RMQMetricsCollector. Read are `rocketmq_producer_tps`, `_producer_message_size` (bytes
a second), `_broker_tps`, `_producer_count`, `_group_count`, `_group_diff`, `_consumer_tps`, `_client_consume_rt` (ms),
`_client_consume_ok_msg_tps`, `_producer_offset`, `_brokeruntime_put_tps10` and `_put_tps60` (messages a second),
`_brokeruntime_put_message_average_size`, `_brokeruntime_put_latency_99` (ms) and `_brokeruntime_pmdt_*` (puts by how
long they took).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from statistics import median

from streaming.errors import InputError
from streaming.importing.exporter_format import CLASS_MS, PUT_CLASS
from streaming.importing.texts.minute_sums import TpsUnit, unit_by, unit_by_figures, unit_by_fractions
from streaming.init.cluster_facts import BrokerFacts, ClusterFacts, Sourced
from streaming.init.metrics.prometheus_text import PREFIX, MetricSample, MetricSamples, Sums, latest, sums_of
from streaming.init.mqadmin.mqadmin_tables import release_in
from streaming.init.saved_part import SavedPart
from streaming.init.scenario_lines import ASSUMED
from streaming.init.texts.init_note_texts import InitNoteTexts
from streaming.init.texts.init_source_texts import InitSourceTexts
from streaming.texts.init_texts import InitTexts

GROWN_LEAST_S, GROWN_LEAST_PART = 120.0, 0.1
RUNTIME = "brokeruntime_"
PUT_RATES = (RUNTIME + "put_tps10", RUNTIME + "put_tps60", RUNTIME + "put_tps600")
SIZE, SLOWEST = RUNTIME + "put_message_average_size", RUNTIME + "put_latency_99"
READ = ("producer_tps", "broker_tps", "producer_count", "group_count", "group_diff", "consumer_tps",
        "client_consume_rt", *PUT_RATES[:2])  # fmt: skip
NAMED = ("broker_tps", "producer_tps", "producer_count", "producer_offset", "consumer_tps", "consumer_offset")
MODELS = {"0": "BROADCASTING", "1": "CLUSTERING"}  # MessageModel's order


def read(part: SavedPart, samples: MetricSamples, facts: ClusterFacts, *, is_all: bool = True) -> None:
    """Take a part's metrics; `is_all`: nothing else was read from it. Raises InputError if there is none."""
    if not samples.has(*READ):
        if is_all:
            raise InputError(InitTexts.NO_EXPORTER_METRIC().at(part.file))
        return
    ExporterPage(part, samples, facts).read()


class ExporterPage:
    """One part's samples, which become facts."""

    def __init__(self, part: SavedPart, samples: MetricSamples, facts: ClusterFacts) -> None:
        self._part, self._samples, self._facts = part, samples, facts

    def read(self) -> None:
        """Brokers first, as topics' names depend on them."""
        self._brokers()
        self._runtime()
        self._load()
        self._groups()
        self._grown()

    def _source(self, metric: str) -> str:
        return f"{self._part.name}: {PREFIX}{metric}"

    def _brokers(self) -> None:
        facts = self._facts
        clusters, masters = dict[str, str](), defaultdict[str, set[str]](set)
        for metric in NAMED:
            for one in self._samples[metric]:
                if name := one.labels.get("broker"):
                    address = one.labels.get("brokerIP") or None
                    facts.named_broker(name, address)
                    self._take_cluster(clusters, name, one.labels.get("cluster"))
                    if address and not facts.is_slave(address):
                        masters[name].add(address)
        self._note_former_masters(masters)
        for own in self._samples.by_metric.values():
            cluster = next((one.labels["cluster"] for one in own if one.labels.get("cluster")), None)
            if cluster is not None and facts.name is None:
                facts.name = Sourced(cluster, f"{self._part.name}: label cluster")
        several = sorted(set(clusters.values()))
        if len(several) > 1:
            names = ", ".join(several)
            facts.note(InitNoteTexts.SEVERAL_CLUSTERS(file=self._part.name, count=len(several), names=names))

    def _note_former_masters(self, masters: Mapping[str, set[str]]) -> None:
        """An exporter goes on printing the last figures of a master that was replaced (rocketmq-exporter #36)."""
        for name, addresses in masters.items():
            if len(addresses) > 1:
                listed = ", ".join(sorted(addresses))
                self._facts.note(InitNoteTexts.FORMER_MASTERS(file=self._part.name, broker=name, addresses=listed))

    def _take_cluster(self, clusters: dict[str, str], broker: str, cluster: str | None) -> None:
        """Raises InputError for a broker name in two clusters, whose samples are of two brokers."""
        if cluster and (first := clusters.setdefault(broker, cluster)) != cluster:
            raise InputError(
                InitTexts.SCRAPED_IN_TWO_CLUSTERS(name=broker, first=first, second=cluster).at(self._part.file)
            )

    def _runtime(self) -> None:
        """What the exporter asks each master for."""
        for one in self._samples[SLOWEST]:
            broker = self._at(one)
            if broker and one.value > 0 and (broker.put_99_ms is None or one.value > broker.put_99_ms.value):
                broker.put_99_ms = Sourced(
                    one.value, InitSourceTexts.HIGHEST(metric=f"{PREFIX}{SLOWEST}").at(self._part.name)
                )
        for one in self._samples[SIZE]:
            broker = self._at(one)
            if broker and one.value > 0:
                broker.stored_bytes = Sourced(one.value, self._source(SIZE))
        runtime = [one for name, own in self._samples.by_metric.items() if name.startswith(RUNTIME) for one in own]
        for one in runtime:
            broker, release = self._at(one), release_in(one.labels.get("des", ""))
            if broker and release:
                broker.release = broker.release or Sourced(release, f"{self._part.name}: label des")
        put: dict[str | None, dict[float, tuple[float, float]]] = defaultdict(dict)
        for label, longest_ms in CLASS_MS.items():
            for one in self._samples[PUT_CLASS.removeprefix(PREFIX) + label]:
                if one.labels.get("brokerIP") == "":
                    continue
                own = put[one.labels.get("brokerIP")]
                if one.value and (longest_ms not in own or (one.at_s or 0) >= own[longest_ms][0]):
                    own[longest_ms] = (one.at_s or 0, one.value)
        for address, classes in put.items():
            if not self._facts.is_slave(address):
                counts = {longest_ms: round(value) for longest_ms, (_, value) in classes.items()}
                self._facts.broker_at(address).put_ms = Sourced(counts, self._source(RUNTIME + "pmdt_*"))

    def _at(self, one: MetricSample) -> BrokerFacts | None:
        """The broker that was asked; None for a slave, and for one that the exporter knows no address of any more."""
        address = one.labels.get("brokerIP")
        return None if address == "" or self._facts.is_slave(address) else self._facts.broker_at(address)

    def _load(self) -> None:
        """The moment of the highest load of all topics together, and the topics' parts of it."""
        facts, samples = self._facts, self._samples
        own = [one for one in samples["producer_tps"] if facts.topic(one.labels.get("topic", "")) is not None]
        puts = {name: [one for one in samples[name] if one.labels.get("brokerIP") != ""] for name in PUT_RATES}
        put = next((name for name, of_known in puts.items() if any(one.value for one in of_known)), None)
        unit, by_broker = self._unit("producer_tps"), self._unit("broker_tps")
        topics = {at_s: {name: value / unit.divisor for name, value in load.items()}
                  for at_s, load in sums_of(own, lambda one: one.labels["topic"]).items()}  # fmt: skip
        # Now, while the stretches of the put rates are of up to ten minutes.
        is_idle = not any(one.value for one in own)
        if put is not None and (unit.is_sum or is_idle):
            self._peak(sums_of(puts[put], lambda one: ""), put, "")
        elif own:
            self._peak({at_s: {"": sum(load.values())} for at_s, load in topics.items()}, "producer_tps", unit.why,
                       is_sure=unit.is_sure)  # fmt: skip
        elif samples["broker_tps"]:
            scaled = {at_s: {"": load[""] / by_broker.divisor}
                      for at_s, load in sums_of(samples["broker_tps"], lambda one: "").items()}  # fmt: skip
            self._peak(scaled, "broker_tps", by_broker.why, is_sure=by_broker.is_sure)
        self._broker_loads(put, by_broker)
        sums = [
            f"{PREFIX}{name}" for name, known in (("producer_tps", unit), ("broker_tps", by_broker)) if known.is_sum
        ]
        if sums:
            why = unit.why if unit.is_sum else by_broker.why
            facts.note(InitNoteTexts.SUM_OF_A_MINUTE(file=self._part.name, metrics=", ".join(sums), why=why))
        if topics:
            self._topics(topics, unit)

    def _unit(self, metric: str) -> TpsUnit:
        """What a `_tps` metric is: by the broker's own put rates, the offsets' growth, other files, other metrics."""
        samples, values = self._samples, sums_of(self._samples[metric], lambda one: "")
        if unit := unit_by_fractions(one.value for one in samples[metric]):
            return unit
        usual = median(load[""] for load in values.values())
        for name in (PUT_RATES[1], PUT_RATES[0], PUT_RATES[2]):
            known = sums_of(samples[name], lambda one: "")
            both = [at_s for at_s in values if at_s in known] or None
            per_s = median(known[at_s][""] for at_s in both) if both else 0.0
            if unit := unit_by(usual, per_s, f"{PREFIX}{name}"):
                return unit
        if metric == "producer_tps" and (unit := unit_by(usual, self._offsets_per_s(), f"{PREFIX}producer_offset")):
            return unit
        best = max((own for own in self._facts.per_s if own.is_sure), key=lambda own: own.value, default=None)
        if best and (unit := unit_by(usual, best.value, best.source.partition(":")[0])):
            return unit
        other = "broker_tps" if metric == "producer_tps" else "producer_tps"
        others = sums_of(samples[other], lambda one: "")
        per_s = median(load[""] for load in others.values()) if others else 0.0
        if (unit := unit_by(usual, per_s, f"{PREFIX}{other}")) and unit.is_sum:
            return unit
        if (swapped := unit_by(per_s, usual, f"{PREFIX}{metric}")) and swapped.is_sum:
            return TpsUnit(1.0, "")
        names = ("producer_tps", "broker_tps", "consumer_tps")
        return unit_by_figures(one.value for name in names for one in samples[name])

    def _offsets_per_s(self) -> float:
        """By how much the topics' offsets grew a second over a range."""
        own = [one for one in self._samples["producer_offset"] if self._facts.topic(one.labels.get("topic", ""))]
        seen = sorted((at_s, load[""]) for at_s, load in sums_of(own, lambda one: "").items() if at_s is not None)
        if len(seen) < 2 or seen[-1][0] <= seen[0][0]:
            return 0.0
        return (seen[-1][1] - seen[0][1]) / (seen[-1][0] - seen[0][0])

    def _peak(self, totals: Sums, metric: str, why: str, *, is_sure: bool = True) -> None:
        peak_s, peak = max(((at_s, load[""]) for at_s, load in totals.items()), key=lambda own: own[1])
        usual = median(load[""] for load in totals.values())
        when = "" if peak_s is None else f" at {datetime.fromtimestamp(peak_s, UTC):%Y-%m-%d %H:%M:%S} UTC"
        own = self._source(metric)
        source = InitSourceTexts.ONE_SCRAPE(source=own, when=when)
        if len(totals) > 1:
            source = InitSourceTexts.PEAK(source=own, count=len(totals), when=when, usual=usual)
        if why:
            source = InitSourceTexts.BECAUSE(source=source, why=why)
        self._facts.per_s.append(Sourced(peak, source if is_sure else source.at(ASSUMED), is_sure=is_sure))

    def _broker_loads(self, put: str | None, unit: TpsUnit) -> None:
        """What each broker stores a second, at its peak."""
        for metric, divisor in ((put, 1.0), ("broker_tps", unit.divisor)):
            for one in self._samples[metric] if metric else ():
                broker = self._at(one)
                value = one.value / divisor
                if broker and (broker.put_per_s is None or value > broker.put_per_s.value):
                    broker.put_per_s = Sourced(value, self._source(str(metric)))
            if any(broker.put_per_s for broker in self._facts.brokers.values()):
                return

    def _topics(self, topics: Sums, unit: TpsUnit) -> None:
        peak_s = max(topics, key=lambda at_s: sum(topics[at_s].values()))
        sizes = sums_of(self._samples["producer_message_size"], lambda one: one.labels["topic"]).get(peak_s, {})
        for name, per_s in topics[peak_s].items():
            found = self._facts.topic(name)
            if found is None:
                continue
            source = InitSourceTexts.AT_THE_PEAK(source=self._source("producer_tps"), topic=name)
            found.per_s = Sourced(per_s, source, is_sure=unit.is_sure)
            if per_s and sizes.get(name):
                size = sizes[name] / unit.divisor / per_s
                found.stored_bytes = Sourced(size, self._source("producer_message_size"))

    def _groups(self) -> None:
        facts, samples = self._facts, self._samples
        for one in samples["producer_count"]:
            producers = facts.producer(one.labels["group"])
            if producers is not None and (producers.count is None or one.value > producers.count.value):
                source = InitSourceTexts.MOST_ON_A_BROKER(source=self._source("producer_count"))
                producers.count = Sourced(round(one.value), source)
        # The exporter also counts topics as groups, without an instance.
        for one in samples["group_count"]:
            group = facts.consumer(one.labels["group"]) if one.value else None
            if group is not None:
                group.count = Sourced(round(one.value), self._source("group_count"))
        self._behind()
        read = [one for one in samples["consumer_tps"] if not one.labels["topic"].startswith("%")]
        unit = self._consumed_unit(read)
        for name, per_s in latest(sums_of(read, lambda one: one.labels["group"])).items():
            if group := facts.consumer(name):
                group.per_s = Sourced(per_s / unit.divisor, self._source("consumer_tps"), is_sure=unit.is_sure)
        for one in read:
            if (group := facts.consumer(one.labels["group"])) and facts.topic(one.labels["topic"]) is not None:
                group.topics.setdefault(one.labels["topic"], self._source("consumer_tps"))
        times: dict[str, list[float]] = defaultdict(list)
        for one in samples["client_consume_rt"]:
            if one.value > 0 and facts.topic(one.labels["topic"]) is not None:
                times[one.labels["group"]].append(one.value)
        for name, values in times.items():
            if group := facts.consumer(name):
                source = InitSourceTexts.MEDIAN_OF(count=len(values), metric=f"{PREFIX}client_consume_rt")
                group.service_ms = Sourced(median(values), source.at(self._part.name))

    def _consumed_unit(self, read: list[MetricSample]) -> TpsUnit:
        """Of consumer_tps: by what the clients count, else as producer_tps, which the same builds print."""
        known = latest(sums_of(self._samples["client_consume_ok_msg_tps"], lambda one: ""))
        total = latest(sums_of(read, lambda one: ""))
        by_clients = unit_by(total.get("", 0.0), known.get("", 0.0), f"{PREFIX}client_consume_ok_msg_tps")
        return by_clients or self._unit("producer_tps" if self._samples["producer_tps"] else "consumer_tps")

    def _behind(self) -> None:
        """Topics of groups, their model, and how far behind they were at the end."""
        facts, diffs = self._facts, list[MetricSample]()
        for one in self._samples["group_diff"]:
            group, topic = facts.consumer(one.labels["group"]), one.labels["topic"]
            if group is None or facts.topic(topic) is None:
                continue
            group.topics.setdefault(topic, self._source("group_diff"))
            online = one.labels.get("countOfOnlineConsumers", "")
            if group.count is None and online.isdigit() and int(online):
                group.count = Sourced(int(online), f"{self._source('group_diff')}, label countOfOnlineConsumers")
            if model := MODELS.get(one.labels.get("msgModel", "")):
                group.model = Sourced(model, f"{self._source('group_diff')}, label msgModel")
            if one.value < 0:
                facts.note(
                    InitNoteTexts.BEYOND_THE_END(
                        place=self._part.name, metric=f"{PREFIX}group_diff", group=one.labels["group"], topic=topic,
                        count=one.value,
                    )
                )  # fmt: skip
            else:
                diffs.append(one)
        last = _last_of(diffs, lambda one: (one.labels["group"], one.labels["topic"]))
        behind: dict[str, float] = defaultdict(float)
        for one in last:
            behind[one.labels["group"]] += one.value
        for name, total in behind.items():
            facts.consumers[name].behind = Sourced(round(total), self._source("group_diff"))

    def _grown(self) -> None:
        """Groups whose backlog grew over the range: they consume what is left of the load, and can no more."""
        divisor = self._unit("producer_tps").divisor
        sent = sums_of(self._samples["producer_tps"], lambda one: one.labels["topic"])
        behind: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
        for one in self._samples["group_diff"]:
            if one.at_s is not None and one.value >= 0:
                behind[one.labels["group"], one.labels["topic"]].append((one.at_s, one.value))
        for (name, topic), seen in behind.items():
            (begin_s, first), (end_s, last) = min(seen), max(seen)
            group = self._facts.consumer(name)
            loads = [load[topic] / divisor for at_s, load in sent.items() if at_s is not None and topic in load]
            if group is None or end_s - begin_s < GROWN_LEAST_S or not loads:
                continue
            load, growth = median(loads), (last - first) / (end_s - begin_s)
            if GROWN_LEAST_PART * load < growth < load:
                source = InitSourceTexts.WHAT_IS_LEFT(load=load, growth=growth, consumed=load - growth)
                group.at_capacity_per_s = Sourced(load - growth, source.at(self._part.name))


def _last_of(samples: list[MetricSample], key: Callable[[MetricSample], tuple[str, str]]) -> list[MetricSample]:
    found: dict[tuple[str, str], MetricSample] = {}
    for one in samples:
        own = found.get(key(one))
        if own is None or (one.at_s or 0) >= (own.at_s or 0):
            found[key(one)] = one
    return list(found.values())
