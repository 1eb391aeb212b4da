"""A broker's stats.log as facts: what it counted of each topic and group in every minute.

Source: rocketmq 4.2.0, 4.9.8 and 5.3.3, common.stats.StatsItem.printAtMinutes; store.stats.BrokerStatsManager has the
names. The log does not say which broker wrote it: files of the same minute are of several brokers and are added up.
"""

from __future__ import annotations

import re
from collections import defaultdict
from statistics import median

from streaming.errors import InputError
from streaming.init.cluster_facts import ClusterFacts, Sourced
from streaming.init.saved_part import SavedPart
from streaming.init.texts.init_source_texts import InitSourceTexts
from streaming.texts.init_texts import InitTexts

COUNTED = re.compile(r"\[(?P<name>[A-Z][A-Z0-9_]+)\] \[(?P<key>[^\]]*)\] Stats In One (?P<span>Minute|Hour|Day)")
FIGURES = re.compile(r", SUM: (?P<sum>\d+) TPS: (?P<tps>\d+[.,]\d+|NaN)")
AT = re.compile(r"(?P<minute>\d{4}-\d\d-\d\d \d\d:\d\d):\d\d")
PUT, PUT_BYTES, GOT, OF_BROKER = "TOPIC_PUT_NUMS", "TOPIC_PUT_SIZE", "GROUP_GET_NUMS", "BROKER_PUT_NUMS"
SOURCE = "stats.log"


def is_stats_log(part: SavedPart) -> bool:
    """Lines such as `[TOPIC_PUT_NUMS] [orders] Stats In One Minute, SUM: 4525 TPS: 75.42 AVGPT: 1.00`."""
    return any(COUNTED.search(line) for line in part.lines)


def read_stats_log(part: SavedPart, facts: ClusterFacts) -> None:
    """Gather the minutes, which take_minutes() makes facts of. Raises InputError for a line that is cut off."""
    for number, line in enumerate(part.lines):
        counted = COUNTED.search(line)
        if counted is None or counted["span"] != "Minute":
            continue
        figures, at = FIGURES.match(line, counted.end()), AT.search(line)
        if figures is None or at is None:
            raise InputError(InitTexts.STATS_TIME_EXPECTED(got=line.strip()[:80]).at(part.place(number)))
        if counted["name"] in (PUT, PUT_BYTES, GOT, OF_BROKER) and figures["tps"] != "NaN":
            own = facts.minutes.setdefault(at["minute"], {})
            key = (counted["name"], counted["key"])
            own[key] = own.get(key, 0.0) + float(figures["tps"].replace(",", "."))
    if not facts.minutes:
        raise InputError(InitTexts.NO_MINUTES().at(f"{part.place(0)}"))


def take_minutes(facts: ClusterFacts) -> None:
    """The minute of the highest load, the topics' means, and what groups took in the last minute."""
    loads: dict[str, dict[str, float]] = defaultdict(dict)
    sizes: dict[str, dict[str, float]] = defaultdict(dict)
    taken: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for minute, counted in facts.minutes.items():
        for name, key in counted:
            if name == OF_BROKER and facts.name is None:
                facts.name = Sourced(key, f"{SOURCE}: {OF_BROKER}")
        for (name, key), per_s in counted.items():
            topic, _, group = key.partition("@")
            if facts.topic(topic) is None or name == OF_BROKER:
                continue
            if name == GOT and facts.consumer(group) is not None:
                taken[minute][group] += per_s
                facts.consumers[group].topics.setdefault(topic, f"{SOURCE}: {GOT}")
            elif name in (PUT, PUT_BYTES):
                (loads if name == PUT else sizes)[minute][topic] = per_s
    if taken:
        minute = max(taken)
        for group, per_s in taken[minute].items():
            own = facts.consumers[group]
            own.per_s = own.per_s or Sourced(per_s, f"{SOURCE}: {GOT} at {minute}")
    if not loads:
        return
    peak = max(sorted(loads), key=lambda minute: sum(loads[minute].values()))
    usual = median(sum(load.values()) for load in loads.values())
    put = f"{SOURCE}: {PUT}"
    source = InitSourceTexts.MINUTE(source=put, minute=peak)
    if len(loads) > 1:
        source = InitSourceTexts.MINUTE_OF_SEVERAL(source=put, minute=peak, count=len(loads), usual=usual)
    facts.per_s.append(Sourced(sum(loads[peak].values()), source))
    for topic in sorted({topic for load in loads.values() for topic in load}):
        found = facts.topics[topic]
        per_s = sum(load.get(topic, 0.0) for load in loads.values()) / len(loads)
        found.per_s = found.per_s or Sourced(per_s, InitSourceTexts.MEAN_OF_MINUTES(source=put))
        both = [minute for minute in loads if loads[minute].get(topic) and sizes[minute].get(topic)]
        if both and found.stored_bytes is None:
            size = sum(sizes[minute][topic] for minute in both) / sum(loads[minute][topic] for minute in both)
            found.stored_bytes = Sourced(size, f"{SOURCE}: {PUT_BYTES} over {PUT}")
