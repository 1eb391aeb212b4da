"""What mqadmin prints of consumer groups and of connected clients, as facts.

Source: rocketmq 4.9.8 and 5.3.3, tools.command: ConsumerProgressSubCommand, ConsumerConnectionSubCommand,
ProducerConnectionSubCommand.
"""

from __future__ import annotations

import re

from streaming.errors import InputError
from streaming.init.cluster_facts import ClusterFacts, QueuesSeen, Sourced
from streaming.init.mqadmin_tables import BROKER, QUEUE, has_column, release_in
from streaming.init.printed_table import PrintedTable, decimal_number, whole_number
from streaming.init.saved_part import SavedPart

RETRY, DEAD = "%RETRY%", "%DLQ%"
OPTIONAL = ("#Version", "#Type", "#Model", "#Client IP", "#Inflight", "#LastTime")
PRODUCER = re.compile(r"\d{4}  (?P<client>\S+)\s+(?P<address>\S+:\d+)\s+(?P<language>[A-Z]\w*)\s+(?P<version>V\S+)")


def is_progress_of_all(part: SavedPart) -> bool:
    """consumerProgress without -g."""
    return has_column(part, "#Group", "#Count", "#Diff Total")


def read_progress_of_all(part: SavedPart, facts: ClusterFacts) -> None:
    """Groups, their instances, releases, and how far behind they are."""
    for number, row in PrintedTable(part, OPTIONAL).rows():
        group = facts.consumer(row["#Group"])
        if group is None:
            continue
        group.count = Sourced(whole_number(part, number, "#Count", row["#Count"]), part.name)
        group.kind, group.model = row.get("#Type"), row.get("#Model") or group.model
        if release := release_in(row.get("#Version", "")):
            group.version = Sourced(release, part.name)
        group.per_s = Sourced(decimal_number(part, number, "#TPS", row["#TPS"]), part.name)
        group.behind = Sourced(whole_number(part, number, "#Diff Total", row["#Diff Total"]), part.name)


def is_progress_of_group(part: SavedPart) -> bool:
    """consumerProgress -g."""
    return has_column(part, "#Topic", BROKER, QUEUE, "#Consumer Offset")


def read_progress_of_group(part: SavedPart, facts: ClusterFacts) -> None:
    """The topics of a group, their queues, and how far behind it is."""
    rows = list(PrintedTable(part, OPTIONAL).rows())
    name = part.option("-g") or next(
        (row["#Topic"].removeprefix(RETRY) for _, row in rows if row["#Topic"].startswith(RETRY)),
        part.named_after("consumerProgress"),
    )
    if name is None:
        raise InputError(
            f"{part.file}: consumerProgress -g does not print its group; name the file consumerProgress-GROUP.txt, or"
            " keep the line `mqadmin consumerProgress -g GROUP` above the output"
        )
    group = facts.consumer(name)
    if group is None:
        return
    queues: dict[str, dict[str, int]] = {}
    behind = 0
    for number, row in rows:
        if row["#Topic"].startswith((RETRY, DEAD)) or facts.topic(row["#Topic"]) is None:
            continue
        queue = whole_number(part, number, QUEUE, row[QUEUE])
        behind += whole_number(part, number, "#Diff", row["#Diff"])
        own = queues.setdefault(row["#Topic"], {})
        own[row[BROKER]] = max(own.get(row[BROKER], 0), queue + 1)
    group.behind = Sourced(behind, part.name)
    for topic, by_broker in queues.items():
        group.topics.setdefault(topic, f"{part.name} -g {name}")
        found = facts.topic(topic)
        if found is not None and not found.queues:
            found.queues = {broker: QueuesSeen(count, count) for broker, count in by_broker.items()}
            found.queues_source = f"{part.name} -g {name}"
    _read_rate(part, facts, name)


def _read_rate(part: SavedPart, facts: ClusterFacts, name: str) -> None:
    group = facts.consumers[name]
    told = next((line for line in part.lines if line.startswith("Consume TPS:")), None)
    if told is not None and group.per_s is None:
        group.per_s = Sourced(decimal_number(part, 0, "Consume TPS", told.partition(":")[2].strip()), part.name)


def is_consumer_connection(part: SavedPart) -> bool:
    """consumerConnection."""
    return has_column(part, "#ClientId", "#ClientAddr", "#Version")


def read_consumer_connection(part: SavedPart, facts: ClusterFacts) -> None:
    """Instances of a group, their release and what they subscribe to."""
    name = part.option("-g") or part.named_after("consumerConnection")
    topics = [
        line.split()[0] for line in part.lines if len(line.split()) == 2 and not line.startswith(("#", "Consume"))
    ]
    retries = [topic for topic in topics if topic.startswith(RETRY)]
    name = name or (retries[0].removeprefix(RETRY) if retries else None)
    group = facts.consumer(name) if name else None
    if group is None:
        if name is None:
            raise InputError(
                f"{part.file}: consumerConnection does not print its group; name it consumerConnection-GROUP.txt"
            )
        return
    rows = [row for _, row in PrintedTable(part).rows()]
    group.count = Sourced(len(rows), part.name)
    if release := release_in(rows[0]["#Version"]):
        group.version = Sourced(release, part.name)
    for line in part.lines:
        if line.startswith("MessageModel:"):
            group.model = line.partition(":")[2].strip()
    for topic in topics:
        if not topic.startswith(("%", "Message")) and facts.topic(topic) is not None:
            group.topics.setdefault(topic, part.name)


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
    group.versions |= {release for match in found if (release := release_in(match["version"]))}
    if (topic := part.option("-t")) and facts.topic(topic) is not None:
        group.topics[topic] = 1.0
