"""The space that is searched: faults that may happen in a scenario, when, how many at once, and settings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from simulator.hunt.drawn_values import Draws, Value, ValueRange
from simulator.hunt.fault_template import RELATIVE, FaultTemplate
from simulator.hunt.schedule import Pairs, Schedule, Strike, scenario_with
from simulator.scenario import Scenario, ScenarioError
from simulator.scenario.faults.targets import group_of
from simulator.units import US_PER_S

MOST = 2  # faults at once, unless it is said
QUIET_PART, LAST_PART, END_PART = 8, 0.6, 0.9  # of the duration: before the first fault, after the last begin and end


@dataclass(frozen=True)
class HuntSpace:
    """templates: what may happen; places: whom each can strike; begins: of faults; ends_us: when all are over.

    most: faults at once; settings: dotted keys and the values that each may have beside its own.
    roles: what a place is called where another like it stands for the same, by target and place.
    """

    templates: tuple[FaultTemplate, ...]
    places: tuple[tuple[Value, ...], ...]
    begins: ValueRange
    ends_us: int
    most: int = MOST
    settings: tuple[tuple[str, tuple[Value, ...]], ...] = ()
    roles: dict[tuple[str, str], str] = field(default_factory=dict)

    def role(self, strike: Strike) -> str:
        """Whom a strike meets: places that are alike have one role."""
        return self.roles.get((strike.target, str(strike.place)), str(strike.place))

    def like(self, strike: Strike) -> int:
        """How many places have the role of a strike's."""
        own = self.role(strike)
        names = self.places[strike.template] if strike.template >= 0 else ()
        found = [place for place in names if self.roles.get((strike.target, str(place)), str(place)) == own]
        return max(len(found), 1)

    def pattern(self, strikes: Sequence[Strike]) -> tuple[tuple[str, str], ...]:
        """What strikes whom, whatever the times: what one cause has in common."""
        return tuple(sorted((one.kind, self.role(one)) for one in strikes))

    def strike(self, draws: Draws) -> Strike:
        """A drawn strike."""
        number = draws.below(len(self.templates))
        return self.strike_of(number, draws)

    def strike_of(self, number: int, draws: Draws) -> Strike:
        """A drawn strike of a template."""
        template = self.templates[number]
        place = self.places[number][draws.below(len(self.places[number]))]
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
    """The space of templates in a scenario; those that strike nobody in it, or cannot be there, are left out."""
    end_us = scenario.duration_us
    first, last = (end_us // QUIET_PART, int(end_us * LAST_PART)) if begins is None else (begins.low, begins.high)
    ends_us = max(int(end_us * END_PART), int(last) + US_PER_S)
    when = ValueRange(float(first), float(last), is_time=True)
    text = scenario.to_yaml()
    kept, places = [], []
    for template in templates:
        own = tuple(template.places_in(scenario))
        if own and _is_possible(text, template, own[0], when, ends_us):
            kept.append(template)
            places.append(own)
    return HuntSpace(tuple(kept), tuple(places), when, ends_us, most, tuple(settings), roles_of(scenario))


def why_impossible(scenario: Scenario, template: FaultTemplate) -> str | None:
    """Why the scenario cannot have a fault of a template, None if it can."""
    end_us = scenario.duration_us
    when = ValueRange(end_us / QUIET_PART, end_us * LAST_PART, is_time=True)
    places = tuple(template.places_in(scenario))
    one = HuntSpace((template,), (places,), when, int(end_us * END_PART))
    try:
        scenario_with(scenario.to_yaml(), Schedule((one.strike_of(0, Draws(0, 0)),)))
    except ScenarioError as error:
        return error.sentences[0]
    return None


def _is_possible(text: str, template: FaultTemplate, place: Value, when: ValueRange, ends_us: int) -> bool:
    one = HuntSpace((template,), ((place,),), when, ends_us)
    try:
        scenario_with(text, Schedule((one.strike_of(0, Draws(0, 0)),)))
    except ScenarioError:
        return False
    return True
