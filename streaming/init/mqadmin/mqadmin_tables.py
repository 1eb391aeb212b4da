"""Tables that mqadmin prints of brokers, topics and routes, as facts.

Source: rocketmq 4.2.0, 4.9.8, 5.0.0 and 5.3.3, tools.command: ClusterListSubCommand, TopicListSubCommand,
TopicRouteSubCommand, TopicStatusSubCommand; UtilAll.frontStringAtLeast cuts names at the width of their column.
"""

from __future__ import annotations

import json
import re

from streaming.errors import InputError
from streaming.init.cluster_facts import ClusterFacts, QueuesSeen, Sourced
from streaming.init.mqadmin.printed_table import PrintedTable, decimal_number, head_of, prints, whole_number
from streaming.init.mqadmin_commands import ROUTE
from streaming.init.saved_part import COMMENT, SavedPart
from streaming.init.texts.init_note_texts import InitNoteTexts
from streaming.init.texts.init_source_texts import InitSourceTexts
from streaming.texts.init_texts import InitTexts

BROKER, QUEUE = "#Broker Name", "#QID"
CUT_TOPICS, CUT_BROKERS = (48, 64), (32,)  # of topicList -c; of every command
NUMBER_KEY = re.compile(r"(?<=[{,])(\s*)(\d+)(\s*:)")  # fastjson writes numbers as keys without quotes
PLAIN_TOPIC = re.compile(r"[%|a-zA-Z0-9_-]+")
SURE_TOPIC = re.compile(r"TBW102$|SCHEDULE_TOPIC_XXXX$|RMQ_SYS_TRANS_HALF_TOPIC$|SELF_TEST_TOPIC$")
MEMBER_TOPIC = re.compile(r"rmq_sys_SYNC_BROKER_MEMBER_(.+)")  # 5.x: one a broker
REPLY_TOPIC = re.compile(r"(.+)_REPLY_TOPIC")  # one a cluster
MEMBER = re.compile(r"(\d+)=([^,}\s]+)")
VERSION = re.compile(r"V(\d+)_(\d+)_(\d+)")


def release_in(text: str) -> str | None:
    """5.3.3 of V5_3_3."""
    found = VERSION.match(text)
    return ".".join(found.groups()) if found else None


def read_cluster_list(part: SavedPart, facts: ClusterFacts) -> None:
    """Names, addresses, releases, slaves and what is stored a second. Raises InputError for a name in two clusters."""
    total, is_whole, clusters = 0.0, True, dict[str, str]()
    for number, row in PrintedTable(part, optional=("#Version", "#PCWait(ms)")).rows():
        cluster, name, address = row["#Cluster Name"], row[BROKER], row["#Addr"]
        broker_id = whole_number(part, number, "#BID", row["#BID"])
        if clusters.setdefault(name, cluster) != cluster:
            raise InputError(
                InitTexts.IN_TWO_CLUSTERS(name=name, first=clusters[name], second=cluster).at(part.place(number))
            )
        facts.name = facts.name or Sourced(cluster, part.name)
        broker = facts.member(name, broker_id, address, part.name)
        if broker_id:
            continue
        broker.address = address
        release = release_in(row.get("#Version", ""))
        if release is None:
            is_whole = False
            facts.note(InitNoteTexts.DID_NOT_ANSWER(place=part.place(number), broker=name, address=address))
            continue
        broker.release = Sourced(release, part.name)
        per_s = decimal_number(part, number, "#InTPS", row["#InTPS(LOAD)"].partition("(")[0])
        broker.put_per_s = Sourced(per_s, f"{part.name}: #InTPS")
        total += per_s
    several = sorted(set(clusters.values()))
    if len(several) > 1:
        names = ", ".join(several)
        facts.note(InitNoteTexts.SEVERAL_CLUSTERS(file=part.name, count=len(several), names=names))
    if total:
        source = InitSourceTexts.IN_TPS_OF_ALL() if is_whole else InitSourceTexts.IN_TPS_OF_ANSWERED()
        facts.per_s.append(Sourced(total, source.at(part.name)))


def read_totals(part: SavedPart, facts: ClusterFacts) -> None:
    """Yesterday's messages as a mean load; a row a broker, slaves too, which put nothing."""
    total = 0
    for number, row in PrintedTable(part).rows():
        facts.name = facts.name or Sourced(row["#Cluster Name"], f"{part.name} -m")
        facts.broker(row[BROKER])
        total += whole_number(part, number, "#InTotalYest", row["#InTotalYest"])
    if total > 0:
        source = InitSourceTexts.MEAN_OF_YESTERDAY(total=total).at(f"{part.name} -m")
        facts.per_s.append(Sourced(total / 86_400, source))


