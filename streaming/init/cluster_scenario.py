"""Facts of a cluster as the text of a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.scenario.reading.yaml_names import name_text
from simulator.units import format_size
from streaming.errors import InputError
from streaming.init.broker_keys import alone_in_their_set, settings_of
from streaming.init.broker_loads import idle_brokers, load_of
from streaming.init.chosen_values import (
    BROKERS,
    PRODUCERS,
    QUEUES,
    OperatorAnswers,
    client_release,
    known_release,
    latency_of,
    rate_text,
    sender_threads,
    topic_weights,
    total_rate,
)
from streaming.init.cluster_facts import BrokerFacts, ClusterFacts, ProducerFacts, Sourced, TopicFacts
from streaming.init.consumer_section import ConsumerSection
from streaming.init.scenario_lines import ScenarioLines, assumed, figure
from streaming.init.texts.init_note_texts import InitNoteTexts
from streaming.init.texts.init_source_texts import InitSourceTexts
from streaming.texts.init_texts import InitTexts

BYTES = 1_024  # of a message, where no file says its size
PERMISSIONS = {6: "rw", 7: "rw", 4: "r", 5: "r", 2: "w", 3: "w"}


@dataclass(frozen=True)
class ClusterScenario:
    """The text, the keys whose value is assumed, and what is noted of the files."""

    text: str
    assumed: tuple[str, ...]
    notes: tuple[str, ...] = ()


class ClusterWriter:
    """Writes one scenario. topics: names to keep, all if there are none.

    Raises InputError for a name that is not there.
    """

    def __init__(self, facts: ClusterFacts, answers: OperatorAnswers, topics: tuple[str, ...] = ()) -> None:
        unknown = next((name for name in topics if name not in facts.topics), None)
        if unknown is not None:
            raise InputError(
                InitTexts.NO_SUCH_TOPIC(known=", ".join(sorted(facts.topics)) or "none").at(f"--topic {unknown}")
            )
        self._facts, self._answers, self._out = facts, answers, ScenarioLines()
        self._brokers = self._named_brokers()
        self._idle = idle_brokers(self._brokers)
        self._topics = self._kept_topics(topics)
        self._rate = total_rate(facts, answers)
        self._weights = topic_weights(self._topics, facts)

    def write(self, sources: str) -> ClusterScenario:
        """The whole text; `sources` says what was read."""
        out = self._out
        out.comment(InitNoteTexts.WRITTEN_FROM(sources=sources))
        notes = (*self._facts.notes, *alone_in_their_set(self._brokers))
        for note in notes:
            out.comment(note)
        name = self._facts.name or assumed("my-cluster", "")
        out.value(0, "name", Sourced(name_text(name.value), name.source))
        out.value(0, "seed", Sourced(1, ""))
        out.value(0, "duration", assumed("5m", InitSourceTexts.LENGTH_OF_RUN()))
        self._client()
        self._producers()
        self._topic_lines()
        self._broker_lines()
        ConsumerSection(out, self._facts, self._topics).write()
        return ClusterScenario(out.text(), tuple(out.assumed), notes)

    def _named_brokers(self) -> dict[str, BrokerFacts]:
        known = {name.replace(":", "-"): broker for name, broker in sorted(self._facts.brokers.items())}
        own = {name: broker for name, broker in known.items() if broker.has_master}
        if lost := sorted(set(known) - set(own)):
            if not own:
                raise InputError(InitTexts.SLAVES_ALONE(brokers=", ".join(lost)))
            source = next(iter(known[lost[0]].members.values()))
            self._facts.note(InitNoteTexts.WITHOUT_MASTER(brokers=", ".join(lost), source=source))
        answered = self._answers.brokers
        if answered is not None and own and len(own) != answered.value:
            raise InputError(
                InitTexts.BROKERS_KNOWN(count=len(own), brokers=", ".join(own)).at(f"--brokers {answered.value}")
            )
        if own:
            return own
        count = answered or assumed(BROKERS, InitSourceTexts.NO_BROKER())
        if "assumed" in count.source:
            self._out.assumed.append(InitSourceTexts.BROKERS_GIVEN(count=count.value))
        return {
            f"broker-{chr(ord('a') + i) if count.value <= 26 else i + 1}": BrokerFacts() for i in range(count.value)
        }

    def _kept_topics(self, asked: tuple[str, ...]) -> dict[str, TopicFacts]:
        """Those asked for, or those that have messages or readers; one where no file names any."""
        facts = self._facts
        if asked:
            return {name: facts.topics[name] for name in asked}
        read = {topic for group in facts.consumers.values() for topic in group.topics}
        idle = [
            name
            for name, topic in facts.topics.items()
            if name not in read
            and (topic.stored is not None or topic.per_s is not None)
            and not (topic.stored and topic.stored.value)
            and not (topic.per_s and topic.per_s.value)
        ]
        kept = {name: topic for name, topic in sorted(facts.topics.items()) if name not in idle}
        if idle and kept:
            facts.notes.append(InitNoteTexts.IDLE_TOPICS(topics=", ".join(sorted(idle))))
        if kept:
            return kept
        self._out.assumed.append(InitSourceTexts.TOPIC_ORDERS())
        return {"orders": TopicFacts()}

    def _client(self) -> None:
        out, known = self._out, dict(self._facts.client)
        known["release"] = client_release(self._facts, self._answers)
        known.setdefault("send_latency_fault_enable", assumed(False, InitSourceTexts.CLIENT_DEFAULT()))
        known.setdefault("send_msg_timeout", assumed("3s", InitSourceTexts.CLIENT_DEFAULT()))
        out.plain("client:")
        for key in sorted(known, key=lambda key: key != "release"):
            out.value(2, key, known[key])

    def _producers(self) -> None:
        out, groups = self._out, dict(sorted(self._facts.producers.items()))
        answered = self._answers.producers
        if answered is not None or not groups:
            count = answered or assumed(PRODUCERS, InitSourceTexts.NO_PRODUCERS())
            groups = {"producers": ProducerFacts(count=count)}
        total = sum(self._count(group) for group in groups.values())
        out.comment(InitNoteTexts.LOAD_IN_ALL(per_s=figure(self._rate.value), source=self._rate.source))
        if self._rate.source.startswith("assumed"):
            out.assumed.append(InitSourceTexts.LOAD_OF_ALL(rate=rate_text(self._rate.value)))
        out.plain("producers:")
        for name, group in groups.items():
            self._group(name, group, total, len(groups))

    @staticmethod
    def _count(group: ProducerFacts) -> int:
        return group.count.value if group.count else 1

    def _group(self, name: str, group: ProducerFacts, total: int, groups: int) -> None:
        out, count = self._out, group.count or assumed(1, "")
        own = {topic: group.topics[topic] for topic in group.topics if topic in self._topics}
        per_s = group.rate_per_s or self._share(own, total, groups)
        out.value(2, "group", Sourced(name_text(name), ""), dash=True)
        out.value(4, "count", count)
        if group.mode is not None:
            out.value(4, "mode", group.mode)
        out.value(4, "threads", group.threads or sender_threads(per_s.value))
        out.value(4, "rate", Sourced(rate_text(per_s.value), per_s.source))
        if len(self._topics) > 1 and len(own) == 1:
            out.value(
                4,
                "topics",
                Sourced(f"[{name_text(next(iter(own)))}]", f"{group.count.source if group.count else ''} -t"),
            )
        elif len(self._topics) > 1:
            weights = own if len(own) > 1 else self._weights.value
            parts = ", ".join(f"{name_text(topic)}: {weight:g}" for topic, weight in weights.items())
            out.value(4, "topics", Sourced(f"{{{parts}}}", "" if own else self._weights.source))

    def _share(self, own: Mapping[str, float], total: int, groups: int) -> Sourced[float]:
        """Messages a second of one producer of a group."""
        senders = {
            topic: sum(
                self._count(group)
                for group in self._facts.producers.values()
                if not group.topics or topic in group.topics
            )
            for topic in own
        }
        if own and self._answers.producers is None:
            weights = self._weights.value
            per_s = sum(self._rate.value * weights[topic] / sum(weights.values()) / senders[topic] for topic in own)
            return Sourced(per_s, InitSourceTexts.RATE_OF_TOPICS(topics=", ".join(own), count=sum(senders.values())))
        over = InitSourceTexts.ALL_OVER if groups == 1 else InitSourceTexts.ALL_OVER_GROUPS
        return Sourced(self._rate.value / total, over(count=total))

    def _topic_lines(self) -> None:
        out = self._out
        out.plain("topics:")
        for name, topic in self._topics.items():
            out.plain(f"  {name_text(name)}:")
            self._queues(topic)
            every = [*self._brokers.values(), self._facts.all_brokers]
            sizes = [own.stored_bytes for own in every if own.stored_bytes]
            size = topic.stored_bytes or (max(sizes, key=lambda known: known.value) if sizes else None)
            if topic.body_bytes is not None:
                out.value(4, "message_bytes", Sourced(f"{topic.body_bytes.value}B", topic.body_bytes.source))
            elif size is None:
                out.value(4, "message_bytes", assumed(format_size(BYTES), InitSourceTexts.NO_SIZE()))
            else:
                stored = InitSourceTexts.STORED_SIZE(source=size.source)
                out.value(4, "message_bytes", Sourced(f"{round(size.value)}B", stored))
            self._tags(name)

    def _tags(self, topic: str) -> None:
        """The tags that groups ask for, which is all that files say of a topic's tags."""
        asked = [own.expressions[topic] for own in self._facts.consumers.values() if topic in own.expressions]
        tags = sorted({tag for known in asked for tag in known.value.split(" || ")})
        if tags:
            why = InitTexts.TAGS_ALIKE()
            self._out.value(4, "tags", assumed(f"[{', '.join(map(name_text, tags))}]", why))

    def _queues(self, topic: TopicFacts) -> None:
        out, seen = self._out, {name: own for name, own in topic.queues.items() if name in self._brokers}
        if not seen:
            defaults = {own.default_queues for own in self._brokers.values() if own.default_queues}
            answered = self._answers.queues
            count = min(defaults) if defaults else QUEUES
            out.value(4, "queues", answered or assumed(count, InitSourceTexts.NO_QUEUES()))
            if self._idle:
                busy = ", ".join(name_text(name) for name in self._brokers if name not in self._idle)
                source = next(own.put_per_s.source for own in self._brokers.values() if own.put_per_s)
                why = InitSourceTexts.NOTHING_STORED(source=source, brokers=", ".join(self._idle))
                out.value(4, "brokers", Sourced(f"[{busy}]", why))
            return
        alike = {(own.read, own.write) for own in seen.values()}
        if len(alike) == 1 and all(own.read == own.write and own.permission in (6, 7) for own in seen.values()):
            out.value(4, "queues", Sourced(alike.pop()[0], topic.queues_source))
            if set(seen) != set(self._brokers):
                names = ", ".join(name_text(name) for name in sorted(seen))
                out.value(4, "brokers", Sourced(f"[{names}]", topic.queues_source))
            return
        out.comment(topic.queues_source, 4)
        out.plain("    route:")
        for broker, own in sorted(seen.items()):
            permission = PERMISSIONS.get(own.permission, "none")
            out.plain(f"      - {{broker: {name_text(broker)}, read_queues: {own.read}, write_queues: {own.write},"
                      f" permission: {permission}}}")  # fmt: skip

    def _broker_lines(self) -> None:
        out, written = self._out, dict[str, list[tuple[str, Sourced[Any]]]]()
        out.plain("brokers:")
        for name, broker in self._brokers.items():
            values = self._broker_values(broker)
            same = next((other for other, own in written.items() if _values(own) == _values(values)), None)
            if same is not None:
                if name in self._idle and broker.put_per_s:
                    out.comment(self._stored_nothing(name, name, broker.put_per_s.source), 2)
                out.plain(f"  {name_text(name)}: {{like: {name_text(same)}}}")
                continue
            near = next((other for other, own in written.items() if _settings(own) == _settings(values)), None)
            written[name] = values
            out.plain(f"  {name_text(name)}:")
            if near is not None:
                out.value(4, "like", Sourced(name_text(near), ""))
                values = [(key, known) for key, known in values if key == "latency"]
            if broker.put_per_s and name in self._idle:
                out.comment(self._stored_nothing("it", name, broker.put_per_s.source), 4)
            elif broker.put_per_s:
                stored = InitNoteTexts.STORED(per_s=figure(broker.put_per_s.value), source=broker.put_per_s.source)
                out.comment(stored, 4)
            for key, known in values:
                out.value(4, key, known)

    def _stored_nothing(self, broker: str, name: str, source: str) -> str:
        """What is noted of an idle broker, which a topic's route may name nevertheless. broker: what it is called."""
        topics = [topic for topic, own in self._topics.items() if name in own.queues and own.queues[name].write]
        if not topics:
            return InitNoteTexts.STORED_NOTHING(broker=broker, source=source)
        return InitNoteTexts.STORED_NOTHING_ROUTED(broker=broker, source=source, topics=", ".join(topics))

    def _broker_values(self, broker: BrokerFacts) -> list[tuple[str, Sourced[Any]]]:
        release = broker.release
        found: list[tuple[str, Sourced[Any]]] = []
        if release and (known := known_release(release.value)):
            source = release.source
            if known != release.value:
                source = InitSourceTexts.NEAREST_RELEASE(source=source, release=release.value)
            found.append(("release", Sourced(known, source)))
        of_all = self._facts.all_brokers
        found.append(("latency", latency_of(broker, of_all, load_of(broker, self._brokers, self._rate.value))))
        return found + sorted(settings_of(broker, of_all).items())


def _settings(own: list[tuple[str, Sourced[Any]]]) -> list[tuple[str, Any]]:
    return [(key, known.value) for key, known in own if key != "latency"]


def _values(own: list[tuple[str, Sourced[Any]]]) -> list[tuple[str, Any]]:
    return [(key, known.value) for key, known in own]
