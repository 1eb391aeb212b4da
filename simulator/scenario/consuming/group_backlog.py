"""What a group has to consume as the run begins: stored before, in all, by topic, broker or queue, or by its age."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

from simulator.consumer.allocation.names import Queue
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.reading.fields import DURATION, DURATION_MAX_US, Reads, within
from simulator.scenario.reading.scenario_error import Path, Problem, not_known
from simulator.scenario.texts.consumer_texts import ConsumerTexts
from simulator.scenario.texts.field_texts import FieldTexts
from simulator.units import US_PER_S, format_duration, parse_duration_us, shown

BACKLOG_MAX = 100_000_000  # messages; 40 bytes each in memory
EXPECTED = (
    "a number of messages such as 12311, a duration such as 10m, or a mapping of topics, brokers or queues to these "
    "such as {broker-a: 12000, broker-b: [300, 11]}"
)
THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+")


def read_backlog(value: Any) -> Any:
    """The canonical form: a number, the text of a duration, a list by queue, or a mapping of names to these."""
    if isinstance(value, dict) and value:
        return {key: read_backlog(own) for key, own in value.items()}
    if isinstance(value, list | tuple) and value:
        return tuple(_messages(own) for own in value)
    if isinstance(value, str) and not THOUSANDS.fullmatch(value.strip()):
        return format_duration(_age_us(value))
    return _messages(value)


def _age_us(text: str) -> int:
    try:
        return within(parse_duration_us(text), 0, DURATION_MAX_US, EXPECTED, text)
    except ValueError:
        raise ValueError(FieldTexts.EXPECTED(expected=EXPECTED, got=shown(text))) from None


def _messages(value: Any) -> int:
    if isinstance(value, str) and THOUSANDS.fullmatch(value.strip()):
        value = int(value.replace(",", ""))
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(FieldTexts.EXPECTED(expected=EXPECTED, got=shown(value)))
    return within(value, 0, BACKLOG_MAX, f"0 to {BACKLOG_MAX:,} messages", value)


BACKLOG = Reads(
    read_backlog, expects=EXPECTED,
    schema={"anyOf": [{"type": "integer", "minimum": 0}, DURATION, {"type": ["array", "object", "string"]}]},
)  # fmt: skip
Backlog = Annotated[Any, BACKLOG]


def rates_at_the_begin(producers: Sequence[ProducerGroup]) -> dict[str, Fraction]:
    """Messages a second that each topic gets as the run begins; those of closed loops are not known."""
    found: dict[str, Fraction] = {}
    for own in producers:
        whole = sum(own.topics.values())
        for topic, weight in own.topics.items():
            found[topic] = found.get(topic, Fraction(0)) + own.count * own.rate_at(0) * weight / whole
    return found


def backlog_of_queues(backlog: Any, rates: Mapping[Queue, Fraction]) -> dict[Queue, int]:
    """Messages by queue, of those queues that have some; `rates`: messages a second by queue that the group reads.

    A number is spread evenly, a duration is what the queues get in that time.
    """
    queues = list(rates)
    if isinstance(backlog, dict):
        found: dict[Queue, int] = {}
        for key, own in backlog.items():
            found |= backlog_of_queues(own, {queue: rates[queue] for queue in _named(key, queues)})
        return found
    if isinstance(backlog, tuple):
        return dict(zip(queues, backlog, strict=False))
    if isinstance(backlog, str):
        age_us = parse_duration_us(backlog)
        return {queue: int(rate * age_us / US_PER_S) for queue, rate in rates.items()}
    each, more = divmod(backlog, max(len(queues), 1))
    return {queue: each + (place < more) for place, queue in enumerate(queues)}


def rates_of_queues(queues: Sequence[Queue], rates: Mapping[str, Fraction]) -> dict[Queue, Fraction]:
    """Messages a second of each queue: a topic's queues get the same."""
    counts: dict[str, int] = {}
    for topic, _, _ in queues:
        counts[topic] = counts.get(topic, 0) + 1
    return {queue: rates.get(queue[0], Fraction(0)) / counts[queue[0]] for queue in queues}


def _named(key: str | int, queues: Sequence[Queue]) -> list[Queue]:
    """The queues of a topic, of a broker, or of a number."""
    name = str(key)
    found = [queue for queue in queues if name in queue[:2]]
    return found or [queue for queue in queues if name == str(queue[2])]


def backlog_problems(backlog: Any, queues: Sequence[Queue], rates: Mapping[str, Fraction]) -> Iterator[Problem]:
    """What of a backlog does not fit the queues that the group reads, each with its path below the key."""
    problems = list(_problems((), backlog, queues, rates))
    yield from problems
    if not problems and sum(backlog_of_queues(backlog, rates_of_queues(queues, rates)).values()) > BACKLOG_MAX:
        yield Problem((), ConsumerTexts.BACKLOG_TOO_LARGE(most=BACKLOG_MAX))


def _problems(path: Path, backlog: Any, queues: Sequence[Queue], rates: Mapping[str, Fraction]) -> Iterator[Problem]:
    lists = {queue[:2] for queue in queues}
    if isinstance(backlog, tuple):
        if len(lists) != 1:
            yield Problem(path, ConsumerTexts.LIST_WITHOUT_BROKER())
        elif len(backlog) > len(queues):
            yield Problem(path, ConsumerTexts.MORE_NUMBERS_THAN_QUEUES(most=len(queues), got=len(backlog)))
    elif isinstance(backlog, str):
        for topic in sorted({queue[0] for queue in queues}):
            if not rates.get(topic):
                text = ConsumerTexts.NO_RATE_AT_THE_START(topic=topic)
                yield Problem(path, text)
    elif isinstance(backlog, dict):
        for key, own in backlog.items():
            is_number = str(key).isdigit() and not any(str(key) in names for names in lists)
            if is_number and len(lists) != 1:
                yield Problem((*path, key), ConsumerTexts.QUEUE_WITHOUT_BROKER())
            elif not (found := _named(key, queues)):
                known = [str(name) for name in dict.fromkeys(part for queue in queues for part in queue[:2])]
                numbers = [str(queue[2]) for queue in queues] if len(lists) == 1 else []
                yield Problem((*path, key), not_known("topic, broker or queue", str(key), [*known, *numbers]))
            else:
                yield from _problems((*path, key), own, found, rates)
