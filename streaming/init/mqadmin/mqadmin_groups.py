"""What mqadmin prints of how far consumer groups are, as facts.

Source: rocketmq 4.2.0, 4.6.0, 4.9.8 and 5.3.3, tools.command: ConsumerProgressSubCommand, StatsAllSubCommand. Names are
cut at 32 characters up to 4.7, then at 64.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from streaming.errors import InputError
from streaming.init.cluster_facts import ClusterFacts, ConsumerFacts, QueuesSeen, Sourced
from streaming.init.mqadmin.mqadmin_tables import BROKER, CUT_BROKERS, QUEUE, release_in
from streaming.init.mqadmin.printed_table import PrintedTable, decimal_number, whole_number
from streaming.init.mqadmin_commands import OFFSETS
from streaming.init.saved_part import SavedPart
from streaming.init.texts.init_note_texts import InitNoteTexts
from streaming.init.texts.init_source_texts import InitSourceTexts
from streaming.texts.init_texts import InitTexts

RETRY, DEAD = "%RETRY%", "%DLQ%"
OPTIONAL = ("#Version", "#Type", "#Model", "#LastTime")
CUT = (32, 64)
DIFF_TOTAL = re.compile(r"^(?:Consume )?Diff Total: (-?\d+)$")  # the last line, of 5.x the last but one


def read_progress_of_all(part: SavedPart, facts: ClusterFacts) -> None:
    """Groups, their instances, releases, and how far behind they are."""
    for number, row in PrintedTable(part, OPTIONAL).rows():
        name = facts.whole_group(row["#Group"], CUT)
        group = facts.consumer(name)
        if group is None:
            continue
        group.count = Sourced(whole_number(part, number, "#Count", row["#Count"]), part.name)
        group.kind = row.get("#Type")
        if model := row.get("#Model"):
            group.model = Sourced(model, f"{part.name}: #Model")
        if release := release_in(row.get("#Version", "")):
            group.version = Sourced(release, part.name)
        group.per_s = Sourced(decimal_number(part, number, "#TPS", row["#TPS"]), part.name)
        behind = whole_number(part, number, "#Diff Total", row["#Diff Total"])
        if behind >= 0:
            group.behind = group.behind or Sourced(behind, part.name)
        elif group.behind is None:
            facts.note(InitNoteTexts.DIFF_BELOW_ZERO(place=part.place(number), group=name, count=behind))


def read_progress_of_group(part: SavedPart, facts: ClusterFacts) -> None:
    """The topics of a group, their queues, and how far behind it is."""
    rows = list(PrintedTable(part, OPTIONAL).rows())
    name = _group_of(part, [row["#Topic"] for _, row in rows], facts)
    group = facts.consumer(name)
    if group is None:
        return
    queues: dict[str, dict[str, int]] = {}
    behind, beyond = 0, list[str]()
    _check_whole(part, rows, facts)
    for number, row in rows:
        broker = facts.whole_broker(row[BROKER], CUT_BROKERS)
        facts.broker(broker)
        if row["#Topic"].startswith((RETRY, DEAD)):
            continue
        topic = facts.whole_topic(row["#Topic"], CUT)
        if facts.topic(topic) is None:
            continue
        queue = whole_number(part, number, QUEUE, row[QUEUE])
        diff = whole_number(part, number, "#Diff", row["#Diff"])
        if diff < 0:
            beyond.append(f"{topic} {broker} {queue}")
        behind += max(diff, 0)
        own = queues.setdefault(topic, {})
        own[broker] = max(own.get(broker, 0), queue + 1)
    source = f"{part.name} -g {name}"
    if beyond:
        shown, more = ", ".join(beyond[:4]), ", ..." if len(beyond) > 4 else ""
        facts.note(
            InitNoteTexts.OFFSETS_BEYOND(place=part.place(0), group=name, count=len(beyond), queues=shown, more=more)
        )
    if queues:
        group.behind = Sourced(behind, source)
    _take_queues(group, queues, source, facts)
    _take_rate(part, group)


def _check_whole(part: SavedPart, rows: Sequence[tuple[int, Mapping[str, str]]], facts: ClusterFacts) -> None:
    """Raises InputError for a row whose #Diff is not what its offsets say, or a total that is not that of the rows."""
    total = 0
    for number, row in rows:
        stored, consumed, diff = (whole_number(part, number, name, row[name]) for name in OFFSETS)
        if stored - consumed != diff:
            raise InputError(
                InitTexts.DIFF_CUT_OFF(got=diff, stored=stored, consumed=consumed, apart=stored - consumed).at(
                    part.place(number)
                )
            )
        total += diff
    said = next((found for line in part.lines if (found := DIFF_TOTAL.match(line))), None)
    if said is None:
        facts.note(InitNoteTexts.WITHOUT_TOTAL(place=part.place(rows[-1][0])))
    elif int(said[1]) != total:
        raise InputError(InitTexts.TOTAL_OF_OTHER_ROWS(total=int(said[1]), rows=total).at(part.place(rows[-1][0])))


