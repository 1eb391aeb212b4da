"""The types of a scenario's values: text with a unit in, a canonical number in the model, the same text out.

Every check raises ValueError with the rest of a sentence; the loader puts file, line and key before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer

from simulator import units
from simulator.scenario.reading.scenario_error import did_you_mean, not_known, snake_case
from simulator.scenario.reading.usual_words import OF_VALUES
from simulator.scenario.texts.field_texts import FieldTexts
from simulator.units import shown

MARKS_OF = {"broker": "@"}  # room@broker is how AllocateMessageQueueByMachineRoom knows rooms
NAME_MAX = 127  # TopicValidator.TOPIC_MAX_LENGTH
TEXT_LENGTH_MAX = 10_000
MILLION = 1_000_000

DURATION_MAX_US = 3_660 * 86_400 * units.US_PER_S
SERVICE_TIME_MAX_US = 600 * units.US_PER_S
CLIENT_TIME_MAX_MS = 86_400_000
RATE_MAX_PER_S = 1_000_000

# What may be written, for editors; a bare 0 is a duration and a size.
DURATION = {
    "type": ["string", "integer"], "minimum": 0, "maximum": 0,
    "pattern": r"^\s*[-+]?(0|(\s*\d+(\.\d+)?\s*(us|µs|μs|ms|s|m|min|h|d))+)\s*$",
}  # fmt: skip
SIZE = {
    "type": ["string", "integer"], "minimum": 0, "maximum": 0,
    "pattern": r"^\s*[-+]?(0|(\s*\d+(\.\d+)?\s*(B|b|KiB|MiB|GiB|kB|KB|MB|GB))+)\s*$",
}  # fmt: skip


class Model(BaseModel):
    """A frozen part of a scenario that refuses unknown keys; keys of the YAML are the fields' aliases."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # Keys that the YAML may have and the resolved model has not.
    resolved_away: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def keys(cls) -> list[str]:
        """Every key that the YAML may have."""
        own = [field.alias or name for name, field in cls.model_fields.items()]
        return own + list(cls.resolved_away)


@dataclass(frozen=True)
class Reads(BeforeValidator):
    """A check of one value that says what it `expects`: in words, and as the JSON schema of what may be written."""

    expects: str = ""
    schema: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        """The schema of what may be written; a model's own as well if `schema` offers `anyOf` to it."""
        own = {"anyOf": [*self.schema["anyOf"], handler(core_schema)]} if "anyOf" in self.schema else dict(self.schema)
        return {"title": self.expects, **own}


def within(number: int, low: int, high: int, expected: str, value: object) -> int:
    """`number` if it is in [low, high]; raises ValueError with `expected` otherwise."""
    if not low <= number <= high:
        raise ValueError(FieldTexts.EXPECTED(expected=expected, got=shown(value)))
    return number


def whole(low: int, high: int) -> Reads:
    """A whole number in [low, high]."""
    expected = FieldTexts.A_WHOLE_NUMBER(low=low, high=high)

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(FieldTexts.EXPECTED(expected=expected, got=shown(value)))
        return within(value, low, high, expected, value)

    return Reads(check, expects=expected, schema={"type": "integer", "minimum": low, "maximum": high})


def duration_us(low: int, high: int) -> Reads:
    """Microseconds in [low, high] of a duration with a unit."""
    expected = FieldTexts.A_DURATION(low=units.format_duration(low), high=units.format_duration(high))
    return _quantity(units.parse_duration_us, low, high, expected, DURATION)


def duration_ms(low: int, high: int) -> Reads:
    """Milliseconds in [low, high] of a duration with a unit."""
    expected = FieldTexts.A_DURATION(low=units.format_duration_ms(low), high=units.format_duration_ms(high))
    return _quantity(units.parse_duration_ms, low, high, expected, DURATION)


def size_bytes(low: int, high: int) -> Reads:
    """Bytes in [low, high] of a size with a unit."""
    expected = FieldTexts.A_SIZE(low=units.format_size(low), high=units.format_size(high))
    return _quantity(units.parse_size_bytes, low, high, expected, SIZE)


def _quantity(parse: Callable[[object], int], low: int, high: int, expected: str, schema: Mapping[str, Any]) -> Reads:
    return Reads(lambda value: within(parse(value), low, high, expected, value), expects=expected, schema=schema)


def choice(*known: str) -> Reads:
    """One of a few words."""
    expected = f"one of {', '.join(known)}"

    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in known:
            meant = did_you_mean(_meant_by(value, known), known)
            raise ValueError(FieldTexts.EXPECTED(expected=expected, got=shown(value)).followed_by(meant))
        return value

    return Reads(check, expects=expected, schema={"enum": list(known)})


