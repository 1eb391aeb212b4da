"""Tables that mqadmin prints of brokers, topics and routes, as facts.

Source: rocketmq 4.9.8 and 5.3.3, tools.command: ClusterListSubCommand, TopicListSubCommand, TopicRouteSubCommand,
TopicStatusSubCommand.
"""

from __future__ import annotations

import json
import re

from streaming.errors import InputError
from streaming.init.cluster_facts import ClusterFacts, QueuesSeen, Sourced
from streaming.init.printed_table import PrintedTable, decimal_number, whole_number
from streaming.init.saved_part import SavedPart

BROKER, QUEUE, ADDRESS = "#Broker Name", "#QID", "#Addr"
NUMBER_KEY = re.compile(r"(?<=[{,])(\s*)(\d+)(\s*:)")  # fastjson writes numbers as keys without quotes
PLAIN_TOPIC = re.compile(r"[%|a-zA-Z0-9_-]+")
SURE_TOPIC = re.compile(r"TBW102$|SCHEDULE_TOPIC_XXXX$|RMQ_SYS_TRANS_HALF_TOPIC$|SELF_TEST_TOPIC$")
MEMBER_TOPIC = re.compile(r"rmq_sys_SYNC_BROKER_MEMBER_(.+)")  # 5.x: one a broker
REPLY_TOPIC = re.compile(r"(.+)_REPLY_TOPIC")  # one a cluster
VERSION = re.compile(r"V(\d+)_(\d+)_(\d+)")


def release_in(text: str) -> str | None:
    """5.3.3 of V5_3_3."""
    found = VERSION.match(text)
    return ".".join(found.groups()) if found else None


def has_column(part: SavedPart, *names: str) -> bool:
    """Whether its first table has these columns."""
    head = next((line for line in part.lines if line.startswith("#")), "")
    return all(name in head for name in names)


def is_cluster_list(part: SavedPart) -> bool:
    """clusterList without -m."""
    return has_column(part, "#Cluster Name", BROKER, "#BID", "#InTPS")


def read_cluster_list(part: SavedPart, facts: ClusterFacts) -> None:
    """Names, addresses, releases, slaves and what is stored a second."""
    table = PrintedTable(part, optional=("#Version", "#InTPS(LOAD)", "#OutTPS(LOAD)", "#ACTIVATED", "#Timer(Progress)",
                                         "#PCWait(ms)", "#Hour", "#SPACE"))  # fmt: skip
    total, clusters = 0.0, set()
    for number, row in table.rows():
        cluster, name = row["#Cluster Name"], row[BROKER]
        clusters.add(cluster)
        broker = facts.broker(name)
        if whole_number(part, number, "#BID", row["#BID"]):
            broker.slaves += 1
            continue
        facts.name = facts.name or Sourced(cluster, part.name)
        broker.address = row[ADDRESS]
        if release := release_in(row.get("#Version", "")):
            broker.release = Sourced(release, part.name)
        load = row.get("#InTPS(LOAD)", "").partition("(")[0]
        if load:
            per_s = decimal_number(part, number, "#InTPS", load)
            broker.put_per_s = Sourced(per_s, part.name)
            total += per_s
    if len(clusters) > 1:
        facts.notes.append(
            f"{part.name} lists {len(clusters)} clusters ({', '.join(sorted(clusters))}); all are one here"
        )
    if total:
        facts.per_s.append(Sourced(total, f"{part.name}: #InTPS of all brokers, when it was saved"))


def is_totals(part: SavedPart) -> bool:
    """clusterList -m."""
    return has_column(part, "#Cluster Name", BROKER, "#InTotalYest")


def read_totals(part: SavedPart, facts: ClusterFacts) -> None:
    """Yesterday's messages as a mean load."""
    total = 0
    for number, row in PrintedTable(part).rows():
        facts.broker(row[BROKER])
        total += whole_number(part, number, "#InTotalYest", row["#InTotalYest"])
    if total:
        facts.per_s.append(Sourced(total / 86_400, f"{part.name} -m: the mean of yesterday, {total:,} messages"))


def is_topic_list(part: SavedPart) -> bool:
    """topicList: a name a line, some of them RocketMQ's own."""
    if part.command[:1] == ("topicList",) or has_column(part, "#Topic", "#Consumer Group"):
        return True
    words = [line.strip() for line in part.lines if line.strip()]
    return all(PLAIN_TOPIC.fullmatch(word) for word in words) and any(SURE_TOPIC.match(word) for word in words)


