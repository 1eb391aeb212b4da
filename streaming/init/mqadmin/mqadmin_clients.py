"""What mqadmin prints of connected clients, as facts.

Source: rocketmq 4.2.0, 4.6.0, 4.9.8 and 5.3.3, tools.command: ConsumerConnectionSubCommand (with columns from 4.7 on),
ProducerConnectionSubCommand, ProducerSubCommand (from 4.9.4 on).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from streaming.errors import InputError
from streaming.init.cluster_facts import ClusterFacts, ConsumerFacts, Sourced
from streaming.init.mqadmin.mqadmin_groups import DEAD, RETRY
from streaming.init.mqadmin.mqadmin_tables import release_in
from streaming.init.mqadmin.printed_table import PrintedTable, prints
from streaming.init.mqadmin_commands import CONSUMER_CONNECTION
from streaming.init.saved_part import SavedPart
from streaming.init.scenario_lines import oldest_taken
from streaming.init.texts.init_note_texts import InitNoteTexts
from streaming.init.texts.init_source_texts import InitSourceTexts
from streaming.texts.init_texts import InitTexts

PRODUCER = re.compile(r"\s*\d{4}\s+(?P<client>\S+)\s+(?P<address>\S+:\d+)\s+(?P<language>[A-Z]\w*)\s+(?P<version>V\S+)")
OLD_CONSUMER = re.compile(r"\s*\d{3}\s+(?P<client>\S+)\s+\S+:\d+\s+(?P<language>[A-Z]\w*)\s+(?P<version>V\S+)\s*$")
OLD_SUBSCRIPTION = re.compile(r"\d{3}\s+Topic:\s+(?P<topic>\S+)\s+SubExpression:(?P<tags>.*)$")
SUBSCRIPTION = re.compile(r"\s*(?P<topic>[^\s#:]+)(?:\s+(?P<tags>\S.*))?$")
INSTANCE = re.compile(r"\s*producer group \((?P<group>[^)]+)\) instance : clientId=(?P<client>[^,\s]+),")
KINDS = {"CONSUME_PASSIVELY": "PUSH", "CONSUME_ACTIVELY": "PULL", "CONSUME_POP": "POP"}
# The id of a gRPC client has four parts, host@process@index@time; a remoting client's has two: rocketmq-clients java
# 5.0.8, ClientId; rocketmq 5.3.3, ClientConfig.buildMQClientId.
GRPC_CLIENT = re.compile(r"[^\s@]+@\d+@\d+@[0-9a-z]+")
ALL = "*"
TAGS = re.compile(r"[^\s|]+(?:\s*\|\|\s*[^\s|]+)*")


def is_consumer_connection(part: SavedPart) -> bool:
    """consumerConnection, with columns or as releases up to 4.6 print it."""
    is_old = any(OLD_CONSUMER.match(line) for line in part.lines) and "ConsumeType:" in part.text
    return prints(part, CONSUMER_CONNECTION) or is_old


def read_consumer_connection(part: SavedPart, facts: ClusterFacts) -> None:
    """Instances of a group, their release and what they subscribe to."""
    subscribed = list(_subscribed(part))
    retries = [topic.removeprefix(RETRY) for topic, _ in subscribed if topic.startswith(RETRY)]
    name = part.option("-g") or part.option("--consumerGroup") or part.named_after("consumerConnection")
    name = name or (retries[0] if retries else None)
    if name is None:
        raise InputError(InitTexts.CONNECTION_WITHOUT_GROUP().at(part.file))
    group = facts.consumer(name)
    if group is None:
        return
    if prints(part, CONSUMER_CONNECTION):
        rows = [row for _, row in PrintedTable(part).rows()]
        clients = [(row["#Language"], row["#Version"]) for row in rows]
        if rows and all(GRPC_CLIENT.fullmatch(row["#ClientId"]) for row in rows):
            group.grpc_clients = InitSourceTexts.GRPC_IDS().at(part.name)
    else:
        found = [OLD_CONSUMER.match(line) for line in part.lines]
        clients = [(own["language"], own["version"]) for own in found if own]
    _take_clients(part, name, group, clients, facts)
    for topic, tags in subscribed:
        if not topic.startswith((RETRY, DEAD)) and facts.topic(topic) is not None:
            group.topics.setdefault(topic, part.name)
            _take_tags(part, name, topic, tags, facts)
    _take_settings(part, group)


def _take_clients(
    part: SavedPart, name: str, group: ConsumerFacts, clients: list[tuple[str, str]], facts: ClusterFacts
) -> None:
    group.count = Sourced(len(clients), part.name)
    java = {release for language, text in clients if language == "JAVA" and (release := release_in(text))}
    releases = sorted(java, key=lambda text: tuple(map(int, text.split("."))))
    if releases:
        group.version = Sourced(releases[0], oldest_taken(part.name, releases))
    others = sorted({language for language, _ in clients if language != "JAVA"})
    if others:
        facts.note(InitNoteTexts.OTHER_LANGUAGES(file=part.file.name, group=name, languages=", ".join(others)))


def _subscribed(part: SavedPart) -> Iterator[tuple[str, str]]:
    """Topics and their expressions."""
    begun = False
    for line in part.lines:
        if "Below is subscription:" in line:
            begun, line = True, line.partition("Below is subscription:")[2]
        if not begun:
            continue
        if line.startswith("ConsumeType:"):
            return
        if old := OLD_SUBSCRIPTION.search(line.partition("ConsumeType:")[0]):
            yield old["topic"], old["tags"].strip() or ALL
        elif found := SUBSCRIPTION.match(line):
            yield found["topic"], (found["tags"] or ALL).strip()


def _take_tags(part: SavedPart, name: str, topic: str, tags: str, facts: ClusterFacts) -> None:
    if tags in (ALL, "null"):
        return
    if TAGS.fullmatch(tags):
        parts = [own.strip() for own in tags.split("||")]
        facts.consumers[name].expressions[topic] = Sourced(" || ".join(parts), part.name)
    else:
        facts.note(
            InitNoteTexts.FILTERS_BY_PROPERTIES(file=part.file.name, group=name, topic=topic, expression=tags[:80])
        )


def _take_settings(part: SavedPart, group: ConsumerFacts) -> None:
    for line in part.lines:
        key, _, value = (own.strip() for own in line.partition(":"))
        if key == "MessageModel" and value in ("CLUSTERING", "BROADCASTING"):
            group.model = Sourced(value, f"{part.name}: MessageModel")
        elif key.endswith("ConsumeType") and value in KINDS:
            group.kind = KINDS[value]
        elif key == "ConsumeFromWhere" and value.startswith("CONSUME_FROM_"):
            group.begins = Sourced(value, f"{part.name}: ConsumeFromWhere")


def is_producer_connection(part: SavedPart) -> bool:
    """producerConnection."""
    return any(PRODUCER.match(line) for line in part.lines)


def read_producer_connection(part: SavedPart, facts: ClusterFacts) -> None:
    """Producers of a group, and the topic that was asked for."""
    name = part.option("-g") or part.named_after("producerConnection") or "producers"
    group = facts.producer(name)
    if group is None:
        return
    found = [match for line in part.lines if (match := PRODUCER.match(line))]
    group.count = Sourced(len({match["client"] for match in found}), f"{part.name} -g {name}")
    group.versions |= {
        release for match in found if match["language"] == "JAVA" and (release := release_in(match["version"]))
    }
    if (topic := part.option("-t")) and facts.topic(topic) is not None:
        group.topics[topic] = 1.0


def is_producers(part: SavedPart) -> bool:
    """producer -b, which lists every group of a broker."""
    return any(INSTANCE.match(line) for line in part.lines)


def read_producers(part: SavedPart, facts: ClusterFacts) -> None:
    """Producers of each group that a broker knows; of several brokers the most."""
    clients: dict[str, set[str]] = {}
    for line in part.lines:
        if found := INSTANCE.match(line):
            clients.setdefault(found["group"], set()).add(found["client"])
    for name, own in clients.items():
        group = facts.producer(name)
        if group is not None and (group.count is None or len(own) > group.count.value):
            group.count = Sourced(len(own), InitSourceTexts.INSTANCES().at(part.name))
