"""The network of a scenario: how long requests and answers are under way between producers and brokers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import Field, PlainSerializer, model_validator

from simulator.scenario.distributions.latency_settings import Latency
from simulator.scenario.faults.fault_values import BrokerNames, GroupNames
from simulator.scenario.faults.targets import ALL, ANY, struck, unknown_target
from simulator.scenario.reading.fields import DURATION, Model, Reads
from simulator.scenario.reading.scenario_error import Problem, not_known, raise_any
from simulator.scenario.texts.broker_texts import BrokerTexts
from simulator.units import format_duration


class WayTime(Latency):
    """How long a request or an answer is under way."""

    resolved_away: ClassVar[tuple[str, ...]] = ()


def read_way(value: Any) -> Any:
    """The mapping of a distribution: as it is, or that of one duration for all."""
    return value if isinstance(value, dict | WayTime) else {"constant": value}


def way_text(way: WayTime | None) -> Any:
    """The text or mapping that `read_way` reads back."""
    if way is None or way.constant_us is not None:
        return None if way is None else format_duration(way.constant_us or 0)
    return way.model_dump(by_alias=True, exclude_none=True)


WAY = Reads(
    read_way, expects="a duration such as 2ms or a distribution such as {lognormal: {p50: 1ms, p99: 5ms}}",
    schema={"anyOf": [DURATION]},
)  # fmt: skip
Way = Annotated[WayTime, WAY, PlainSerializer(way_text)]


class NetworkLink(Model):
    """The network between some groups of producers and some brokers; it occupies no send thread.

    A connection keeps the order of its requests and of its answers. Of several entries for the same producers and
    broker the last one holds.
    """

    producers: GroupNames | None = Field(None, description="groups of producers; default all")
    brokers: BrokerNames | None = Field(None, alias="broker", description="brokers; default all")
    each_way: Way | None = Field(None, description="time of each request and of each answer on the network")
    requests: Way | None = Field(None, description="time of a request, instead of each_way")
    answers: Way | None = Field(None, description="time of an answer, instead of each_way")

    @model_validator(mode="after")
    def _check(self) -> NetworkLink:
        raise_any(self._problems())
        return self

    def _problems(self) -> Iterator[Problem]:
        if self.each_way is None and self.requests is None and self.answers is None:
            yield Problem(("each_way",), BrokerTexts.LATENCY_MISSING())
        elif self.each_way is not None and self.requests is not None and self.answers is not None:
            yield Problem(("each_way",), BrokerTexts.LATENCY_TWICE())
        if self.brokers and self.brokers[0].startswith(ANY):
            yield Problem(("broker",), BrokerTexts.FIXED_PLACES())

    def joins(self, group: str, broker: str, brokers: Sequence[str]) -> bool:
        """Whether it lies between that group of producers and that broker."""
        is_of_group = self.producers in (None, (ALL,)) or group in (self.producers or ())
        return is_of_group and (self.brokers is None or broker in struck(self.brokers, brokers, 0, 0))

    def unknown_names(self, groups: Sequence[str], brokers: Sequence[str]) -> Iterator[Problem]:
        """A problem for everything that is named and does not exist."""
        for name in self.producers or ():
            if name not in groups and self.producers != (ALL,):
                yield Problem(("producers",), not_known("producer group", name, groups))
        for target in self.brokers or ():
            text = unknown_target(target, brokers)
            if text is not None:
                yield Problem(("broker",), text)