def read_topic_list(part: SavedPart, facts: ClusterFacts) -> None:
    """Topics, and with -c the groups that read them."""
    if has_column(part, "#Topic", "#Consumer Group"):
        _read_topics_with_groups(part, facts)
        return
    names = [line.strip() for line in part.lines if line.strip()]
    wrong = next((name for name in names if not PLAIN_TOPIC.fullmatch(name)), None)
    if wrong is not None or not names:
        said = part.failures[0] if part.failures else wrong or "nothing"
        raise InputError(f"{part.place(0)}: topicList: expected a topic a line, got {said[:80]!r}")
    for name in names:
        if found := MEMBER_TOPIC.fullmatch(name):
            facts.broker(found[1])
        elif facts.name is None and (found := REPLY_TOPIC.fullmatch(name)):
            facts.name = Sourced(found[1], part.name)
    for name in names:
        facts.topic(name)


def _read_topics_with_groups(part: SavedPart, facts: ClusterFacts) -> None:
    head = next(n for n, line in enumerate(part.lines) if line.startswith("#"))
    rows = [line.split() for line in part.lines[head + 1 :] if line.strip()]
    if facts.name is None and rows:
        facts.name = Sourced(rows[0][0], f"{part.name} -c")
    for words in rows:
        if len(words) > 1 and (member := MEMBER_TOPIC.fullmatch(words[1])):
            facts.broker(member[1])
    for words in rows:
        if len(words) < 2 or facts.topic(words[1]) is None:
            continue
        # A group of the topic's own name is what a write of an offset leaves; no application has it.
        if len(words) == 3 and words[2] != words[1] and (group := facts.consumer(words[2])):
            group.topics.setdefault(words[1], f"{part.name} -c")


def is_route(part: SavedPart) -> bool:
    """topicRoute, as JSON or with -l."""
    return (
        '"queueDatas"' in part.text
        or '"brokerDatas"' in part.text
        or has_column(part, "#ReadQueue", "#WriteQueue", "#Perm")
    )


def read_route(part: SavedPart, facts: ClusterFacts) -> None:
    """Queues of a topic on each broker, and the brokers' addresses."""
    topic, source = _topic_of(part, "topicRoute")
    queues = _listed_route(part, facts) if has_column(part, "#ReadQueue") else _json_route(part, facts)
    found = facts.topic(topic)
    if found is not None:
        found.queues, found.queues_source = queues, source


def _topic_of(part: SavedPart, command: str) -> tuple[str, str]:
    """The topic that a part is about, and what evidence says. Raises InputError: the output itself has no name."""
    if topic := part.option("-t") or part.option("--topic"):
        return topic, part.name
    if topic := part.named_after(command):
        return topic, f"{part.file.name}, the topic by the file's name"
    raise InputError(
        f"{part.file}: {command} does not print its topic; name the file {command}-TOPIC.txt, or keep the line"
        f" `mqadmin {command} -t TOPIC` above the output"
    )


def _listed_route(part: SavedPart, facts: ClusterFacts) -> dict[str, QueuesSeen]:
    found = {}
    for number, row in PrintedTable(part).rows():
        broker = row["#BrokerName"]
        facts.broker(broker)
        read, write, permission = (
            whole_number(part, number, name, row[name]) for name in ("#ReadQueue", "#WriteQueue", "#Perm")
        )
        found[broker] = QueuesSeen(read, write, permission)
    return found


def _json_route(part: SavedPart, facts: ClusterFacts) -> dict[str, QueuesSeen]:
    text = part.text
    try:
        route = json.loads(NUMBER_KEY.sub(r'\1"\2"\3', text[text.index("{") : text.rindex("}") + 1]))
        for broker in route["brokerDatas"]:
            own = facts.broker(broker["brokerName"])
            own.address = own.address or broker["brokerAddrs"].get("0")
            facts.name = facts.name or Sourced(broker["cluster"], part.name)
        return {
            own["brokerName"]: QueuesSeen(own["readQueueNums"], own["writeQueueNums"], own["perm"])
            for own in route["queueDatas"]
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(
            f"{part.place(0)}: topicRoute: expected JSON with brokerDatas and queueDatas, and it is cut off or changed;"
            " save the whole output"
        ) from None


def is_topic_status(part: SavedPart) -> bool:
    """topicStatus."""
    return has_column(part, BROKER, QUEUE, "#Min Offset", "#Max Offset")


def read_topic_status(part: SavedPart, facts: ClusterFacts) -> None:
    """Queues of a topic, and the messages that are stored."""
    name, source = _topic_of(part, "topicStatus")
    queues: dict[str, int] = {}
    stored = 0
    for number, row in PrintedTable(part, optional=("#Last Updated",)).rows():
        queue, least, most = (
            whole_number(part, number, column, row[column]) for column in (QUEUE, "#Min Offset", "#Max Offset")
        )
        queues[row[BROKER]] = max(queues.get(row[BROKER], 0), queue + 1)
        stored += most - least
    for broker in queues:
        facts.broker(broker)
    topic = facts.topic(name)
    if topic is not None:
        topic.stored = Sourced(stored, source)
        if not topic.queues:
            topic.queues = {broker: QueuesSeen(count, count) for broker, count in queues.items()}
            topic.queues_source = source
