"""Which value a scenario gets where files say several things, one thing, or nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from simulator.releases.ledger import NEWEST, RELEASES
from simulator.units import format_rate
from streaming.init.cluster_facts import BrokerFacts, ClusterFacts, ConsumerFacts, Sourced, TopicFacts
from streaming.init.scenario_lines import assumed, oldest_taken
from streaming.init.texts.init_source_texts import InitSourceTexts

RATE_PER_S, PRODUCERS, BROKERS, QUEUES = 1_000.0, 10, 3, 8
THREAD_PER_S = 50  # what a sender thread does a second at 20 ms a message
PUT_P50_MS, PUT_P99_MS = 0.3, 3.0
BUSY_MOST = 0.3  # of the send threads, where a service time is assumed
SEND_THREADS = 4
P99_SIGMAS = 2.3263478740408408
SERVICE_MS, CONSUME_THREADS = 10.0, 20
SMALLEST_US = 10


@dataclass(frozen=True)
class OperatorAnswers:
    """What the operator says: options of the command, or answers to its questions. They win over files."""

    release: Sourced[str] | None = None
    brokers: Sourced[int] | None = None
    queues: Sourced[int] | None = None
    producers: Sourced[int] | None = None
    rate_per_s: Sourced[float] | None = None


def known_release(text: str) -> str | None:
    """The release itself, or the nearest older one that is modelled; None if all are newer."""
    own = _parts(text)
    older = [release for release in RELEASES if _parts(release) <= own]
    return text if text in RELEASES else older[-1] if older else None


def _parts(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split(".") if part.isdigit())


def client_release(facts: ClusterFacts, answers: OperatorAnswers) -> Sourced[str]:
    """Of the producers: answered, seen, or that of the consumers or brokers."""
    if answers.release is not None:
        return answers.release
    if "release" in facts.client:
        return facts.client["release"]
    seen = sorted({version for group in facts.producers.values() for version in group.versions}, key=_parts)
    if seen and (release := known_release(seen[0])):
        source = next(group.versions_source for group in facts.producers.values() if seen[0] in group.versions)
        known = f"{source}: {seen[0]}"
        return Sourced(release, oldest_taken(known, seen))
    of_groups = {group.version.value for group in facts.consumers.values() if group.version}
    of_consumers, of_brokers = InitSourceTexts.RELEASE_OF_CONSUMERS(), InitSourceTexts.RELEASE_OF_BROKERS()
    for versions, why in ((of_groups, of_consumers), (_broker_releases(facts), of_brokers)):
        found = [release for text in sorted(versions, key=_parts) if (release := known_release(text))]
        if found:
            return assumed(found[-1], why)
    return assumed(NEWEST, InitSourceTexts.NEWEST_RELEASE())


def _broker_releases(facts: ClusterFacts) -> set[str]:
    return {broker.release.value for broker in facts.brokers.values() if broker.release}


def total_rate(facts: ClusterFacts, answers: OperatorAnswers) -> Sourced[float]:
    """Messages a second of all producers together: the highest that a file says."""
    if answers.rate_per_s is not None:
        return answers.rate_per_s
    sure = [known for known in facts.per_s if known.is_sure]
    if facts.per_s:
        return max(sure or facts.per_s, key=lambda known: known.value)
    read = [group for group in facts.consumers.values() if group.per_s and group.per_s.value]
    if read:
        most = max(read, key=lambda group: group.per_s.value if group.per_s else 0)
        if most.per_s:
            return Sourced(most.per_s.value, InitSourceTexts.BUSIEST_GROUP().at(most.per_s.source))
    return assumed(RATE_PER_S, InitSourceTexts.NO_LOAD())


def topic_weights(topics: Mapping[str, TopicFacts], facts: ClusterFacts) -> Sourced[dict[str, float]]:
    """Each topic's part of the messages in percent."""
    rates = {name: topic.per_s for name, topic in topics.items() if topic.per_s}
    stored = {name: topic.stored for name, topic in topics.items() if topic.stored}
    seen: tuple[tuple[dict[str, float], str], ...] = (
        ({name: known.value for name, known in rates.items()}, _first_source(rates)),
        (
            {name: float(known.value) for name, known in stored.items()},
            InitSourceTexts.STORED(source=_first_source(stored)),
        ),
        (_consumed(topics, facts), InitSourceTexts.BUSIEST_GROUPS()),
    )
    for parts, source in seen:
        total = sum(parts.values())
        if total and len(parts) == len(topics):
            return Sourced({name: max(round(100 * part / total, 1), 0.1) for name, part in parts.items()}, source)
    if len(topics) == 1:
        return Sourced(dict.fromkeys(topics, 100.0), "")
    return assumed({name: round(100 / len(topics), 1) for name in topics}, InitSourceTexts.NO_PARTS())


def _first_source(known: Mapping[str, Sourced[Any]]) -> str:
    return next((own.source for own in known.values()), "")


