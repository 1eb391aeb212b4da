"""Delay levels: the table that messageDelayLevel describes, and when a message of a level is delivered.

Source: rocketmq 4.2.0-5.3.3, ScheduleMessageService.parseDelayLevel and computeDeliverTimestamp.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Ms

DEFAULT_LEVELS = "1s 5s 10s 30s 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 20m 30m 1h 2h"
UNITS_MS = {"s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
UNKNOWN_LEVEL_MS = 1000
RETRY_TOPIC_PREFIX = "%RETRY%"
DLQ_TOPIC_PREFIX = "%DLQ%"
LONG = 64  # bits
NUMBER = re.compile(r"[+-]?\d+")  # what Long.parseLong reads


@dataclass(frozen=True)
class DelayLevels:
    """A parsed messageDelayLevel: ms by level. Where it is not `ok`, the levels before the wrong one count."""

    ok: bool
    delays_ms: Mapping[int, int]
    max_level: int

    @property
    def table_ms(self) -> list[int]:
        """Delays from level 0 on; levels that were not read are delivered after UNKNOWN_LEVEL_MS."""
        return [self.delays_ms.get(level, UNKNOWN_LEVEL_MS) for level in range(self.max_level + 1)]


def parse_delay_level(message_delay_level: str) -> DelayLevels:
    """The table of a messageDelayLevel: numbers with a unit of s m h d, between single blanks."""
    parts = message_delay_level.split(" ")
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    if message_delay_level and not parts[-1]:
        return DelayLevels(True, {}, 0)  # blanks only: Java splits them to nothing
    delays_ms: dict[int, int] = {}
    for level, part in enumerate(parts, 1):
        if not part:
            return DelayLevels(False, delays_ms, level - 1)
        number, unit_ms = part[:-1], UNITS_MS.get(part[-1])
        if unit_ms is None or not NUMBER.fullmatch(number) or not -(1 << LONG - 1) <= int(number) < 1 << LONG - 1:
            return DelayLevels(False, delays_ms, level)
        delays_ms[level] = _wrapped(int(number) * unit_ms)
    return DelayLevels(True, delays_ms, len(parts))


def _wrapped(value: int) -> int:
    """The long that a product overflows to."""
    return ((value + (1 << LONG - 1)) & ((1 << LONG) - 1)) - (1 << LONG - 1)


def pop_retry_topic(group: str, topic: str) -> str:
    """The topic through which what a POP group did not acknowledge comes again (KeyBuilder.buildPopRetryTopicV1)."""
    return f"{RETRY_TOPIC_PREFIX}{group}_{topic}"


def retry_topic(group: str) -> str:
    """The topic that a group's failed messages come back through."""
    return RETRY_TOPIC_PREFIX + group


def dead_letter_topic(group: str) -> str:
    """The topic of what a group gave up."""
    return DLQ_TOPIC_PREFIX + group


@rule()
def stored_level(level: int, max_level: int) -> int:
    """The level a message is stored with; 0 or less: it is not delayed."""
    return min(level, max_level)


@rule()
def queue_of_level(level: int) -> int:
    """Queue of SCHEDULE_TOPIC_XXXX that holds the messages of a level."""
    return level - 1


@rule()
def level_of_queue(queue_id: int) -> int:
    """Level of the messages that a queue of SCHEDULE_TOPIC_XXXX holds."""
    return queue_id + 1


@rule()
def deliver_at_ms(level: int, stored_ms: Ms, delays_ms: Cells, max_level: int) -> Ms:
    """When a message of a level is due; `delays_ms`: DelayLevels.table_ms."""
    return stored_ms + (delays_ms[level] if 1 <= level <= max_level else UNKNOWN_LEVEL_MS)
