"""What consumers print of themselves, as `mqadmin consumerStatus` saves or prints it, as facts.

`consumerStatus -g GROUP` prints a row an instance and saves TIME/CLIENT_ID, a file each; with `-i CLIENT_ID` it prints
what the file would have. Nothing else shows that a group pops: its heartbeats have CONSUME_PASSIVELY, as those of a
group that pulls.

Source: rocketmq 4.9.8 and 5.3.3, tools.command: ConsumerStatusSubCommand; ConsumerRunningInfo.formatString,
DefaultMQPushConsumerImpl.consumerRunningInfo, MQClientInstance.consumerRunningInfo.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from streaming.errors import InputError
from streaming.init.cluster_facts import ClusterFacts, ConsumerFacts, Sourced
from streaming.init.mqadmin.mqadmin_groups import DEAD, RETRY
from streaming.init.mqadmin.mqadmin_tables import release_in
from streaming.init.saved_part import RUNNING_INFO, SavedPart
from streaming.init.texts.init_source_texts import InitSourceTexts
from streaming.texts.init_texts import InitTexts

PROPERTY = re.compile(r"(?P<key>\w+)\s*: (?P<value>.*)$")
SUBSCRIPTION = re.compile(r"\d{3} Topic: (?P<topic>\S+)\s+ClassFilter: \w+\s+SubExpression: (?P<tags>.*)$")
RATES = re.compile(r"(?P<topic>\S+)" + r"\s+([\d.,]+)" * 5 + r"\s+\d+\s*$")
POPS = re.compile(r"PopProcessQueueInfo \[.*droped:false")
STATUS_ROW = re.compile(r"\s*\d+\s+(?P<client>\S+@\S+)\s+(?P<version>V\d+_\d+_\d+\S*)\s+\d+/\S+\s*$")
KINDS = {"CONSUME_PASSIVELY": "PUSH", "CONSUME_ACTIVELY": "PULL"}
# Of the client: the scenario's key, and the unit that its value needs. Those with the client's default are left out.
SETTINGS = {
    "popInvisibleTime": ("pop_invisible_time", "ms", "60000"), "popBatchNums": ("pop_batch_nums", "", "32"),
    "popThresholdForQueue": ("pop_threshold_for_queue", "", "96"),
    "maxReconsumeTimes": ("max_reconsume_times", "", "-1"),
    "consumeMessageBatchMaxSize": ("consume_message_batch_max_size", "", "1"),
    "pullBatchSize": ("pull_batch_size", "", "32"),
}  # fmt: skip
OF_POP = ("popInvisibleTime", "popBatchNums", "popThresholdForQueue")


STATUS = "consumerStatus"


def is_running_info(part: SavedPart) -> bool:
    """What an instance prints of itself."""
    return part.text.lstrip().startswith(RUNNING_INFO)


def read_running_info(part: SavedPart, facts: ClusterFacts) -> None:
    """An instance of a group: its threads, settings, subscriptions, service time, and whether it pops.

    Raises InputError where it is cut off.
    """
    sections = _sections(part)
    own = {found["key"]: found["value"].strip() for line in sections[0] if (found := PROPERTY.match(line))}
    if "consumerGroup" not in own or not any("#Consumer RT&TPS#" in line for line in part.lines):
        raise InputError(InitTexts.RUNNING_INFO_CUT().at(part.place(0)))
    group = facts.consumer(own["consumerGroup"])
    if group is None:
        return
    group.answered += 1
    source = f"{part.file.name}: {STATUS}"
    group.count = Sourced(group.answered, InitSourceTexts.INSTANCES_ANSWERED().at(STATUS))
    _take_settings(own, group, source, pops=bool(POPS.search(part.text)))
    for line in part.lines:
        if found := SUBSCRIPTION.match(line):
            _take_topic(found["topic"], found["tags"].strip(), group, source, facts)
    if own.get("consumeMessageBatchMaxSize", "1") == "1":
        _take_rates(part, group)


def _sections(part: SavedPart) -> list[list[str]]:
    """Its lines, cut where a title such as #Consumer Offset# stands."""
    found: list[list[str]] = []
    for line in part.lines:
        if re.fullmatch(r"#[\w& ]+#\s*", line):
            found.append([])
        elif found:
            found[-1].append(line)
    return found


