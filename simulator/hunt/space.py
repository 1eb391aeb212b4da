"""The space that is searched: faults that may happen in a scenario, when, how many at once, and settings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from simulator.hunt.drawn_values import Draws, Value, ValueRange
from simulator.hunt.fault_template import RELATIVE, FaultTemplate
from simulator.hunt.schedule import Pairs, Schedule, Strike, why_refused
from simulator.hunt.texts.hunt_texts import HuntTexts
from simulator.scenario import Scenario
from simulator.scenario.faults.targets import group_of
from simulator.units import US_PER_S

MOST = 2  # faults at once, unless it is said
QUIET_PART, LAST_PART, END_PART = 8, 0.6, 0.9  # of the duration: before the first fault, after the last begin and end
TRIES = 4  # draws of a fault's values at a place, before the scenario cannot have it there


class LeftOut(NamedTuple):
    """What of a template is not in a space: its places that the scenario cannot have struck, and why.

    places: empty where it has nobody to strike.
    """

    kind: str
    target: str
    places: tuple[Value, ...]
    why: str


@dataclass(frozen=True)
class HuntSpace:
    """templates: what may happen; places: whom each can strike; begins: of faults; ends_us: when all are over.

    most: faults at once; settings: dotted keys and the values that each may have beside its own.
    roles: what a place is called where another like it stands for the same, by target and place.
    left_out: what the scenario cannot have.
    """

    templates: tuple[FaultTemplate, ...]
    places: tuple[tuple[Value, ...], ...]
    begins: ValueRange
    ends_us: int
    most: int = MOST
    settings: tuple[tuple[str, tuple[Value, ...]], ...] = ()
    roles: dict[tuple[str, str], str] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()

    def role(self, strike: Strike) -> str:
        """Whom a strike meets: places that are alike have one role."""
        return self.role_of(strike.target, strike.place)

    def role_of(self, target: str, place: Value) -> str:
        """The role of a place."""
        return self.roles.get((target, str(place)), str(place))

    def like(self, strike: Strike) -> int:
        """How many places have the role of a strike's."""
        own = self.role(strike)
        names = self.places[strike.template] if strike.template >= 0 else ()
        return max(sum(self.role_of(strike.target, place) == own for place in names), 1)

    def pattern(self, strikes: Sequence[Strike]) -> tuple[tuple[str, str], ...]:
        """What strikes whom, whatever the times: what one cause has in common."""
        return tuple(sorted((one.kind, self.role(one)) for one in strikes))

    def strike(self, draws: Draws) -> Strike:
        """A drawn strike."""
        number = draws.below(len(self.templates))
        return self.strike_of(number, draws)

    def strike_of(self, number: int, draws: Draws) -> Strike:
        """A drawn strike of a template."""
        return self.strike_at(number, self.places[number][draws.below(len(self.places[number]))], draws)

    def strike_at(self, number: int, place: Value, draws: Draws) -> Strike:
        """A drawn strike of a template at a place."""
        template = self.templates[number]
        at_us = int(self.begins.low + draws.part() * (self.begins.high - self.begins.low))
        values = tuple((key, drawn.at(draws.part())) for key, drawn in template.values)
        return self.fitted(Strike(number, template.kind, template.target, place, at_us, values))

    def fitted(self, strike: Strike) -> Strike:
        """The strike with its begin on a second, within the space, and over in time."""
        at_us = min(max(strike.at_us, int(self.begins.low)), int(self.begins.high)) // US_PER_S * US_PER_S
        length = strike.length_us
        if length and at_us + length > self.ends_us:
            key = RELATIVE if strike.value(RELATIVE) else "for_"
            strike = strike.changed(**{key: max(self.ends_us - at_us, US_PER_S)})
        return strike.changed(at_us=at_us)

    def drawn_settings(self, draws: Draws) -> Pairs:
        """A value of every setting; the scenario's own are left out."""
        found = [(key, draws.below(len(values) + 1), values) for key, values in self.settings]
        return tuple((key, values[place - 1]) for key, place, values in found if place)

    def random(self, draws: Draws) -> Schedule:
        """A random schedule: 1 to `most` faults."""
        count = 1 + draws.below(self.most)
        return Schedule(tuple(self.strike(draws) for _ in range(count)), self.drawn_settings(draws))


