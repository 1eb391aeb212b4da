"""Values that a hunt draws: a range such as `1s..60s`, or one of a list."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from simulator.hunt.texts.hunt_texts import HuntTexts
from simulator.kernel.randomness import HUNTED_SCHEDULE, signed_words
from simulator.units import US_PER_MS, US_PER_S, format_duration, parse_duration_us, shown

NUMBER = re.compile(r"\d+(?:\.\d+)?")
LEAST_PART = 1e-3  # a range from 0 is drawn as one from this part of its end
WORD = 2.0**64

Value = int | float | str | bool


class Draws:
    """Numbers in [0, 1) of one schedule: the n-th is a hash of seed, schedule and n."""

    def __init__(self, seed: int, number: int) -> None:
        self._seed, self._number, self._taken = seed, number, 0

    def part(self) -> float:
        """The next number in [0, 1)."""
        word = int(signed_words(self._seed, HUNTED_SCHEDULE, self._number, self._taken)[()])
        self._taken += 1
        return (word % 2**64) / WORD

    def below(self, count: int) -> int:
        """The next whole number in [0, count)."""
        return min(int(self.part() * count), count - 1)


@dataclass(frozen=True)
class ValueRange:
    """Numbers from `low` to `high`, drawn evenly by their logarithm; microseconds if `is_time`."""

    low: float
    high: float
    is_time: bool = False

    def at(self, part: float) -> Value:
        """The value at a part 0..1 of the range."""
        low = max(self.low, self.high * LEAST_PART)
        value = low * (self.high / low) ** part if self.high > 0 else 0.0
        return self.rounded(value)

    def rounded(self, value: float) -> float:
        """The nearest value of the range that is short to write."""
        if self.is_time:
            unit = US_PER_S if value >= 10 * US_PER_S else 100 * US_PER_MS if value >= US_PER_S else US_PER_MS
            return int(min(max(round(value / unit) * unit, self.low), self.high))
        size = math.floor(math.log10(value)) if value > 0 else 0
        return float(min(max(round(value, 1 - size), self.low), self.high))

    def part_above(self, value: float) -> float:
        """The part of what is drawn that is at least `value`."""
        low = max(self.low, self.high * LEAST_PART)
        if value <= low or self.high <= low:
            return 1.0
        return max(math.log(self.high / value) / math.log(self.high / low), 0.01)


@dataclass(frozen=True)
class ValueChoice:
    """One of a few values."""

    values: tuple[Value, ...]

    def at(self, part: float) -> Value:
        """The value at a part 0..1 of the list."""
        return self.values[min(int(part * len(self.values)), len(self.values) - 1)]


Drawn = ValueRange | ValueChoice


def read_drawn(value: Any, *, is_time: bool) -> Drawn:
    """The values of `1s..60s`, `2..50`, a list or a single value. Raises ValueError."""
    if isinstance(value, list):
        if not value:
            raise ValueError(HuntTexts.NO_VALUES())
        return ValueChoice(tuple(_number(one, is_time) for one in value))
    if isinstance(value, str) and ".." in value:
        low, high = (_number(end.strip(), is_time) for end in value.split("..", 1))
        if isinstance(low, str) or isinstance(high, str) or low >= high:
            example = "1s..60s" if is_time else "2..50"
            raise ValueError(HuntTexts.RISING_RANGE_EXPECTED(example=example, got=shown(value)))
        return ValueRange(float(low), float(high), is_time)
    return ValueChoice((_number(value, is_time),))


def _number(value: Any, is_time: bool) -> Value:
    if is_time:
        return parse_duration_us(value)
    if isinstance(value, str) and NUMBER.fullmatch(value):
        return float(value)
    if isinstance(value, str | int | float):
        return value
    raise ValueError(HuntTexts.VALUE_EXPECTED(got=shown(value)))


def written_value(value: Value, *, is_time: bool) -> Value:
    """A value as a scenario has it."""
    if is_time:
        return format_duration(int(value))
    return int(value) if isinstance(value, float) and value.is_integer() else value