def _consumed(topics: Mapping[str, TopicFacts], facts: ClusterFacts) -> dict[str, float]:
    found: dict[str, float] = {}
    for group in facts.consumers.values():
        if group.per_s and len(group.topics) == 1 and (topic := next(iter(group.topics))) in topics:
            found[topic] = max(found.get(topic, 0.0), group.per_s.value)
    return found


def rate_text(per_s: float) -> str:
    """Messages a second with three digits behind the point at most."""
    return format_rate(max(Fraction(round(per_s * 1000), 1000), Fraction(1, 1000)))


def sender_threads(per_s: float) -> Sourced[int]:
    """Enough of a producer for 20 ms a message."""
    return assumed(min(max(math.ceil(per_s / THREAD_PER_S), 1), 1024), InitSourceTexts.WORK_OF_A_THREAD())


def send_threads_of(broker: BrokerFacts) -> int:
    """What a scenario's broker will have: its own key or its release's default (1 up to 4.9.0)."""
    if "send_threads" in broker.settings:
        return max(int(broker.settings["send_threads"].value), 1)
    return 1 if broker.release and _parts(broker.release.value) <= (4, 9, 0) else SEND_THREADS


def latency_of(broker: BrokerFacts, of_all: BrokerFacts, per_s: float) -> Sourced[str]:
    """Service time of a send thread, as a scenario's distribution; assumed parts leave its threads mostly idle."""
    if found := broker.latency or of_all.latency:
        return found
    p50_ms, p99_ms, source = PUT_P50_MS, PUT_P99_MS, ""
    classes = broker.put_ms or of_all.put_ms
    top = broker.put_99_ms or of_all.put_99_ms
    if classes:
        p50_ms, is_below = _class_of(classes.value, 0.5)
        p99_ms = max(_class_of(classes.value, 0.99)[0], 1.0)
        p50_ms = PUT_P50_MS if is_below else p50_ms / 2
        source = classes.source
    if top:
        p99_ms, source = top.value, top.source
    p50_ms = min(p50_ms, p99_ms / 2)
    why = InitSourceTexts.P99_BY(source=source) if source else InitSourceTexts.NO_PUT_TIMES()
    fitting_ms = _mean_within(p50_ms, p99_ms, BUSY_MOST * 1000 * send_threads_of(broker) / per_s) if per_s else p50_ms
    if fitting_ms < p50_ms:
        why = InitSourceTexts.SO_SHORT(why=why, per_s=per_s, busy=BUSY_MOST)
        p99_ms, p50_ms = (p99_ms if source else p99_ms * fitting_ms / p50_ms), fitting_ms
    text = f"{{lognormal: {{p50: {_ms(p50_ms)}, p99: {_ms(p99_ms)}}}}}"
    return assumed(text, InitSourceTexts.P50_ASSUMED(why=why) if source else why)


def _class_of(classes: Mapping[float, int], share: float) -> tuple[float, bool]:
    """The longest time of the class that a share of the puts falls into, and whether that is below a millisecond."""
    total, seen = sum(classes.values()), 0
    for longest_ms in sorted(classes):
        seen += classes[longest_ms]
        if seen >= share * total:
            return longest_ms, longest_ms == 0.0
    return max(classes), False


def _mean_within(p50_ms: float, p99_ms: float, most_ms: float) -> float:
    """The median that keeps the mean of a lognormal below a bound, `p50_ms` if it is below already."""
    sigma = math.log(p99_ms / p50_ms) / P99_SIGMAS
    return min(p50_ms, most_ms / math.exp(sigma**2 / 2))


def _ms(value: float) -> str:
    return f"{max(round(value * 1000 / SMALLEST_US), 1) * SMALLEST_US / 1000:g}ms"


def service_of(group: ConsumerFacts, count: int) -> Sourced[str]:
    """How long a consume thread is at one message: measured, or short enough for what the group consumes."""
    if group.service_ms:
        return Sourced(_ms(group.service_ms.value), group.service_ms.source)
    per_s = group.per_s.value if group.per_s else 0.0
    if not per_s:
        return assumed(_ms(SERVICE_MS), InitSourceTexts.NO_SERVICE_TIME())
    most_ms = 1000 * count * CONSUME_THREADS / per_s
    bound = InitSourceTexts.SERVICE_BOUND(per_s=per_s, count=count, threads=CONSUME_THREADS, most_ms=most_ms)
    return assumed(_ms(min(SERVICE_MS, most_ms / 2)), bound)


def consume_threads(group: ConsumerFacts, count: int) -> Sourced[int]:
    """Threads of an instance: as many as what it consumes needs while its backlog grows, else the client's default."""
    if group.threads is not None:
        return group.threads
    full, service = group.at_capacity_per_s, group.service_ms
    if full is None or service is None:
        return assumed(CONSUME_THREADS, InitSourceTexts.CLIENT_DEFAULT())
    threads = min(max(round(full.value * service.value / 1000 / count), 1), 1000)
    return Sourced(threads, InitSourceTexts.BY_SERVICE_TIME(source=full.source))
