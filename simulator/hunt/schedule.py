"""A schedule: which faults strike whom, when and how long, with which settings; and the scenario that has it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

from simulator.hunt.drawn_values import Value, written_value
from simulator.hunt.fault_template import RELATIVE, TIMES
from simulator.hunt.load_step import LOAD, LoadStep, put_steps
from simulator.scenario import Scenario
from simulator.scenario.faults.fault_list import Fault
from simulator.scenario.loading.overrides import apply_overrides
from simulator.scenario.loading.scenario_file import parse_scenario, scenario_of
from simulator.scenario.reading.document import Document
from simulator.scenario.reading.scenario_error import ScenarioError, path_text
from simulator.units import format_duration
from state.texts import at, without

Pairs = tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Strike:
    """One fault of a schedule. template: its number in the space; values: by key, times in microseconds."""

    template: int
    kind: str
    target: str
    place: Value
    at_us: int
    values: Pairs

    def value(self, key: str) -> Value | None:
        """One of its values, None if it has no such key."""
        return dict(self.values).get(key)

    @property
    def length_us(self) -> int:
        """How long it lasts; 0 if it lasts to the end, or goes from one to the next."""
        return int(self.value(RELATIVE) or self.value("for") or 0)

    @property
    def until_us(self) -> int:
        """When it is over."""
        return self.at_us + self.length_us

    def changed(self, **values: Value) -> Strike:
        """The strike with other values; `at_us` is its begin, `for_` its key `for`."""
        at_us = int(values.pop("at_us", self.at_us))
        own = {key.rstrip("_"): value for key, value in values.items()}
        kept = tuple((key, own.get(key, value)) for key, value in self.values)
        return Strike(self.template, self.kind, self.target, self.place, at_us, kept)

    def as_fault(self) -> dict[str, Any]:
        """The fault as a scenario has it."""
        found: dict[str, Any] = {"at": format_duration(self.at_us)}
        for key, value in self.values:
            if key == RELATIVE:
                found["until"] = format_duration(self.at_us + int(value))
            else:
                found[key] = written_value(value, is_time=key in TIMES)
        place = {self.target: self.place}
        return found | place | {"kind": self.kind}

    def as_step(self) -> LoadStep:
        """The step of the load that it is."""
        return LoadStep(self.place, self.at_us, self.until_us, Fraction(str(self.value("factor"))))


@dataclass(frozen=True)
class Schedule:
    """Strikes in the order of their begins. settings: dotted keys and values; dropped: brokers that are not there."""

    strikes: tuple[Strike, ...] = ()
    settings: Pairs = ()
    dropped: tuple[str, ...] = ()
    key: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.strikes, key=lambda one: (one.at_us, one.kind, str(one.place), one.values)))
        object.__setattr__(self, "strikes", ordered)
        faults = [one.as_fault() for one in ordered]
        content = [faults, sorted(self.settings), sorted(self.dropped)]
        object.__setattr__(self, "key", json.dumps(content, separators=(",", ":"), sort_keys=True))

    def without(self, *strikes: Strike) -> Schedule:
        """The schedule without some of its strikes."""
        left = list(self.strikes)
        for one in strikes:
            left.remove(one)
        return Schedule(tuple(left), self.settings, self.dropped)

    def with_strike(self, number: int, strike: Strike) -> Schedule:
        """The schedule with another strike in the place of one."""
        return Schedule((*self.strikes[:number], strike, *self.strikes[number + 1 :]), self.settings, self.dropped)

    def with_setting(self, key: str, value: Value) -> Schedule:
        """The schedule with a setting of that value."""
        return Schedule(self.strikes, tuple(sorted({**dict(self.settings), key: value}.items())), self.dropped)

    def edges_us(self) -> Iterator[int]:
        """Begins and ends."""
        for one in self.strikes:
            yield from (one.at_us, one.until_us)


@lru_cache(maxsize=4)
def _values_of(text: str) -> dict[str, Any]:
    return dict(Document(text, "<scenario>").value)


@lru_cache(maxsize=4)
def _scenario_of(text: str) -> Scenario:
    return parse_scenario(text)


def scenario_with(text: str, schedule: Schedule, name: str | None = None) -> Scenario:
    """The scenario of a canonical text with a schedule beside its own faults. Raises ScenarioError if it cannot be."""
    if not schedule.settings and not schedule.dropped and all(one.kind != LOAD for one in schedule.strikes):
        found = _with_faults(_scenario_of(text), schedule, name)
        if found is not None:
            return found
    return _read(text, schedule, name)


def why_refused(text: str, schedule: Schedule) -> str | None:
    """Why the scenario of a canonical text cannot have a schedule, in a sentence; None if it can."""
    try:
        scenario_with(text, schedule)
    except ScenarioError as error:
        return reason_of(error)
    return None


def reason_of(error: ScenarioError) -> str:
    """The first sentence of an error, without the number of the fault in the list where it is about one."""
    sentence = error.sentence
    place = getattr(sentence, "place", "")
    return without(place, sentence) if place.startswith("faults[") else sentence


def _with_faults(base: Scenario, schedule: Schedule, name: str | None) -> Scenario | None:
    """A scenario with further faults; None if it cannot be. Everything else of it is as it was, and was checked."""
    try:
        faults = tuple(Fault.model_validate(one.as_fault()) for one in schedule.strikes)
        found = base.model_copy(update={"faults": (*base.faults, *faults), "name": name or base.name})
        cast("Any", Scenario)._check(found)
    except ValueError:  # which has no sentences yet
        return None
    return found


def _read(text: str, schedule: Schedule, name: str | None) -> Scenario:
    data = deepcopy(_values_of(text))
    for broker in schedule.dropped:
        data["brokers"].pop(broker, None)
    own = data.get("faults") or []
    apply_overrides(data, dict(schedule.settings))
    data["name"] = data["name"] if name is None else name
    data["faults"] = [*own, *(one.as_fault() for one in schedule.strikes if one.kind != LOAD)]
    put_steps(data["producers"], [one.as_step() for one in schedule.strikes if one.kind == LOAD])
    scenario, problems = scenario_of(data)
    if scenario is None:
        raise ScenarioError([at(path_text(one.path), one.text) for one in problems])
    return scenario
