"""Transactional producers of a scenario: their local transactions, and what these come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import Field, PlainSerializer

from simulator.scenario.distributions.latency_settings import Latency
from simulator.scenario.reading.fields import DURATION, Model, Reads, TimeUs, duration_us, whole
from simulator.scenario.texts.field_texts import FieldTexts
from simulator.scenario.texts.producer_texts import ProducerTexts
from simulator.units import US_PER_S, format_duration, shown

WEIGHT_MAX = 1_000_000_000
IDLE_MAX = 999_999
ANSWERS = ("commit", "rollback", "unknown")
OUTCOMES = (*ANSWERS, "never")
MAPPED = "or a mapping of them to weights such as {commit: 95, rollback: 5}"
EXPECTED = f"one of {', '.join(OUTCOMES)}, {MAPPED}"
EXPECTED_ANSWER = f"one of {', '.join(ANSWERS)}, {MAPPED}"


class LocalTime(Latency):
    """How long a local transaction takes."""

    resolved_away: ClassVar[tuple[str, ...]] = ()


def read_time(value: Any) -> Any:
    """The mapping of a distribution: as it is, or that of one duration for all."""
    return value if isinstance(value, dict | LocalTime) else {"constant": value}


def time_text(time: LocalTime) -> Any:
    """The text or mapping that `read_time` reads back."""
    if time.constant_us is not None:
        return format_duration(time.constant_us)
    return time.model_dump(by_alias=True, exclude_none=True)


def read_outcomes(value: Any) -> dict[str, int]:
    """Weights of what local transactions come to, in the order of OUTCOMES."""
    return _weights(value, OUTCOMES, EXPECTED)


def read_answers(value: Any) -> dict[str, int]:
    """Weights of what checks find, in the order of ANSWERS."""
    return _weights(value, ANSWERS, EXPECTED_ANSWER)


def _weights(value: Any, names: Sequence[str], expected: str) -> dict[str, int]:
    weights = value if isinstance(value, dict) else {value: 1}
    for name, weight in weights.items():
        whole = isinstance(weight, int) and not isinstance(weight, bool) and 0 <= weight <= WEIGHT_MAX
        if name not in names or not whole:
            raise ValueError(FieldTexts.EXPECTED(expected=expected, got=shown(value)))
    if not any(weights.values()):
        raise ValueError(FieldTexts.EXPECTED(expected=expected, got=shown(value)))
    return {name: weights[name] for name in names if weights.get(name)}


def outcomes_text(weights: dict[str, int]) -> Any:
    """What `read_outcomes` and `read_answers` read back."""
    return next(iter(weights)) if len(weights) == 1 else dict(weights)


LOCAL_TIMES = Reads(
    read_time, expects="a duration such as 20ms or a distribution such as {exponential: {mean: 20ms}}",
    schema={"anyOf": [DURATION]},
)  # fmt: skip
WEIGHTED = {"type": ["string", "object"], "additionalProperties": {"type": "integer", "minimum": 0}}
Outcome = Annotated[
    dict[str, int], Reads(read_outcomes, expects=EXPECTED, schema=WEIGHTED), PlainSerializer(outcomes_text)
]
Answer = Annotated[
    dict[str, int], Reads(read_answers, expects=EXPECTED_ANSWER, schema=WEIGHTED), PlainSerializer(outcomes_text)
]
CheckTimeUs = Annotated[int, duration_us(0, 600 * US_PER_S), PlainSerializer(format_duration)]


class Transaction(Model):
    """What a transactional producer does after SEND_OK, and how it answers check-backs."""

    local: Annotated[LocalTime, LOCAL_TIMES, PlainSerializer(time_text)] = Field(
        title="a duration such as 20ms or a distribution such as {exponential: {mean: 20ms}}",
        description="how long the local transaction takes; the thread is at it",
    )  # fmt: skip
    outcome: Outcome = Field(
        default_factory=lambda: {"commit": 1},
        title=EXPECTED,
        description="what it comes to; never: unknown, and no check finds more; default commit",
    )
    check: Answer = Field(
        default_factory=lambda: {"commit": 1}, title=EXPECTED_ANSWER,
        description="what a check finds of a transaction that came to unknown; default commit",
    )  # fmt: skip
    check_while_running: Answer = Field(
        default_factory=lambda: {"unknown": 1}, title=EXPECTED_ANSWER,
        description="what a check finds while the local transaction runs; default unknown",
    )  # fmt: skip
    check_time_us: CheckTimeUs = Field(
        1_000, alias="check_time", title="a duration such as 1ms",
        description="what a check takes the one thread of a producer that answers them; default 1ms",
    )  # fmt: skip
    check_immunity_time_us: TimeUs = Field(
        0, alias="check_immunity_time", title="a duration such as 90s",
        description="CHECK_IMMUNITY_TIME_IN_SECONDS: no check before; default the broker's transactionTimeOut",
    )  # fmt: skip
    idle: Annotated[int, whole(0, IDLE_MAX)] = Field(
        0, description="so many of the group's producers, the last ones, send nothing and only answer checks; default 0"
    )


def thresholds(weights: dict[str, int]) -> tuple[int, int, int]:
    """Upper thresholds over 2**32 of commit, of commit or rollback, and of all that a check may still settle."""
    total = sum(weights.values())
    commit, never = weights.get("commit", 0), weights.get("never", 0)
    below = (commit, commit + weights.get("rollback", 0), total - never)
    first, second, third = ((weight << 32) // total for weight in below)
    return first, second, third


def unsuitable(mode: str, batch: int, arrivals: str, by_strategy: bool) -> Iterator[str]:
    """What a group of transactional producers may not be, as sentences."""
    if mode != "sync":
        yield ProducerTexts.TRANSACTION_MODE(got=mode)
    if batch > 1:
        yield ProducerTexts.TRANSACTION_BATCH(got=batch)
    if arrivals == "closed":
        yield ProducerTexts.TRANSACTION_LOOP()
    if not by_strategy:
        yield ProducerTexts.TRANSACTION_SELECTOR()


def producer_names(group: str, count: int) -> list[str]:
    """Names of a group's producers in their order as texts: shop-1, shop-2, ..., padded."""
    digits = len(str(count))
    return [f"{group}-{number:0{digits}}" for number in range(1, count + 1)]