def roles_of(scenario: Scenario) -> dict[tuple[str, str], str]:
    """The roles of all places: brokers that are alike are called by the first of them, instances by their group."""
    found: dict[tuple[str, str], str] = {}
    first: dict[str, str] = {}
    for name, broker in scenario.brokers.items():
        routes = [
            (topic, entry.read_queues, entry.write_queues)
            for topic in scenario.topics
            for entry in scenario.route(topic)
            if entry.broker == name
        ]
        alike = json.dumps([broker.model_dump(mode="json"), routes], sort_keys=True)
        found["broker", name] = first.setdefault(alike, name)
    for name in scenario.instances:
        found["consumer", name] = f"one of {group_of(name)}"
    for name in scenario.proxy_names:
        found["proxy", name] = "a proxy"
    for name in scenario.transactional:
        found["producer", name] = f"one of {group_of(name)}"
    for number in range(1, scenario.name_servers.count + 1):
        found["name_server", str(number)] = "a name server"
    return found


def space_of(
    scenario: Scenario, templates: Sequence[FaultTemplate], *, begins: ValueRange | None = None, most: int = MOST,
    settings: Sequence[tuple[str, tuple[Value, ...]]] = (),
) -> HuntSpace:  # fmt: skip
    """The space of templates in a scenario: each at the places where the scenario can have it, the others left out."""
    end_us = scenario.duration_us
    first, last = (end_us // QUIET_PART, int(end_us * LAST_PART)) if begins is None else (begins.low, begins.high)
    ends_us = max(int(end_us * END_PART), int(last) + US_PER_S)
    when = ValueRange(float(first), float(last), is_time=True)
    tried = HuntSpace(tuple(templates), (), when, ends_us, roles=roles_of(scenario))
    text = scenario.to_yaml()
    kept: list[FaultTemplate] = []
    places: list[tuple[Value, ...]] = []
    left_out: list[LeftOut] = []
    for number, template in enumerate(templates):
        own = template.places_in(scenario)
        if not own:
            nobody = HuntTexts.NOBODY_TO_STRIKE(what=template.target.replace("_", " "))
            left_out.append(LeftOut(template.kind, template.target, (), nobody))
            continue
        refused = _refused(tried, text, number, own)
        for why in dict.fromkeys(refused.values()):
            those = tuple(place for place in own if refused.get(place) == why)
            left_out.append(LeftOut(template.kind, template.target, those, why))
        if len(refused) < len(own):
            kept.append(template)
            places.append(tuple(place for place in own if place not in refused))
    return HuntSpace(
        tuple(kept), tuple(places), when, ends_us, most, tuple(settings), tried.roles, tuple(left_out)
    )  # fmt: skip


def _refused(space: HuntSpace, text: str, number: int, places: Sequence[Value]) -> dict[Value, str]:
    """The places at which a scenario cannot have a fault of a template, and why; one place of a role is tried."""
    target = space.templates[number].target
    firsts: dict[str, Value] = {}
    for place in places:
        firsts.setdefault(space.role_of(target, place), place)
    all_of_them = Schedule(tuple(space.strike_at(number, place, Draws(0, 0)) for place in firsts.values()))
    if why_refused(text, all_of_them) is None:
        return {}
    why = {role: _why_not_at(space, text, number, place) for role, place in firsts.items()}
    found = {place: why[space.role_of(target, place)] for place in places}
    return {place: reason for place, reason in found.items() if reason is not None}


def _why_not_at(space: HuntSpace, text: str, number: int, place: Value) -> str | None:
    """Why a scenario cannot have a fault of a template at a place, None if it can with some of the drawn values."""
    said = [why_refused(text, one) for one in _examples(space, number, place)]
    return None if None in said else said[0]


def example(space: HuntSpace, text: str) -> Schedule:
    """A schedule of one fault of a space that is not empty, which the scenario can have."""
    schedules = _examples(space, 0, space.places[0][0])
    return next((one for one in schedules if why_refused(text, one) is None), schedules[0])


def _examples(space: HuntSpace, number: int, place: Value) -> list[Schedule]:
    return [Schedule((space.strike_at(number, place, Draws(0, draw)),)) for draw in range(TRIES)]
