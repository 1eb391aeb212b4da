"""The properties of messages that SQL92 filters ask for: drawn by weight, or whole numbers of a distribution."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, Field, PlainSerializer, model_validator

from simulator.consumer.sql.sql_lexer import TEXT_WORDS, WORDS
from simulator.kernel.latency import Table
from simulator.scenario.distributions.message_mix import WEIGHT_MAX, Ratio
from simulator.scenario.reading.fields import Model, Reads, whole
from simulator.scenario.reading.scenario_error import Problem, ProblemsError, raise_any
from simulator.scenario.texts.message_texts import MessageTexts
from simulator.scenario.texts.reading_texts import ReadingTexts
from simulator.units import shown

VALUES_MAX = 1_000
VALUE_MAX = 1_024
NUMBER_MAX = 1_000_000_000
QUANTILES = 1_000
Z_99 = NormalDist().inv_cdf(0.99)
NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]{0,126}")
# MessageConst.STRING_HASH_SET: putUserProperty refuses them
OF_THE_SYSTEM = ("KEYS", "TAGS", "WAIT", "DELAY", "RETRY_TOPIC", "REAL_TOPIC", "REAL_QID", "TRAN_MSG", "UNIQ_KEY")


def _value(value: Any) -> str:
    """The text of a property; numbers and booleans as Java's String.valueOf writes them."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value) if isinstance(value, int | float | str) else ""
    if not text or len(text) > VALUE_MAX or any(letter in text for letter in "\1\2"):
        raise ValueError(MessageTexts.VALUE_EXPECTED(most=VALUE_MAX, got=shown(value)))
    return text


def read_values(value: Any) -> dict[str, int]:
    """Values with their weights, by value; a list gives each the same weight."""
    if isinstance(value, list | tuple):
        value = dict.fromkeys(map(_value, value), 1)
    if not isinstance(value, dict) or not value or len(value) > VALUES_MAX:
        text = MessageTexts.VALUES_EXPECTED(most=VALUES_MAX)
        raise ValueError(f"{text}, got {shown(value)}")
    found = {}
    for key, weight in value.items():
        if isinstance(weight, bool) or not isinstance(weight, int) or not 1 <= weight <= WEIGHT_MAX:
            text = ReadingTexts.COUNT_OUT_OF_RANGE(most=WEIGHT_MAX, count=shown(weight))
            raise ProblemsError([Problem((str(key),), text)])
        found[_value(key)] = weight
    return {key: found[key] for key in sorted(found)}


VALUES = Reads(
    read_values, expects="a list of values or a mapping of value to weight",
    schema={"type": ["array", "object"], "additionalProperties": {"type": "integer", "minimum": 1}},
)  # fmt: skip
Number = Annotated[int, whole(-NUMBER_MAX, NUMBER_MAX)]
Positive = Annotated[int, whole(1, NUMBER_MAX)]


class UniformNumbers(Model):
    """Every whole number from `least` to `most` is as likely; of more than 1,000, 1,000 evenly spread ones."""

    least: Number = Field(alias="min", title="a whole number such as 1", description="smallest")
    most: Number = Field(alias="max", title="a whole number such as 500", description="largest")


class LognormalNumbers(Model):
    """Whole numbers with a long tail, lognormal through their median and 99th percentile: 1,000 quantiles of it."""

    p50: Positive = Field(title="a whole number such as 20", description="their median")
    p99: Positive = Field(title="a whole number such as 400", description="their 99th percentile")


@dataclass(frozen=True)
class DrawnValues:
    """What a property may be, and the share of each; None: the message has it not."""

    values: tuple[str | None, ...]
    shares: tuple[float, ...]

    def thresholds(self) -> Table:
        """Upper thresholds of the values over 2**32, in their order."""
        upper: Table = (np.cumsum(np.array(self.shares, np.float64)) * 2**32).astype(np.int64)
        upper[-1] = 2**32
        return upper

    @property
    def mean_length(self) -> float:
        """Letters of the value, of messages that have it, and their share of all."""
        return sum(share * len(value) for value, share in zip(self.values, self.shares, strict=True) if value)

    @property
    def present(self) -> float:
        """The share of the messages that have it."""
        return sum(share for value, share in zip(self.values, self.shares, strict=True) if value is not None)


