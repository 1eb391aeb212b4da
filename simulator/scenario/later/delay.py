"""Delayed messages of a group of producers: the delay level that each is sent with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, PlainSerializer

from simulator.consumer.broker.delay_levels import parse_delay_level
from simulator.scenario.reading.fields import Model, Reads
from simulator.units import shown

LEVEL_MAX = 1_000
WEIGHT_MAX = 1_000_000_000
EXPECTED = "a delay level such as 3, or a mapping of levels to weights such as {0: 9, 3: 1}, where 0 is not delayed"


def read_levels(value: Any) -> dict[int, int]:
    """Weights of delay levels in the order of the levels; one level alone has all messages."""
    weights = value if isinstance(value, dict) else {value: 1}
    levels = {_whole(level, LEVEL_MAX, value): _whole(weight, WEIGHT_MAX, value) for level, weight in weights.items()}
    if not levels or not any(levels.values()):
        raise ValueError(f"expected {EXPECTED}, got {shown(value)}")
    return {level: levels[level] for level in sorted(levels) if levels[level] > 0}


def _whole(number: Any, most: int, value: Any) -> int:
    number = int(number) if isinstance(number, str) and number.isascii() and number.isdigit() else number
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= most:
        raise ValueError(f"expected {EXPECTED}, got {shown(value)}")
    return number


def levels_text(levels: Mapping[int, int]) -> Any:
    """What `read_levels` reads back."""
    return next(iter(levels)) if len(levels) == 1 else dict(levels)


LEVELS = Reads(
    read_levels, expects=EXPECTED,
    schema={"type": ["integer", "object"], "minimum": 0, "additionalProperties": {"type": "integer", "minimum": 0}},
)  # fmt: skip


class Delay(Model):
    """The delay levels of a group's messages, with their weights."""

    level: Annotated[dict[int, int], LEVELS, PlainSerializer(levels_text)] = Field(
        title=EXPECTED, description="delay level of each message; the brokers' message_delay_level says how long it is"
    )


def _level_table(text: Any) -> str:
    if not isinstance(text, str) or not parse_delay_level(text).ok or parse_delay_level(text).max_level == 0:
        raise ValueError(
            "expected delays in order of their levels, with a unit of s m h d between single blanks, such as "
            f'"1s 5s 10s 30s", got {shown(text)}'
        )
    return text


MessageDelayLevel = Annotated[
    str, Reads(_level_table, expects='delays of the levels such as "1s 5s 10s 30s"', schema={"type": "string"})
]
