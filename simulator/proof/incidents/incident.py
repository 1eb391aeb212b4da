"""One incident: what was reported, the cluster it happened on, and the figures that it must and must not show."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from simulator.proof.incidents.incident_texts import IncidentTexts
from simulator.proof.incidents.measures import MEASURES
from simulator.scenario.client_settings import known_release
from simulator.scenario.reading.fields import Model, Text, TimeUs, decimal
from simulator.scenario.reading.scenario_error import Problem, not_known, raise_any
from simulator.scenario.topics import BrokerName, TopicName
from simulator.tolerance import is_near
from simulator.units import shown

SIDES = ("faulty", "mended")


def plain_mapping(value: Any) -> dict[str, Any]:
    """A mapping whose keys the scenario's own models check."""
    if not isinstance(value, dict):
        raise ValueError(IncidentTexts.KEYS_EXPECTED(got=shown(value)))
    return value


def number(value: Any) -> float:
    """A finite number, at least 0, or the word never for a time that does not come."""
    if value == "never":
        return math.inf
    found = decimal(value, "a number or never")
    if found < 0:
        raise ValueError(IncidentTexts.NUMBER_EXPECTED(got=shown(value)))
    return float(found)


def known_measure(value: Any) -> str:
    """The name of a figure that can be measured."""
    if not isinstance(value, str) or value not in MEASURES:
        raise ValueError(not_known("figure", str(value), MEASURES))
    return value


Number = Annotated[float, BeforeValidator(number)]
Keys = Annotated[dict[str, Any], BeforeValidator(plain_mapping)]


class Expected(Model):
    """A figure's expected value: `value` give or take `tolerance`, or a bound; in the measure's unit."""

    value: Number | None = None
    tolerance: Number | None = None
    at_least: Number | None = None
    at_most: Number | None = None

    @model_validator(mode="after")
    def _check(self) -> Expected:
        raise_any(self._problems())
        return self

    def _problems(self) -> Iterator[Problem]:
        if self.value is not None and (self.at_least is not None or self.at_most is not None):
            yield Problem((), IncidentTexts.BOUND_BESIDE_VALUE())
        elif self.value is None and self.at_least is None and self.at_most is None:
            yield Problem((), IncidentTexts.NOTHING_EXPECTED())
        if (self.value is None) != (self.tolerance is None):
            yield Problem((), IncidentTexts.TOLERANCE_WITH_VALUE())

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and greatest value that is as expected."""
        if self.value is not None and self.tolerance is not None:
            if math.isinf(self.value):
                return math.inf, math.inf
            return self.value - self.tolerance, self.value + self.tolerance
        return self.at_least or 0.0, math.inf if self.at_most is None else self.at_most

    def allows(self, measured: float) -> bool:
        """Whether a measured value is as expected; rounding in the twelfth digit does not count."""
        low, high = self.bounds
        return low <= measured <= high or is_near(measured, low, 0) or is_near(measured, high, 0)


class Figure(Model):
    """A named measure with what it must be on the faulty and on the mended side, and why.

    `broker`, `topic`, `from_us` and `until_us` (virtual time at which an attempt or a send begins) narrow what
    is measured. What is expected on both sides must not be the same value; a figure of which only one side says
    something is measured there alone.
    """

    figure: Annotated[str, BeforeValidator(known_measure)] = Field(description="the name of a figure")
    broker: BrokerName | None = None
    topic: TopicName | None = None
    from_us: TimeUs = Field(0, alias="from")
    until_us: TimeUs | None = Field(None, alias="until")
    faulty: Expected | None = None
    mended: Expected | None = None
    because: Text = Field(
        title="the report or the theory", description="the report or the theory that the values come from"
    )

    @model_validator(mode="after")
    def _check(self) -> Figure:
        problems = []
        if self.faulty is None and self.mended is None:
            problems.append(Problem((), IncidentTexts.NEITHER_SIDE()))
        if self.faulty is not None and self.mended is not None:
            (low, high), (other_low, other_high) = self.faulty.bounds, self.mended.bounds
            if max(low, other_low) <= min(high, other_high):
                problems.append(Problem(("mended",), IncidentTexts.ALLOWED_BY_BOTH()))
        if self.broker is None and MEASURES[self.figure].needs_broker:
            problems.append(Problem(("broker",), IncidentTexts.NO_BROKER(figure=self.figure)))
        raise_any(problems)
        return self

    def expected(self, side: str) -> Expected | None:
        """What is expected on a side, None for nothing."""
        return self.faulty if side == "faulty" else self.mended

    @property
    def label(self) -> str:
        """The figure with what narrows it."""
        narrow = [name for name in (self.topic, self.broker) if name is not None]
        return self.figure.replace("_", " ") + (f" ({', '.join(narrow)})" if narrow else "")


class Side(Model):
    """The releases of one side, and what they change in the incident's scenario besides the release."""

    releases: tuple[Annotated[str, BeforeValidator(known_release)], ...] = Field(description="a list of releases")
    change: Keys = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check(self) -> Side:
        if not self.releases:
            raise_any([Problem(("releases",), IncidentTexts.NO_RELEASE())])
        return self


class Incident(Model):
    """One public report. `scenario` lacks name and release; `like` in it is a scenario file it starts from."""

    title: Text = Field(description="a text")
    references: tuple[Text, ...] = Field(description="a list such as [apache/rocketmq#5672]")
    reported: Text = Field(description="what was seen, a text")
    cause: Text = Field(description="why, a text")
    scenario: Keys = Field(description="a mapping of a scenario's keys")
    faulty: Side = Field(description="a mapping such as {releases: [5.0.0]}")
    mended: Side = Field(description="a mapping such as {releases: [5.1.4]}")
    figures: tuple[Figure, ...] = Field(description="a list of figures")

    @model_validator(mode="after")
    def _check(self) -> Incident:
        raise_any(
            Problem((key,), IncidentTexts.EMPTY_LIST()) for key in ("references", "figures") if not getattr(self, key)
        )
        if all(figure.faulty is None or figure.mended is None for figure in self.figures):
            raise_any([Problem(("figures",), IncidentTexts.NONE_OF_BOTH_SIDES())])
        return self

    def side(self, name: str) -> Side:
        """The faulty or the mended side."""
        return self.faulty if name == "faulty" else self.mended