def _group_of(part: SavedPart, topics: Iterable[str], facts: ClusterFacts) -> str:
    """The group that a part is about. Raises InputError: the output names it by its retry topic at most."""
    retries = [topic.removeprefix(RETRY) for topic in topics if topic.startswith(RETRY)]
    lengths = tuple(length - len(RETRY) for length in CUT)
    by_retry = facts.whole_group(retries[0], lengths) if retries else None
    name = part.option("-g") or part.option("--groupName") or part.named_after("consumerProgress") or by_retry
    if name is None:
        raise InputError(InitTexts.PROGRESS_WITHOUT_GROUP().at(part.file))
    return name


def _take_queues(
    group: ConsumerFacts, queues: dict[str, dict[str, int]], source: str, facts: ClusterFacts
) -> None:  # fmt: skip
    for topic, by_broker in queues.items():
        group.topics.setdefault(topic, source)
        found = facts.topic(topic)
        if found is not None and not found.queues:
            found.queues = {broker: QueuesSeen(count, count) for broker, count in by_broker.items()}
            found.queues_source = source


def _take_rate(part: SavedPart, group: ConsumerFacts) -> None:
    for number, line in enumerate(part.lines):
        if line.startswith("Consume TPS:") and group.per_s is None:
            per_s = decimal_number(part, number, "Consume TPS", line.partition(":")[2].strip())
            group.per_s = Sourced(per_s, part.name)


def read_stats_all(part: SavedPart, facts: ClusterFacts) -> None:
    """Messages a second of each topic over a minute, its groups, what they take, and how far behind they are."""
    behind, taken = defaultdict[str, int](int), defaultdict[str, float](float)
    loads = dict[str, float]()
    for number, row in PrintedTable(part, optional=("#Consumer Group", "#OutTPS")).rows():
        name = facts.whole_topic(row["#Topic"], CUT)
        topic = facts.topic(name)
        if topic is None:
            continue
        loads[name] = decimal_number(part, number, "#InTPS", row["#InTPS"])
        topic.per_s = Sourced(loads[name], f"{part.name}: #InTPS")
        reader = row.get("#Consumer Group")
        # A group of the topic's own name is what a write of an offset leaves; no application has it.
        group = None if reader in (None, row["#Topic"]) else facts.consumer(facts.whole_group(str(reader), CUT))
        if group is None or row["#OutMsg24Hour"] == "NO_CONSUMER":
            continue
        own = facts.whole_group(str(reader), CUT)
        behind[own] += whole_number(part, number, "#Accumulation", row["#Accumulation"])
        taken[own] += decimal_number(part, number, "#OutTPS", row.get("#OutTPS", "0"))
        group.topics.setdefault(name, part.name)
    for own in behind:
        group = facts.consumers[own]
        group.behind = group.behind or Sourced(behind[own], f"{part.name}: #Accumulation")
        group.per_s = group.per_s or Sourced(taken[own], f"{part.name}: #OutTPS")
    if total := sum(loads.values()):
        facts.per_s.append(Sourced(total, InitSourceTexts.IN_TPS_OF_TOPICS(count=len(loads)).at(part.name)))
