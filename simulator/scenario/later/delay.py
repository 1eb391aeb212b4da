"""Delayed messages of a group of producers: the delay level, the time or the moment that each is sent with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, NamedTuple

from pydantic import Field, PlainSerializer, model_validator

from simulator.consumer.rules.delay_levels import parse_delay_level
from simulator.scenario.reading.fields import DURATION, DURATION_MAX_US, Model, Reads, TimeUs
from simulator.scenario.texts.field_texts import FieldTexts
from simulator.scenario.texts.producer_texts import ProducerTexts
from simulator.units import format_duration, parse_duration_us, shown

LEVEL_MAX = 1_000
WEIGHT_MAX = 1_000_000_000
US_PER_MS = 1_000
EXPECTED_TIME = "a duration such as 90s, or a mapping of durations to weights such as {30s: 9, 10m: 1}"
EXPECTED = "a delay level such as 3, or a mapping of levels to weights such as {0: 9, 3: 1}, where 0 is not delayed"


def read_levels(value: Any) -> dict[int, int]:
    """Weights of delay levels in the order of the levels; one level alone has all messages."""
    weights = value if isinstance(value, dict) else {value: 1}
    levels = {_whole(level, LEVEL_MAX, value): _whole(weight, WEIGHT_MAX, value) for level, weight in weights.items()}
    if not levels or not any(levels.values()):
        raise ValueError(FieldTexts.EXPECTED(expected=EXPECTED, got=shown(value)))
    return {level: levels[level] for level in sorted(levels) if levels[level] > 0}


def _whole(number: Any, most: int, value: Any, expected: str = EXPECTED) -> int:
    number = int(number) if isinstance(number, str) and number.isascii() and number.isdigit() else number
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= most:
        raise ValueError(FieldTexts.EXPECTED(expected=expected, got=shown(value)))
    return number


def levels_text(levels: Mapping[int, int]) -> Any:
    """What `read_levels` reads back."""
    return next(iter(levels)) if len(levels) == 1 else dict(levels)


def _none_or(text: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else text(value)


LEVELS = Reads(
    read_levels, expects=EXPECTED,
    schema={"type": ["integer", "object"], "minimum": 0, "additionalProperties": {"type": "integer", "minimum": 0}},
)  # fmt: skip


class Timer(NamedTuple):
    """A delay of timer messages, or the moment that all of them should be readable at; the other is 0."""

    delay_us: int
    moment_us: int = 0

    @property
    def is_later(self) -> bool:
        """Whether a message with it waits for anything."""
        return self.delay_us > 0 or self.moment_us > 0


def read_times(value: Any) -> dict[int, int]:
    """Weights of delays in us in the order of the delays; one delay alone has all messages."""
    weights = value if isinstance(value, dict) else {value: 1}
    times: dict[int, int] = {}
    for text, weight in weights.items():
        try:
            time_us = parse_duration_us(text)
        except ValueError as error:
            raise ValueError(FieldTexts.EXPECTED(expected=EXPECTED_TIME, got=shown(value))) from error
        if not 0 <= time_us <= DURATION_MAX_US or time_us % US_PER_MS:
            raise ValueError(ProducerTexts.TIMES_EXPECTED(expected=EXPECTED_TIME, got=shown(value)))
        times[time_us] = times.get(time_us, 0) + _whole(weight, WEIGHT_MAX, value, EXPECTED_TIME)
    if not any(times.values()):
        raise ValueError(FieldTexts.EXPECTED(expected=EXPECTED_TIME, got=shown(value)))
    return {time_us: times[time_us] for time_us in sorted(times) if times[time_us] > 0}


def times_text(times: Mapping[int, int]) -> Any:
    """What `read_times` reads back."""
    texts = {format_duration(time_us): weight for time_us, weight in times.items()}
    return next(iter(texts)) if len(texts) == 1 else texts


TIMES = Reads(
    read_times, expects=EXPECTED_TIME,
    schema={"anyOf": [DURATION, {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}]},
)  # fmt: skip


class Delay(Model):
    """How a group's messages are delayed: by levels, by a time, or until a moment; each with their weights."""

    level: Annotated[dict[int, int] | None, LEVELS, PlainSerializer(_none_or(levels_text))] = Field(
        None, title=EXPECTED,
        description="delay level of each message; the brokers' message_delay_level says how long it is",
    )  # fmt: skip
    delay_time_us: Annotated[dict[int, int] | None, TIMES, PlainSerializer(_none_or(times_text))] = Field(
        None, alias="delay_time", title=EXPECTED_TIME,
        description="setDelayTimeMs or setDelayTimeSec of each message: brokers of 5.0.0 and later deliver it by their "
        "timer wheel",
    )  # fmt: skip
    deliver_time_us: TimeUs | None = Field(
        None, alias="deliver_time", title="a moment such as 5m",
        description="setDeliverTimeMs of all messages: the virtual time at which they should be readable; those sent "
        "later are readable at once",
    )  # fmt: skip

    @model_validator(mode="after")
    def _check(self) -> Delay:
        given = [name for name in ("level", "delay_time_us", "deliver_time_us") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(ProducerTexts.ONE_DELAY())
        return self

    @property
    def timers(self) -> dict[Timer, int]:
        """The delays of timer messages with their weights; none where levels delay them."""
        if self.deliver_time_us is not None:
            return {Timer(0, self.deliver_time_us): 1}
        return {Timer(time_us): weight for time_us, weight in (self.delay_time_us or {}).items()}


def _level_table(text: Any) -> str:
    if not isinstance(text, str) or not parse_delay_level(text).ok or parse_delay_level(text).max_level == 0:
        raise ValueError(ProducerTexts.LEVELS_EXPECTED(got=shown(text)))
    return text


MessageDelayLevel = Annotated[
    str, Reads(_level_table, expects='delays of the levels such as "1s 5s 10s 30s"', schema={"type": "string"})
]
