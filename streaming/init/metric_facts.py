"""Metrics of the RocketMQ exporter as facts: the peak of a Prometheus range, or the one scrape of a text.

Source: apache/rocketmq-exporter, RMQMetricsCollector. Read are `rocketmq_producer_tps`, `_producer_message_size` (bytes
a second), `_broker_tps`, `_producer_count`, `_group_count`, `_group_diff`, `_consumer_tps`, `_client_consume_rt` (ms),
`_brokeruntime_put_latency_99` (ms) and `_brokeruntime_pmdt_*` (puts by how long they took).
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from streaming.errors import InputError
from streaming.importing.exporter_format import CLASS_MS, PUT_CLASS
from streaming.init.cluster_facts import ClusterFacts, Sourced
from streaming.init.mqadmin_tables import release_in
from streaming.init.saved_part import SavedPart

PREFIX = "rocketmq_"
GROWN_LEAST_S, GROWN_LEAST_PART = 120.0, 0.1
GROUP_LEVEL = ("producer_count", "group_count", "group_diff", "consumer_tps", "client_consume_rt")


@dataclass(frozen=True)
class MetricSample:
    """One value: metric without its prefix, labels, seconds since 1970 (None in a text without times)."""

    metric: str
    labels: Mapping[str, str]
    at_s: float | None
    value: float


def is_answer(part: SavedPart) -> bool:
    """An answer of Prometheus' HTTP API."""
    text = part.text.lstrip()
    return text.startswith("{") and '"status"' in text[:200]