def _take_settings(own: dict[str, str], group: ConsumerFacts, source: str, *, pops: bool) -> None:
    group.pops |= pops
    group.kind = KINDS.get(own.get("PROP_CONSUME_TYPE", ""), group.kind)
    if release := release_in(own.get("PROP_CLIENT_VERSION", "")):
        group.version = group.version or Sourced(release, f"{source}: PROP_CLIENT_VERSION")
    if (threads := own.get("PROP_THREADPOOL_CORE_SIZE", "")).isdigit() and int(threads):
        group.threads = Sourced(int(threads), f"{source}: PROP_THREADPOOL_CORE_SIZE")
    if own.get("messageModel") in ("CLUSTERING", "BROADCASTING"):
        group.model = Sourced(own["messageModel"], f"{source}: messageModel")
    if own.get("consumeFromWhere", "").startswith("CONSUME_FROM_"):
        group.begins = Sourced(own["consumeFromWhere"], f"{source}: consumeFromWhere")
    group.in_order = own.get("PROP_CONSUMEORDERLY") == "true"
    for name, (key, unit, default) in SETTINGS.items():
        value = own.get(name, default)
        if value != default and re.fullmatch(r"-?\d+", value) and (pops or name not in OF_POP):
            group.settings[key] = Sourced(f"{value}{unit}" if unit else int(value), f"{source}: {name}")


def _take_topic(topic: str, tags: str, group: ConsumerFacts, source: str, facts: ClusterFacts) -> None:
    if topic.startswith((RETRY, DEAD)) or facts.topic(topic) is None:
        return
    group.topics.setdefault(topic, source)
    if re.fullmatch(r"[^\s|*]+(?:\s*\|\|\s*[^\s|*]+)*", tags) and tags != "null":
        group.expressions.setdefault(topic, Sourced(" || ".join(one.strip() for one in tags.split("||")), source))


def _take_rates(part: SavedPart, group: ConsumerFacts) -> None:
    """The mean of #Consume RT over the instances and topics, by what each consumed."""
    for topic, service_ms, per_s in _rates(part):
        if not topic.startswith((RETRY, DEAD)) and per_s > 0:
            group.handled.append((service_ms, per_s))
    total = sum(per_s for _, per_s in group.handled)
    if total:
        mean_ms = sum(service_ms * per_s for service_ms, per_s in group.handled) / total
        group.service_ms = Sourced(mean_ms, f"{STATUS}: #Consume RT")


def _rates(part: SavedPart) -> Iterator[tuple[str, float, float]]:
    """Topic, #Consume RT in ms and #ConsumeOK TPS; Java prints a comma in some languages."""
    begun = False
    for line in part.lines:
        begun = begun or "#Consumer RT&TPS#" in line
        if begun and (found := RATES.match(line)):
            yield found["topic"], float(found[4].replace(",", ".")), float(found[5].replace(",", "."))


def is_status(part: SavedPart) -> bool:
    """What consumerStatus prints of the files that it saves."""
    return any(STATUS_ROW.match(line) for line in part.lines)


def read_status(part: SavedPart, facts: ClusterFacts) -> None:
    """How many instances a group has. Raises InputError where nothing says the group."""
    name = part.option("-g") or part.option("--consumerGroup") or part.named_after("consumerStatus")
    if name is None:
        raise InputError(InitTexts.STATUS_WITHOUT_GROUP().at(part.file))
    group = facts.consumer(name)
    found = [match for line in part.lines if (match := STATUS_ROW.match(line))]
    if group is not None and not group.answered:
        group.count = Sourced(len(found), part.name)
        releases = sorted(release for one in found if (release := release_in(one["version"])))
        group.version = group.version or (Sourced(releases[0], part.name) if releases else None)