def is_topic_list(part: SavedPart) -> bool:
    """topicList without -c: a name a line, some of them RocketMQ's own."""
    if head_of(part) is not None:
        return False
    words = [word for _, word in _named(part)]
    are_names = bool(words) and all(PLAIN_TOPIC.fullmatch(word) for word in words)
    is_echoed = part.command[:1] == ("topicList",) and "-c" not in part.command
    return (is_echoed and bool(words)) or (are_names and any(SURE_TOPIC.match(word) for word in words))


def _named(part: SavedPart) -> list[tuple[int, str]]:
    lines = enumerate(part.lines)
    return [(number, line.strip()) for number, line in lines if line.strip() and not COMMENT.match(line)]


def read_topic_list(part: SavedPart, facts: ClusterFacts) -> None:
    """Topics, and by RocketMQ's own topics the brokers and the cluster."""
    names = _named(part)
    for number, name in names:
        if not PLAIN_TOPIC.fullmatch(name):
            raise InputError(InitTexts.TOPIC_A_LINE(got=name[:80]).at(part.place(number)))
    for _, name in names:
        if found := MEMBER_TOPIC.fullmatch(name):
            facts.broker(found[1])
        elif facts.name is None and (found := REPLY_TOPIC.fullmatch(name)):
            facts.name = Sourced(found[1], part.name)
    for _, name in names:
        facts.topic(name)


def read_topics_with_groups(part: SavedPart, facts: ClusterFacts) -> None:
    """Topics and the groups that read them."""
    rows = [row for _, row in PrintedTable(part, optional=("#Consumer Group",)).rows()]
    if facts.name is None:
        facts.name = Sourced(rows[0]["#Cluster Name"], f"{part.name} -c")
    for row in rows:
        if member := MEMBER_TOPIC.fullmatch(row["#Topic"]):
            facts.broker(member[1])
    for row in rows:
        topic, reader = facts.whole_topic(row["#Topic"], CUT_TOPICS), row.get("#Consumer Group")
        # A group of the topic's own name is what a write of an offset leaves; no application has it.
        if facts.topic(topic) is None or reader is None or reader == row["#Topic"]:
            continue
        if group := facts.consumer(facts.whole_group(reader, CUT_TOPICS)):
            group.topics.setdefault(topic, f"{part.name} -c")


def is_route(part: SavedPart) -> bool:
    """topicRoute, as JSON or with -l."""
    return '"queueDatas"' in part.text or '"brokerDatas"' in part.text or prints(part, ROUTE)


def read_route(part: SavedPart, facts: ClusterFacts) -> None:
    """Queues of a topic on each broker, and the brokers' addresses."""
    topic, source = _topic_of(part, "topicRoute")
    queues = _listed_route(part, facts) if prints(part, ROUTE) else _json_route(part, facts)
    found = facts.topic(topic)
    if found is not None:
        found.queues, found.queues_source = queues, source


def _topic_of(part: SavedPart, command: str) -> tuple[str, str]:
    """The topic that a part is about, and its evidence. Raises InputError: the output itself has no name."""
    if topic := part.option("-t") or part.option("--topic"):
        return topic, part.name
    if topic := part.named_after(command):
        return topic, InitSourceTexts.TOPIC_BY_FILE(file=part.file.name)
    raise InputError(InitTexts.WITHOUT_TOPIC(command=command).at(part.file))


def _listed_route(part: SavedPart, facts: ClusterFacts) -> dict[str, QueuesSeen]:
    found = {}
    for number, row in PrintedTable(part).rows():
        broker = row["#BrokerName"]
        facts.broker(broker)
        for broker_id, address in MEMBER.findall(row["#BrokerAddrs"]):
            facts.member(broker, int(broker_id), address, part.name)
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
            for broker_id, address in broker["brokerAddrs"].items():
                facts.member(broker["brokerName"], int(broker_id), address, part.name)
            facts.name = facts.name or Sourced(broker["cluster"], part.name)
        return {
            own["brokerName"]: QueuesSeen(own["readQueueNums"], own["writeQueueNums"], own["perm"])
            for own in route["queueDatas"]
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(InitTexts.ROUTE_CUT_OFF().at(f"{part.place(0)}")) from None


def read_topic_status(part: SavedPart, facts: ClusterFacts) -> None:
    """Queues of a topic, and the messages that are stored."""
    name, source = _topic_of(part, "topicStatus")
    queues: dict[str, int] = {}
    stored = 0
    for number, row in PrintedTable(part, optional=("#Last Updated",)).rows():
        queue, least, most = (
            whole_number(part, number, column, row[column]) for column in (QUEUE, "#Min Offset", "#Max Offset")
        )
        broker = facts.whole_broker(row[BROKER], CUT_BROKERS)
        queues[broker] = max(queues.get(broker, 0), queue + 1)
        stored += max(most - least, 0)
    for broker in queues:
        facts.broker(broker)
    topic = facts.topic(name)
    if topic is not None:
        topic.stored = Sourced(stored, source)
        if not topic.queues:
            topic.queues = {broker: QueuesSeen(count, count) for broker, count in queues.items()}
            topic.queues_source = source
