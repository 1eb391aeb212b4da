"""Consumer groups that cannot keep up: their load, their capacity, and when brokers delete what they have not read."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.kernel.latency import mean_us
from simulator.scenario.checks.group_load import (
    GroupLoad,
    group_load,
    hot_share,
    instances_of,
    servers_of,
    topic_rate_per_s,
)
from simulator.scenario.checks.rough import rough_count, rough_duration, rough_rate
from simulator.scenario.consuming.consumers import ConsumerGroup
from simulator.scenario.distributions.message_mix import MessageSizes
from simulator.scenario.scenario import Scenario
from simulator.scenario.texts.warning_texts import WarningTexts, since
from simulator.units import format_duration, format_size

FORCIBLY_PERCENT = 85  # from there on files are deleted however young, ten at a time (consumer/broker/expiring.py)
BATCH_FILES = 10
NOTICED = 1.0  # messages behind that are worth a word
SOON_S = 30 * 86_400.0  # no load stays the same for longer, so later deletions are not foretold


def backlog_warnings(scenario: Scenario) -> Iterator[str]:
    """A sentence for each group that gets more than it can handle for some time."""
    for name, group in scenario.consumers.items():
        found = group_load(scenario, group)
        if found.at_us >= 0 and found.behind_most > NOTICED:
            yield _sentence(scenario, name, group, found)


def _sentence(scenario: Scenario, name: str, group: ConsumerGroup, found: GroupLoad) -> str:
    load = WarningTexts.GROUP_LOAD(
        load=rough_rate(found.load_per_s), capacity=rough_rate(found.capacity_per_s), threads=_threads(scenario, group)
    )
    when, at_end = since(found.at_us), rough_count(found.behind_end)
    besides = WarningTexts.BESIDES_THE_BACKLOG() if group.backlog is not None else ""
    if group.is_broadcasting and group.count > 1:  # which has no backlog
        besides = WarningTexts.ALL_INSTANCES()
    if found.behind_end < found.behind_most:
        left = WarningTexts.BEHIND_AT_END(at_end=at_end) if found.behind_end > NOTICED else ""
        most, at = rough_count(found.behind_most), format_duration(found.most_us)
        return WarningTexts.FALLS_BEHIND(
            group=name, when=when, figures=load, most=most, at=at, besides=besides, left=left
        )
    least = WarningTexts.AT_LEAST() if hot_share(scenario, group) > 0 else ""  # other keys share queues by chance
    deletion = _deletion(scenario, found)
    return WarningTexts.CANNOT_KEEP_UP(
        group=name, when=when, figures=load, least=least, at_end=at_end, besides=besides, deletion=deletion
    )


def _threads(scenario: Scenario, group: ConsumerGroup) -> str:
    text = WarningTexts.EACH_WITH_THREADS if group.is_broadcasting else WarningTexts.WITH_THREADS
    hot = hot_share(scenario, group)
    is_hot = hot > 0 and servers_of(scenario, group)[0][0] == hot
    return text(
        instances=instances_of(scenario, group), threads=group.threads,
        ordered=WarningTexts.ONE_AT_A_QUEUE() if group.mode.in_order else "",
        keyed=WarningTexts.ONE_KEY(share=f"{hot:.0%}") if is_hot else "",
    )  # fmt: skip


def _deletion(scenario: Scenario, found: GroupLoad) -> str:
    """When a group that stays behind begins to miss messages, "; ..."; nothing where that is not soon."""
    if found.end_per_s <= found.capacity_per_s:
        return ""
    growth = 1 - found.capacity_per_s / found.end_per_s  # how much older what it reads is after each second
    at_s, why = min(_deleted(scenario, name, growth) for name in scenario.brokers)
    return WarningTexts.DELETED_UNREAD(after=rough_duration(at_s), why=why) if at_s <= SOON_S else ""


def _deleted(scenario: Scenario, broker: str, growth: float) -> tuple[float, str]:
    """After how many seconds a broker deletes what is as old as its first unread message, and why."""
    own = scenario.brokers[broker]
    kept = (
        own.file_reserved_time_us / 1e6 / growth,
        WarningTexts.RESERVED_TIME(reserved=format_duration(own.file_reserved_time_us)),
    )
    per_s = stored_bytes_per_s(scenario, broker, scenario.duration_us)
    if own.disk_bytes is None or per_s <= 0:
        return kept
    full_bytes = own.disk_bytes * FORCIBLY_PERCENT / 100
    left_bytes = max(full_bytes - BATCH_FILES * own.mapped_file_size_commit_log_bytes, 0)
    at_s = max(full_bytes, left_bytes / growth) / per_s
    full = WarningTexts.DISK_FULL(broker=broker, disk=format_size(own.disk_bytes), percent=FORCIBLY_PERCENT)
    return min(kept, (at_s, full))


def stored_bytes_per_s(scenario: Scenario, broker: str, at_us: int) -> float:
    """Bytes of bodies that a broker stores a second at a moment, if all that is sent is stored."""
    found = 0.0
    for topic in scenario.topics:
        queues = {entry.broker: entry.write_queues for entry in scenario.route(topic) if entry.writeable}
        share = queues.get(broker, 0) / (sum(queues.values()) or 1)
        rate = topic_rate_per_s(scenario, topic, at_us)
        found += rate * share * mean_bytes(scenario.topics[topic].message_bytes)
    return found


def mean_bytes(sizes: MessageSizes) -> float:
    """The mean size of a body."""
    return float(sizes.constant_bytes) if sizes.constant_bytes else mean_us(sizes.table_bytes())