class MessageProperty(Model):
    """A property: values by weight, or whole numbers of one of two distributions."""

    values: Annotated[dict[str, int], VALUES] = Field(
        {}, title="a list of values or a mapping of value to weight such as {eu: 3, us: 1}",
        description="values, drawn by weight",
    )  # fmt: skip
    uniform: UniformNumbers | None = Field(None, description="every whole number between two is as likely")
    lognormal: LognormalNumbers | None = Field(
        None, description="whole numbers with a long tail, through their median and 99th percentile"
    )
    present_ppm: Ratio = Field(1_000_000, alias="present", description="share of the messages that have it; default 1")

    @model_validator(mode="after")
    def _check(self) -> MessageProperty:
        raise_any(self._problems())
        return self

    def _problems(self) -> Iterator[Problem]:
        if bool(self.values) + (self.uniform is not None) + (self.lognormal is not None) != 1:
            yield Problem((), MessageTexts.PROPERTY_EXPECTED())
        if self.uniform is not None and self.uniform.least > self.uniform.most:
            text = MessageTexts.BELOW_MIN(min=self.uniform.least, got=self.uniform.most)
            yield Problem(("uniform", "max"), text)
        if self.lognormal is not None and self.lognormal.p50 >= self.lognormal.p99:
            text = MessageTexts.P99_BELOW_P50(p50=self.lognormal.p50, got=self.lognormal.p99)
            yield Problem(("lognormal", "p99"), text)

    def drawn(self) -> DrawnValues:
        """The values and their shares; a missing one comes last."""
        return _drawn(self.uniform or self.lognormal or tuple(self.values.items()), self.present_ppm)


@lru_cache(maxsize=1_000)
def _drawn(of: UniformNumbers | LognormalNumbers | tuple[tuple[str, int], ...], present_ppm: int) -> DrawnValues:
    weights = dict(of) if isinstance(of, tuple) else _quantiles(of)
    present, total = present_ppm / 1e6, sum(weights.values())
    values: list[str | None] = list(weights)
    shares = [weight / total * present for weight in weights.values()]
    if present < 1:
        values.append(None)
        shares.append(1 - present)
    return DrawnValues(tuple(values), tuple(shares))


def _quantiles(of: UniformNumbers | LognormalNumbers) -> dict[str, int]:
    if isinstance(of, UniformNumbers):
        low, count = of.least, of.most - of.least + 1
        number = min(count, QUANTILES)
        return {str(low + (2 * at + 1) * count // (2 * number)): 1 for at in range(number)}
    middle, spread = math.log(of.p50), math.log(of.p99 / of.p50) / Z_99
    found: dict[str, int] = {}
    for at in range(QUANTILES):
        value = round(math.exp(middle + spread * NormalDist().inv_cdf((at + 0.5) / QUANTILES)))
        found[str(value)] = found.get(str(value), 0) + 1
    return found


def read_property(value: Any) -> Any:
    """A property written out, or just its values."""
    if isinstance(value, MessageProperty):
        return value
    if isinstance(value, dict) and value and all(key in PROPERTY_KEYS for key in value):
        return value
    return {"values": read_values(value)}


def property_text(own: MessageProperty) -> Any:
    """What `read_property` reads back."""
    found = own.model_dump(by_alias=True, exclude_defaults=True)
    return found["values"] if list(found) == ["values"] and not PROPERTY_KEYS.issuperset(own.values) else found


PROPERTY_KEYS = frozenset(("values", "uniform", "lognormal", "present"))
PROPERTY = Reads(
    read_property, expects="a list of values, a mapping of value to weight, or a distribution of whole numbers",
    schema={"type": "array"},
)  # fmt: skip


def property_name(value: Any) -> str:
    """A name that an expression can ask for, and that a producer may set."""
    if not isinstance(value, str) or not NAME.fullmatch(value):
        raise ValueError(MessageTexts.PROPERTY_NAME_EXPECTED(got=shown(value)))
    if value.upper() in (*WORDS, *TEXT_WORDS):
        raise ValueError(MessageTexts.WORD_OF_SQL(name=value))
    if value in OF_THE_SYSTEM:
        raise ValueError(MessageTexts.SYSTEM_PROPERTY(name=value))
    return value


PROPERTY_NAME = Reads(property_name, expects="the name of a property", schema={"type": "string"})


def _by_name(own: dict[str, Any]) -> dict[str, Any]:
    return {name: own[name] for name in sorted(own)}


Properties = Annotated[
    dict[
        Annotated[str, PROPERTY_NAME],
        Annotated[MessageProperty, PROPERTY, PlainSerializer(property_text)],
    ],
    AfterValidator(_by_name),
]