def read_answer(part: SavedPart, facts: ClusterFacts) -> None:
    """Of /api/v1/query_range or /api/v1/query. Raises InputError."""
    try:
        answer = json.loads(part.text)
    except ValueError as error:
        raise InputError(f"{part.file}: Prometheus' answer is cut off or no JSON ({error}); save it again") from None
    if answer.get("status") != "success":
        raise InputError(f"{part.file}: Prometheus answered an error: {answer.get('error', 'without a reason')}")
    try:
        samples = list(_answered(answer["data"]["result"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(
            f"{part.file}: expected data.result with metric and values, as /api/v1/query_range answers"
        ) from None
    _take(part, samples, facts)


def _answered(result: list[dict[str, Any]]) -> Iterator[MetricSample]:
    for series in result:
        labels = dict(series["metric"])
        name = labels.pop("__name__", "")
        for at_s, value in series.get("values") or [series["value"]]:
            yield MetricSample(name.removeprefix(PREFIX), labels, float(at_s), float(value))


def is_exposition(part: SavedPart) -> bool:
    """Prometheus' text format: /federate, or the exporter's own page."""
    return any(line.startswith(PREFIX) and ("{" in line or " " in line) for line in part.lines)


def read_exposition(part: SavedPart, facts: ClusterFacts) -> None:
    """Raises InputError with the line of what is no sample."""
    samples = []
    for number, line in enumerate(part.lines):
        if not line.startswith(PREFIX):
            continue
        try:
            for family in text_string_to_metric_families(line + "\n"):
                samples += [
                    MetricSample(
                        one.name.removeprefix(PREFIX), one.labels,
                        None if one.timestamp is None else float(one.timestamp), one.value,
                    )
                    for one in family.samples
                ]  # fmt: skip
        except (ValueError, KeyError, IndexError):
            raise InputError(
                f'{part.place(number)}: expected a sample such as rocketmq_broker_tps{{broker="broker-a"}} 12.5, got'
                f" {line[:60]!r}; save the whole page"
            ) from None
    _take(part, samples, facts)


def _take(part: SavedPart, samples: list[MetricSample], facts: ClusterFacts) -> None:
    sound = [one for one in samples if math.isfinite(one.value)]
    if not any(one.metric in ("producer_tps", "broker_tps", *GROUP_LEVEL) for one in sound):
        raise InputError(
            f"{part.file}: has no metric of the RocketMQ exporter that is read, such as rocketmq_producer_tps;"
            ' query {__name__=~"rocketmq_.*"}'
        )
    by_metric: dict[str, list[MetricSample]] = defaultdict(list)
    for one in sound:
        by_metric[one.metric].append(one)
    _brokers(part, by_metric, facts)
    _load(part, by_metric, facts)
    _groups(part, by_metric, facts)


def _brokers(part: SavedPart, by_metric: Mapping[str, list[MetricSample]], facts: ClusterFacts) -> None:
    for one in by_metric["broker_tps"]:
        facts.named_broker(one.labels["broker"], one.labels.get("brokerIP"))
        if "cluster" in one.labels:
            facts.name = facts.name or Sourced(one.labels["cluster"], part.name)
    for one in by_metric["brokeruntime_put_latency_99"]:
        broker = facts.broker_at(one.labels.get("brokerIP"))
        if release := release_in(one.labels.get("des", "")):
            broker.release = broker.release or Sourced(release, f"{part.name}: label des")
        if one.value > 0 and (broker.put_99_ms is None or one.value > broker.put_99_ms.value):
            broker.put_99_ms = Sourced(one.value, f"{part.name}: the highest {PREFIX}brokeruntime_put_latency_99")
    latest: dict[str | None, dict[float, tuple[float, float]]] = defaultdict(dict)
    for label, longest_ms in CLASS_MS.items():
        for one in by_metric[PUT_CLASS.removeprefix(PREFIX) + label]:
            own = latest[one.labels.get("brokerIP")]
            if one.value and (longest_ms not in own or (one.at_s or 0) >= own[longest_ms][0]):
                own[longest_ms] = (one.at_s or 0, one.value)
    for address, classes in latest.items():
        counts = {longest_ms: round(value) for longest_ms, (_, value) in classes.items()}
        facts.broker_at(address).put_ms = Sourced(counts, f"{part.name}: {PUT_CLASS}*")


def _load(part: SavedPart, by_metric: Mapping[str, list[MetricSample]], facts: ClusterFacts) -> None:
    """The moment of the highest load of all topics together, and the topics' parts of it."""
    loads = [one for one in by_metric["producer_tps"] if facts.topic(one.labels.get("topic", "")) is not None]
    totals = _sums(loads or by_metric["broker_tps"], lambda one: "")
    if not totals:
        return
    name = f"{PREFIX}{'producer_tps' if loads else 'broker_tps'}"
    peak_s, peak = max(((at_s, load[""]) for at_s, load in totals.items()), key=lambda own: own[1])
    usual = median(load[""] for load in totals.values())
    when = "" if peak_s is None else f" at {datetime.fromtimestamp(peak_s, UTC):%Y-%m-%d %H:%M:%S} UTC"
    several = (
        f"the peak of {len(totals)} scrapes{when}, median {usual:,.1f}/s" if len(totals) > 1 else f"one scrape{when}"
    )
    facts.per_s.append(Sourced(peak, f"{part.name}: {name}, {several}"))
    sizes = _sums(by_metric["producer_message_size"], lambda one: one.labels["topic"]).get(peak_s, {})
    for topic, per_s in _sums(loads, lambda one: one.labels["topic"])[peak_s].items() if loads else ():
        found = facts.topic(topic)
        if found is None:
            continue
        found.per_s = Sourced(per_s, f"{part.name}: {name} of {topic} at the peak")
        if per_s and sizes.get(topic):
            found.stored_bytes = Sourced(sizes[topic] / per_s, f"{part.name}: {PREFIX}producer_message_size")


def _sums(
    samples: list[MetricSample], key: Callable[[MetricSample], str]
) -> dict[float | None, dict[str, float]]:  # fmt: skip
    found: dict[float | None, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for one in samples:
        found[one.at_s][key(one)] += one.value
    return found


def _groups(part: SavedPart, by_metric: Mapping[str, list[MetricSample]], facts: ClusterFacts) -> None:
    for one in by_metric["producer_count"]:
        producers = facts.producer(one.labels["group"])
        if producers is not None and (producers.count is None or one.value > producers.count.value):
            producers.count = Sourced(round(one.value), f"{part.name}: {PREFIX}producer_count, its most on a broker")
    # The exporter also counts topics as groups, without an instance.
    for one in by_metric["group_count"]:
        group = facts.consumer(one.labels["group"]) if one.value else None
        if group is not None:
            group.count = Sourced(round(one.value), f"{part.name}: {PREFIX}group_count")
    for one in by_metric["group_diff"]:
        group = facts.consumer(one.labels["group"])
        if group is not None and facts.topic(one.labels["topic"]) is not None:
            group.topics.setdefault(one.labels["topic"], f"{part.name}: {PREFIX}group_diff")
            group.behind = Sourced(round(one.value), f"{part.name}: {PREFIX}group_diff")
    _grown(part, by_metric, facts)
    for group_name, per_s in _latest_sums(by_metric["consumer_tps"]).items():
        if group := facts.consumer(group_name):
            group.per_s = Sourced(per_s, f"{part.name}: {PREFIX}consumer_tps")
    times: dict[str, list[float]] = defaultdict(list)
    for one in by_metric["client_consume_rt"]:
        if one.value > 0 and facts.topic(one.labels["topic"]) is not None:
            times[one.labels["group"]].append(one.value)
    for group_name, values in times.items():
        if group := facts.consumer(group_name):
            group.service_ms = Sourced(
                median(values), f"{part.name}: the median of {len(values)} {PREFIX}client_consume_rt"
            )


def _grown(part: SavedPart, by_metric: Mapping[str, list[MetricSample]], facts: ClusterFacts) -> None:
    """Groups whose backlog grew over the range: they consume what is left of the load, and can no more."""
    sent = _sums(by_metric["producer_tps"], lambda one: one.labels["topic"])
    behind: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for one in by_metric["group_diff"]:
        if one.at_s is not None:
            behind[one.labels["group"], one.labels["topic"]].append((one.at_s, one.value))
    for (name, topic), seen in behind.items():
        (begin_s, first), (end_s, last) = min(seen), max(seen)
        group = facts.consumer(name)
        loads = [load[topic] for at_s, load in sent.items() if at_s is not None and topic in load]
        if group is None or end_s - begin_s < GROWN_LEAST_S or not loads:
            continue
        load, growth = median(loads), (last - first) / (end_s - begin_s)
        if GROWN_LEAST_PART * load < growth < load:
            said = f"of {load:,.1f}/s its backlog grew by {growth:,.1f}/s, so it consumes {load - growth:,.1f}/s"
            group.at_capacity_per_s = Sourced(load - growth, f"{part.name}: {said}")


def _latest_sums(samples: list[MetricSample]) -> dict[str, float]:
    sums = _sums([one for one in samples if not one.labels["topic"].startswith("%")], lambda one: one.labels["group"])
    return dict(sums[max(sums, key=lambda at_s: at_s or 0)]) if sums else {}