def _meant_by(value: Any, known: Sequence[str]) -> str:
    """The word that a value is compared with: the one here for a usual word, a number as it is written."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    usual = OF_VALUES.get(snake_case(str(value)), "")
    return usual if usual in known else str(value)


def named_as(what: str, most: int = NAME_MAX) -> Reads:
    """The name of a `what`, as `name_of` checks it."""
    schema = {"type": ["string", "integer"], "pattern": f"^[{MARKS_OF.get(what, '')}%|A-Za-z0-9_.-]{{1,{most}}}$"}
    return Reads(name_of(what, most), expects=FieldTexts.A_NAME(what=what), schema=schema)


def name_of(what: str, most: int = NAME_MAX) -> Callable[[Any], str]:
    """A check for the name of a `what`: letters, digits and `_ - . | %`, at most `most` of them; brokers also `@`."""
    more = MARKS_OF.get(what, "")

    def check(value: Any) -> str:
        text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        if not isinstance(text, str) or not re.fullmatch(rf"[{more}%|A-Za-z0-9_.-]{{1,{most}}}", text):
            raise ValueError(FieldTexts.NAME_EXPECTED(what=what, most=most, got=shown(value)))
        return text

    return check


def code_number(value: Any, names: Mapping[str, int], what: str) -> int:
    """A code given by its name or number, 1..65535."""
    if isinstance(value, str):
        if value in names:
            return within(names[value], 1, 65_535, FieldTexts.A_CODE(what=what), value)
        raise ValueError(not_known(what, value, names))
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(FieldTexts.CODE_EXPECTED(what=what, got=shown(value)))
    return within(value, 1, 65_535, FieldTexts.A_CODE_NUMBER(what=what), value)


def named(what: str, known: Mapping[str, Any]) -> Iterable[str]:
    """The names of a mapping that must have at least one; raises ValueError if it is empty."""
    if not known:
        raise ValueError(FieldTexts.EMPTY_MAPPING(what=what))
    return sorted(known)


def sorted_by_name(what: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A mapping of at least one `what` in the order of the names, so that the YAML's order means nothing."""
    return lambda mapping: {name: mapping[name] for name in named(what, mapping)}


def flag_value(value: Any) -> bool:
    """true or false; YAML 1.1's other words for them are refused."""
    if not isinstance(value, bool):
        raise ValueError(FieldTexts.FLAG_EXPECTED(got=shown(value)))
    return value


def text_value(value: Any) -> str:
    """Any text that is not blank."""
    text = str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not text.strip() or len(text) > TEXT_LENGTH_MAX:
        raise ValueError(FieldTexts.TEXT_EXPECTED(most=TEXT_LENGTH_MAX, got=shown(value)))
    return text


def rate_value(value: Any, least: int | None = None) -> Fraction:
    """Events per second of a rate with a unit: above 0, or at least `least`."""
    rate = value if isinstance(value, Fraction) else units.parse_rate_per_s(value)
    if rate > RATE_MAX_PER_S or rate < 0 or (rate == 0 and least is None):
        bound = "above 0" if least is None else FieldTexts.AT_LEAST(least=least)
        raise ValueError(FieldTexts.RATE_EXPECTED(bound=bound, most=RATE_MAX_PER_S, got=shown(value)))
    return rate


def decimal(value: Any, expected: str) -> Fraction:
    """The exact value of a finite number as it was written; raises ValueError with `expected` otherwise."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(FieldTexts.EXPECTED(expected=expected, got=shown(value)))
    if value != value or abs(value) > 1e15:
        raise ValueError(FieldTexts.EXPECTED(expected=expected, got=shown(value)))
    return Fraction(str(value))


def plain_number(number: Fraction) -> int | float:
    """The number that `decimal` reads back."""
    return int(number) if number.denominator == 1 else float(number)


FLAG = Reads(flag_value, expects="true or false", schema={"type": "boolean"})
TEXT = Reads(text_value, expects="a text", schema={"type": ["string", "number"]})
RATE = Reads(
    rate_value,
    expects=f"a rate such as 100/s, at most {RATE_MAX_PER_S}/s",
    schema={"type": "string", "pattern": r"^\s*[+]?\d+(\.\d+)?\s*/\s*(s|min|m|h|d)\s*$"},
)
DURATION_TEXT = PlainSerializer(units.format_duration)
DURATION_MS_TEXT = PlainSerializer(units.format_duration_ms)
Flag = Annotated[bool, FLAG]
Text = Annotated[str, TEXT]
ServiceTimeUs = Annotated[int, duration_us(0, SERVICE_TIME_MAX_US), DURATION_TEXT]
TimeUs = Annotated[int, duration_us(0, DURATION_MAX_US), DURATION_TEXT]
PeriodUs = Annotated[int, duration_us(1, DURATION_MAX_US), DURATION_TEXT]
WaitMs = Annotated[int, duration_ms(0, CLIENT_TIME_MAX_MS), DURATION_MS_TEXT]
TimeoutMs = Annotated[int, duration_ms(1, CLIENT_TIME_MAX_MS), DURATION_MS_TEXT]
RatePerS = Annotated[Fraction, RATE, PlainSerializer(units.format_rate)]
