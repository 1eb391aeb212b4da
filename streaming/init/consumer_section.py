"""Consumer groups of a cluster as lines of a scenario."""

from __future__ import annotations

import re
from collections.abc import Mapping

from simulator.releases.consumer_release import CONSUMERS
from simulator.scenario.consuming.group_backlog import BACKLOG_MAX
from simulator.scenario.consuming.handling import POP
from simulator.scenario.reading.yaml_names import WORDS, name_text, quoted
from streaming.init.chosen_values import consume_threads, known_release, service_of
from streaming.init.cluster_facts import ClusterFacts, ConsumerFacts, Sourced, TopicFacts
from streaming.init.proxies.proxy_section import grpc_of, over_proxies, write_proxies
from streaming.init.scenario_lines import ScenarioLines, assumed, figure
from streaming.texts.init_texts import InitTexts

TAGS = re.compile(r"[A-Za-z_][\w.-]*(?: \|\| [A-Za-z_][\w.-]*)*")
BEGINS = "CONSUME_FROM_LAST_OFFSET"  # the client's default


class ConsumerSection:
    """The section `consumers`; topics: those that the scenario has."""

    def __init__(self, out: ScenarioLines, facts: ClusterFacts, topics: Mapping[str, TopicFacts]) -> None:
        self._out, self._facts, self._topics = out, facts, topics

    def write(self) -> None:
        """Each group that can be simulated; of others why not."""
        lines: dict[str, ConsumerFacts] = {}
        for name, group in sorted(self._facts.consumers.items()):
            reason = self._why_not(name, group)
            if reason:
                self._out.comment(InitTexts.GROUP_LEFT_OUT(group=name, why=reason))
            else:
                lines[name] = group
        if any(over_proxies(group, self._facts) for group in lines.values()):
            write_proxies(self._out, self._facts)
        elif self._facts.proxies.count:
            self._out.comment(InitTexts.PROXIES_LEFT_OUT())
        if lines:
            self._out.plain("consumers:")
        for name, group in lines.items():
            self._consumer(name, group)

    def _why_not(self, name: str, group: ConsumerFacts) -> str | None:
        is_proxied = over_proxies(group, self._facts) is not None
        if group.count is not None and not group.count.value and not is_proxied:
            return self._unseen(name, group)
        if group.kind and group.kind not in ("PUSH", POP) and not is_proxied:
            return InitTexts.NO_PUSH_CONSUMER(kind=group.kind)
        if not group.topics:
            return InitTexts.TOPIC_NOT_KNOWN()
        if not set(group.topics) & set(self._topics):
            return InitTexts.TOPICS_LEFT_OUT(topics=", ".join(sorted(group.topics)))
        return None

    def _unseen(self, name: str, group: ConsumerFacts) -> str:
        """Why a group without an instance is left out."""
        popping = [(own, topic) for own, facts in self._facts.consumers.items() for topic in facts.topics]
        for own, topic in popping:
            if name == f"{own}_{topic}":  # consumerProgress takes %RETRY%GROUP_TOPIC for that of another group
                return InitTexts.RETRY_OF_POP(group=own, topic=topic)
        if group.per_s is not None and group.per_s.value:
            return InitTexts.UNSEEN_INSTANCES(per_s=figure(group.per_s.value))
        return InitTexts.NO_INSTANCE()

    def _consumer(self, name: str, group: ConsumerFacts) -> None:
        out, count = self._out, group.count or assumed(1, InitTexts.COUNT_OF_PROGRESS())
        proxied = over_proxies(group, self._facts)
        if proxied and not count.value:
            count = assumed(1, InitTexts.COUNT_OVER_PROXIES())
        topics = sorted(set(group.topics) & set(self._topics))
        out.plain(f"  {name_text(name)}:")
        if group.behind and group.behind.value:
            rate = InitTexts.AND_CONSUMED(per_s=figure(group.per_s.value)) if group.per_s else ""
            source = group.behind.source
            out.comment(InitTexts.GROUP_BEHIND(count=group.behind.value, rate=rate, source=source), 4)
        if group.expressions:
            parts = ", ".join(f"{name_text(topic)}: {self._tags(group, topic)}" for topic in topics)
            source = next(iter(group.expressions.values())).source
            out.value(4, "topics", Sourced(f"{{{parts}}}", f"{source}: #SubExpression"))
        elif len(topics) == 1:
            out.value(4, "topic", Sourced(name_text(topics[0]), group.topics[topics[0]]))
        else:
            out.value(4, "topics", Sourced(f"[{', '.join(map(name_text, topics))}]", group.topics[topics[0]]))
        out.value(4, "count", count)
        if proxied:
            out.value(4, "grpc", grpc_of(group, proxied))
        elif group.version and (release := known_release(group.version.value)):
            out.value(4, "release", Sourced(release, group.version.source))
        if (group.pops or group.kind == POP) and self._can_pop(group) and not proxied:
            out.value(
                4, "consume_mode", Sourced(POP, "consumerStatus: PopProcessQueueInfo" if group.pops else "its type")
            )
        elif group.in_order and not proxied:
            out.value(4, "consume_mode", Sourced("ORDERLY", "consumerStatus: PROP_CONSUMEORDERLY"))
        for key, known in sorted(group.settings.items()) if not proxied else ():
            out.value(4, key, known)
        self._backlog(group)
        if group.model and group.model.value == "BROADCASTING":
            out.value(4, "message_model", group.model)
        if group.begins and group.begins.value != BEGINS:
            out.value(4, "consume_from_where", group.begins)
        out.value(4, "threads", consume_threads(group, count.value))
        out.value(4, "service", service_of(group, count.value))

    @staticmethod
    def _can_pop(group: ConsumerFacts) -> bool:
        """Whether the release that is written for a group knows POP."""
        release = known_release(group.version.value) if group.version else None
        return release is None or CONSUMERS[release].pop_batch_nums is not None

    def _backlog(self, group: ConsumerFacts) -> None:
        """What the group had not consumed; brokers do not know it of broadcasting groups, nor of topics left out."""
        behind, is_broadcasting = group.behind, group.model is not None and group.model.value == "BROADCASTING"
        if behind is None or not behind.value or is_broadcasting or not set(group.topics) <= set(self._topics):
            return
        if behind.value <= BACKLOG_MAX:
            self._out.value(4, "backlog", behind)
        else:
            self._out.comment(InitTexts.BACKLOG_TOO_LARGE(most=BACKLOG_MAX), 4)

    @staticmethod
    def _tags(group: ConsumerFacts, topic: str) -> str:
        known = group.expressions.get(topic)
        text = known.value if known else "*"
        return text if TAGS.fullmatch(text) and text.lower() not in WORDS else quoted(text)
