"""A fault that may happen, or a step of the load: its kind, whom it can strike, and the ranges of its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.hunt.drawn_values import Drawn, Value, ValueRange, read_drawn
from simulator.hunt.load_step import KEYS, LOAD, PRODUCERS
from simulator.hunt.texts.hunt_texts import HuntTexts
from simulator.scenario import Scenario
from simulator.scenario.faults.fault_kinds import KINDS
from simulator.scenario.faults.fault_values import read_kind
from simulator.scenario.faults.struck import OF_PRODUCERS, OF_PROXIES
from simulator.scenario.faults.targets import ALL, struck_instances
from simulator.scenario.reading.scenario_error import Problem, not_known, raise_any
from simulator.scenario.texts.reading_texts import ReadingTexts
from simulator.units import shown
from state.texts import sentence_of

EACH, GROUPS, RELATIVE = "each", "groups", "during"
PLACES = ("broker", "consumer", "proxy", "producer", "name_server", PRODUCERS)
TIMES = ("for", "every", RELATIVE, "ramp", "rto", "delay", "dying", "each", "pause", "drain", "to")
COMMON = ("for", "every", RELATIVE)
OWN = ("kind", "a_year", "because", *PLACES)


@dataclass(frozen=True)
class FaultTemplate:
    """A row of what may happen. target: the key of whom it strikes; places: names, `each`, `all` or `groups`.

    values: what is drawn, by the key of the fault; `during` says how long a repetition goes on. a_year: how often it
    happens to each place, None if that is not known. because: where that is from.
    """

    kind: str
    target: str
    places: tuple[Value, ...]
    values: tuple[tuple[str, Drawn], ...]
    a_year: float | None = None
    because: str = ""

    def places_in(self, scenario: Scenario) -> list[Value]:
        """Whom it can strike in a scenario, each a place of its own."""
        names = names_of(scenario, self.target)
        found: list[Value] = []
        for place in self.places:
            if place == EACH:
                found += names
            elif place == GROUPS:
                found += list(scenario.consumers)
            elif place == ALL:
                found += [ALL] if len(names) > 1 else []
            else:
                found.append(place)
        return list(dict.fromkeys(found))

    def lengths(self) -> ValueRange | None:
        """The range of how long it lasts, None where that is fixed."""
        found = dict(self.values).get(RELATIVE if RELATIVE in dict(self.values) else "for")
        return found if isinstance(found, ValueRange) else None


def names_of(scenario: Scenario, target: str) -> list[Value]:
    """The single places of a target. Only producers with a rate can send more."""
    names: dict[str, list[Value]] = {
        "broker": [*scenario.brokers], "consumer": [*scenario.instances],
        "proxy": [*scenario.proxy_names], "producer": [*scenario.transactional],
        "name_server": [*range(1, scenario.name_servers.count + 1)],
        PRODUCERS: [own.group for own in scenario.producers if own.rate_per_s is not None],
    }  # fmt: skip
    return names[target]


def read_template(value: Any) -> FaultTemplate:
    """The template of a mapping such as `{kind: hang, broker: each, for: 1s..60s}`. Raises ValueError."""
    if not isinstance(value, Mapping):
        raise ValueError(HuntTexts.FAULT_EXPECTED(got=shown(value)))
    if "kind" not in value:
        raise_any([Problem(("kind",), HuntTexts.KIND_MISSING())])
    kind, problems = _kind(value["kind"]), []
    known, places = (*OWN, *_keys_of(kind)), [PRODUCERS] if kind == LOAD else [*PLACES[:-1]]
    targets = [key for key in PLACES if key in value]
    if kind != LOAD and KINDS[kind].cuts_consumers and {"broker", "consumer"} <= set(targets):
        targets.remove("broker")
    if len(targets) != 1 or targets[0] not in places:
        got = shown(", ".join(targets) or "none")
        problems.append(Problem((), HuntTexts.PLACE_EXPECTED(known=", ".join(places), got=got)))
    values: list[tuple[str, Drawn]] = []
    for key, own in value.items():
        if key not in known:
            problems.append(Problem((key,), ReadingTexts.UNKNOWN_INSTEAD(instead=not_known("key", str(key), known))))
        elif key not in OWN or (key == "broker" and key not in targets):
            try:
                values.append((key, read_drawn(own, is_time=key in TIMES)))
            except ValueError as error:
                problems.append(Problem((key,), sentence_of(error)))
    a_year = value.get("a_year")
    if a_year is not None and (isinstance(a_year, bool) or not isinstance(a_year, int | float) or a_year <= 0):
        problems.append(Problem(("a_year",), HuntTexts.A_YEAR_EXPECTED(got=shown(a_year))))
    raise_any(problems)
    target = targets[0]
    struck = value[target] if isinstance(value[target], list) else [value[target]]
    return FaultTemplate(
        kind, target, tuple(struck), tuple(sorted(values)), a_year, str(value.get("because", ""))
    )  # fmt: skip


def _keys_of(kind: str) -> tuple[str, ...]:
    if kind == LOAD:
        return ("for", *KEYS)
    return (*COMMON, *KINDS[kind].keys, *(("ramp",) if KINDS[kind].ramps else ()))


def _kind(value: Any) -> str:
    try:
        return LOAD if value == LOAD else read_kind(value)
    except ValueError as error:
        raise_any([Problem(("kind",), sentence_of(error))])
        raise AssertionError from error  # raise_any has raised


def unknown_places(template: FaultTemplate, scenario: Scenario) -> str | None:
    """The sentence about a template that strikes nobody, None if it is sound."""
    name, kind = template.kind, KINDS.get(template.kind)
    if template.target == "consumer" and kind is not None and not (kind.of_consumers or kind.cuts_consumers):
        return HuntTexts.NOT_OF_CONSUMERS(kind=name)
    if template.target == "proxy" and name not in OF_PROXIES:
        return HuntTexts.NOT_OF_PROXIES(kind=name, known=", ".join(OF_PROXIES))
    if template.target == "producer" and name not in OF_PRODUCERS:
        return HuntTexts.NOT_OF_PRODUCERS(kind=name, known=", ".join(OF_PRODUCERS))
    known = names_of(scenario, template.target)
    if template.target == "consumer":
        known = [*scenario.consumers, *known]
    for place in template.places:
        if place in (EACH, GROUPS, ALL) or place in known:
            continue
        if isinstance(place, str) and "*" in place and struck_instances((place,), [str(own) for own in known]):
            continue
        return not_known(template.target.replace("_", " "), str(place), [str(own) for own in known])
    if not template.places_in(scenario):
        return HuntTexts.NOBODY_TO_STRIKE(what=template.target.replace("_", " "))
    return None
