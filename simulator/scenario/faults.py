"""The faults of a scenario: what goes wrong on which broker, from when to when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, PlainSerializer, model_validator

from simulator.codes import RESPONSE_CODES, SEND_STATUS_CODES
from simulator.scenario.errors import Problem, ProblemsError, not_known, raise_any
from simulator.scenario.fields import (
    MILLION,
    Model,
    PeriodUs,
    Text,
    TimeUs,
    choice,
    code_number,
    decimal,
    name_of,
)
from simulator.units import format_duration, shown

KINDS = ("hang", "refuse", "slow", "code", "status")
NEEDED_KEY = {"slow": "factor", "code": "response_code", "status": "send_status"}
FACTOR_MAX = 1_000
PERIODS_MAX = 100_000
ALL = "all"


class FaultPeriod(NamedTuple):
    """One stretch of one fault on one broker: [at_us, until_us) of virtual time.

    `value`: slow = the factor in millionths; code = the response code; status = its code in
    `codes.SEND_STATUS_CODES`; hang and refuse = 0.
    """

    at_us: int
    until_us: int
    broker: str
    kind: str
    value: int
    label: str


def read_brokers(value: Any) -> tuple[str, ...]:
    """Brokers of a fault: one name, a list of names, or `all`."""
    if not isinstance(value, list | tuple):
        return (name_of("broker")(value),)
    if not value:
        raise ValueError("expected at least one broker, got an empty list")
    names: list[str] = []
    for i, name in enumerate(value):
        try:
            names.append(name_of("broker")(name))
        except ValueError as error:
            raise ProblemsError([Problem((i,), str(error))]) from None
    return tuple(names)


def read_factor(value: Any) -> int:
    """A factor above 0 and at most 1000 in millionths."""
    expected = f"a factor above 0 and at most {FACTOR_MAX} with at most six decimals"
    factor = decimal(value, expected) * MILLION
    if factor.denominator != 1 or not 0 < factor <= FACTOR_MAX * MILLION:
        raise ValueError(f"expected {expected}, got {shown(value)}")
    return int(factor)


def read_response_code(value: Any) -> int:
    """A response code that is an error, by name or number."""
    if not isinstance(value, bool) and (value in SEND_STATUS_CODES or value in SEND_STATUS_CODES.values()):
        raise ValueError(f"{shown(value)} is a send status; use kind: status")
    return code_number(value, RESPONSE_CODES, "response code")


def read_send_status(value: Any) -> str:
    """The name of a SendStatus other than SEND_OK."""
    if not isinstance(value, str) or value not in SEND_STATUS_CODES:
        raise ValueError(not_known("send status", str(value), SEND_STATUS_CODES))
    return value


def factor_number(millionths: int) -> int | float:
    """The number that `read_factor` reads back."""
    return millionths // MILLION if millionths % MILLION == 0 else millionths / MILLION


BrokerNames = Annotated[tuple[str, ...], BeforeValidator(read_brokers), PlainSerializer(list)]
Factor = Annotated[int, BeforeValidator(read_factor), PlainSerializer(factor_number)]
ErrorCode = Annotated[int, BeforeValidator(read_response_code)]
StatusName = Annotated[str, BeforeValidator(read_send_status)]


class Fault(Model):
    """Something that happens to brokers from `at_us` for `for_us`, once or every `every_us` until `until_us`.

    Kinds: hang = requests wait, none is answered; refuse = no connection; slow = service times `factor` times
    as long; code = every send is answered with `response_code`; status = stored, but with `send_status`.
    Several at once: hang and slow add to whatever else goes on; of refuse, code and status the one that comes
    last in `Scenario.fault_periods()` wins, which is the one that started last. What lies beyond the
    scenario's duration is cut off.
    """

    at_us: TimeUs = Field(alias="at", description="a duration such as 1m")
    for_us: PeriodUs = Field(alias="for", description="a duration such as 60s")
    every_us: PeriodUs | None = Field(None, alias="every")
    until_us: TimeUs | None = Field(None, alias="until")
    brokers: BrokerNames = Field(alias="broker", description="the name of a broker, a list of names, or all")
    kind: Annotated[Literal["hang", "refuse", "slow", "code", "status"], choice(*KINDS)] = Field(
        description=f"one of {', '.join(KINDS)}"
    )
    factor_millionths: Factor | None = Field(None, alias="factor")
    response_code: ErrorCode | None = None
    send_status: StatusName | None = None
    label: Text | None = None

    @model_validator(mode="after")
    def _check(self) -> Fault:
        raise_any(self._problems())
        return self

    def _problems(self) -> Iterator[Problem]:
        given = {
            "factor": self.factor_millionths,
            "response_code": self.response_code,
            "send_status": self.send_status,
        }
        needed = NEEDED_KEY.get(self.kind)
        if needed is not None and given[needed] is None:
            yield Problem((needed,), f"missing; kind {self.kind} needs it")
        for key, value in given.items():
            if value is not None and key != needed:
                kind = next(kind for kind, key_of_kind in NEEDED_KEY.items() if key_of_kind == key)
                yield Problem((key,), f"only kind {kind} has it, and this is kind {self.kind}")
        if self.every_us is None:
            if self.until_us is not None:
                yield Problem(("until",), "it ends a repetition; set every too, or give the length in for")
        elif self.every_us < self.for_us:
            text = f"expected at least for, {format_duration(self.for_us)}, got {format_duration(self.every_us)}"
            yield Problem(("every",), text)
        if self.until_us is not None and self.until_us <= self.at_us:
            text = f"expected above at, {format_duration(self.at_us)}, got {format_duration(self.until_us)}"
            yield Problem(("until",), text)

    @property
    def value(self) -> int:
        """The number of `FaultPeriod.value`."""
        if self.send_status is not None:
            return SEND_STATUS_CODES[self.send_status]
        return self.factor_millionths or self.response_code or 0

    def starts_us(self, duration_us: int) -> range:
        """Begin of every repetition before the end of the repetition and of the scenario, microseconds."""
        if self.every_us is None:
            return range(self.at_us, min(self.at_us + 1, duration_us))
        end_us = duration_us if self.until_us is None else min(self.until_us, duration_us)
        return range(self.at_us, end_us, self.every_us)

    def periods(self, duration_us: int, brokers: Sequence[str]) -> Iterator[FaultPeriod]:
        """Every stretch of this fault on each of its brokers, cut at `until` and at the scenario's end."""
        end_us = duration_us if self.until_us is None else min(self.until_us, duration_us)
        names = brokers if self.brokers == (ALL,) else sorted(set(self.brokers))
        for at_us in self.starts_us(duration_us):
            until_us = min(at_us + self.for_us, end_us)
            for broker in names:
                yield FaultPeriod(at_us, until_us, broker, self.kind, self.value, self.label or "")

    def unknown_brokers(self, brokers: Sequence[str]) -> Iterator[Problem]:
        """A problem for each broker that is named and not in `brokers`."""
        if self.brokers == (ALL,):
            return
        for i, name in enumerate(self.brokers):
            if name not in brokers:
                path: tuple[str | int, ...] = ("broker",) if len(self.brokers) == 1 else ("broker", i)
                yield Problem(path, not_known("broker", name, brokers))
