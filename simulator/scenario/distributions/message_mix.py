"""What the messages of a topic are like: sizes of bodies, keys and tags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field, PlainSerializer, model_validator

from simulator.kernel.latency import Table
from simulator.scenario.distributions.latency_settings import Latency
from simulator.scenario.reading.fields import Model, Reads, decimal, plain_number, size_bytes, whole
from simulator.scenario.reading.scenario_error import Problem, ProblemsError, raise_any
from simulator.scenario.texts.field_texts import FieldTexts
from simulator.scenario.texts.message_texts import MessageTexts
from simulator.scenario.texts.reading_texts import ReadingTexts
from simulator.units import format_size, shown

BODY_MAX_BYTES = 64 * 1024 * 1024
KEYS_MAX = 1_000_000
RATIO_PPM = 1_000_000
EXPONENT_MAX = 10
TAG_MAX = 127
TAGS_MAX = 1_000
WEIGHT_MAX = 1_000_000
SpreadBytes = Annotated[int, size_bytes(1, BODY_MAX_BYTES), PlainSerializer(format_size)]


class UniformSize(Model):
    """Every size from `min_bytes` to `max_bytes` is as likely."""

    min_bytes: SpreadBytes = Field(alias="min", title="a size such as 1KiB", description="smallest")
    max_bytes: SpreadBytes = Field(alias="max", title="a size such as 64KiB", description="largest")


class LognormalSize(Model):
    """Lognormal through its median and 99th percentile."""

    p50_bytes: SpreadBytes = Field(alias="p50", title="a size such as 1KiB", description="its median")
    p99_bytes: SpreadBytes = Field(alias="p99", title="a size such as 64KiB", description="its 99th percentile")


class MessageSizes(Model):
    """The sizes of bodies: exactly one of three distributions."""

    constant_bytes: SpreadBytes | None = Field(None, alias="constant", description="always the same")
    uniform: UniformSize | None = Field(None, description="every size between two is as likely")
    lognormal: LognormalSize | None = Field(None, description="a long tail, through its median and 99th percentile")

    @model_validator(mode="after")
    def _check(self) -> MessageSizes:
        raise_any(self._problems())
        return self

    def _problems(self) -> Iterator[Problem]:
        if sum(size is not None for size in (self.constant_bytes, self.uniform, self.lognormal)) != 1:
            yield Problem((), MessageTexts.SIZE_EXPECTED())
        if self.uniform is not None and self.uniform.min_bytes > self.uniform.max_bytes:
            low, high = format_size(self.uniform.min_bytes), format_size(self.uniform.max_bytes)
            yield Problem(("uniform", "max"), MessageTexts.BELOW_MIN(min=low, got=high))
        sizes = self.lognormal
        if sizes is not None and not sizes.p50_bytes < sizes.p99_bytes <= 1_000 * sizes.p50_bytes:
            p50, p99 = format_size(sizes.p50_bytes), format_size(sizes.p99_bytes)
            text = MessageTexts.P99_OUT_OF_RANGE_OF_SIZE(p50=p50, got=p99)
            yield Problem(("lognormal", "p99"), text)

    def table_bytes(self) -> Table:
        """The table of `simulator.kernel.latency.service_us`, in bytes up to BODY_MAX_BYTES; not for a constant."""
        if self.uniform is not None:
            spread = {"uniform": {"min": f"{self.uniform.min_bytes}us", "max": f"{self.uniform.max_bytes}us"}}
        else:
            assert self.lognormal is not None
            spread = {"lognormal": {"p50": f"{self.lognormal.p50_bytes}us", "p99": f"{self.lognormal.p99_bytes}us"}}
        return np.clip(Latency.model_validate(spread).service_table_us(), 1, BODY_MAX_BYTES)


def read_skew(value: Any) -> float:
    """The exponent of `zipf 1.1`, 0 of `uniform`."""
    expected = MessageTexts.SKEW_EXPECTED(most=EXPONENT_MAX, got=shown(value))
    if isinstance(value, float):
        return value
    if value == "uniform":
        return 0.0
    words = value.split() if isinstance(value, str) else []
    try:
        exponent = float(words[1]) if len(words) == 2 and words[0] == "zipf" else 0.0
    except ValueError:
        exponent = 0.0
    if not 0 < exponent <= EXPONENT_MAX:
        raise ValueError(expected)
    return exponent


def skew_text(exponent: float) -> str:
    """The text that `read_skew` reads back."""
    return f"zipf {exponent!r}" if exponent else "uniform"


SKEW = Reads(
    read_skew, expects='uniform or a skew such as "zipf 1.1"',
    schema={"type": "string", "pattern": r"^(uniform|zipf \d+(\.\d+)?)$"},
)  # fmt: skip


class Keys(Model):
    """The keys of messages: `count` of them, numbered from 0; key k has weight (k + 1) ** -skew.

    Their names, which a selector by hash hashes, do not follow the numbers (engine/shared/key_names.py).
    """

    count: Annotated[int, whole(1, KEYS_MAX)] = Field(description="how many keys there are")
    skew: Annotated[float, SKEW, PlainSerializer(skew_text)] = Field(0.0, description="how unevenly messages have them")

    def thresholds(self) -> Table:
        """Upper thresholds of the keys over 2**32, int64[count]; empty if all are as likely."""
        if self.skew == 0:
            return np.empty(0, np.int64)
        weights: npt.NDArray[np.float64] = np.cumsum(np.arange(1, self.count + 1, dtype=np.float64) ** -self.skew)
        upper: Table = (weights / weights[-1] * 2**32).astype(np.int64)
        upper[-1] = 2**32
        return upper


def tag_name(value: Any) -> str:
    """A tag: any text without the separator of expressions."""
    if not isinstance(value, str) or not value.strip() or "|" in value or len(value) > TAG_MAX:
        raise ValueError(MessageTexts.TAG_EXPECTED(most=TAG_MAX, got=shown(value)))
    return value


def read_tags(value: Any) -> dict[str, int]:
    """Tags with their weights, by name; a list gives each the same weight."""
    if isinstance(value, list | tuple):
        value = dict.fromkeys(map(tag_name, value), 1)
    if not isinstance(value, dict) or not value or len(value) > TAGS_MAX:
        raise ValueError(MessageTexts.TAGS_EXPECTED(most=TAGS_MAX, got=shown(value)))
    for tag, weight in value.items():
        tag_name(tag)
        if isinstance(weight, bool) or not isinstance(weight, int) or not 1 <= weight <= WEIGHT_MAX:
            text = ReadingTexts.COUNT_OUT_OF_RANGE(most=WEIGHT_MAX, count=shown(weight))
            raise ProblemsError([Problem((tag,), text)])
    return {tag: value[tag] for tag in sorted(value)}


TAG_NAME = Reads(tag_name, expects="a tag", schema={"type": "string", "pattern": r"^[^|]+$"})
TAGS = Reads(
    read_tags, expects="a list of tags or a mapping of tag to weight",
    schema={"type": ["array", "object"], "additionalProperties": {"type": "integer", "minimum": 1}},
)  # fmt: skip


def tag_thresholds(weights: Mapping[str, int]) -> Table:
    """Upper thresholds of the tags over 2**32, in their order."""
    sums = np.cumsum(np.array(list(weights.values()), np.float64))
    upper: Table = (sums / sums[-1] * 2**32).astype(np.int64)
    upper[-1] = 2**32
    return upper


def ratio_ppm(value: Any) -> int:
    """Parts per million of a ratio above 0 and at most 1."""
    expected = MessageTexts.A_RATIO()
    ratio = decimal(value, expected)
    if not 0 < ratio <= 1 or ratio * RATIO_PPM < 1:
        raise ValueError(FieldTexts.EXPECTED(expected=expected, got=shown(value)))
    return int(ratio * RATIO_PPM)


def ratio_number(ppm: int) -> int | float:
    """The number that `ratio_ppm` reads back."""
    return plain_number(Fraction(ppm, RATIO_PPM))


RATIO = Reads(
    ratio_ppm, expects="a ratio above 0 and at most 1",
    schema={"type": "number", "exclusiveMinimum": 0, "maximum": 1},
)  # fmt: skip
Ratio = Annotated[int, RATIO, PlainSerializer(ratio_number)]
