"""Which faults brought schedules near to missing a goal, and schedules that are put together from those."""

from __future__ import annotations

from dataclasses import dataclass, field

from simulator.hunt.drawn_values import Draws
from simulator.hunt.schedule import Schedule, Strike
from simulator.hunt.space import HuntSpace
from simulator.hunt.variation import NEAR_US

Key = tuple[int, str]  # number of a template, role of whom it strikes

BEFORE = 2.0  # schedules of the usual nearness that each fault is taken to have been in
SHARP = 3.0  # power: a fault that brings schedules twice as near is drawn eight times as often
AS_IT_WAS = 0.5  # of the drawn faults, with the values with which they came nearest
FULL = 0.75  # of the schedules have as many faults as may be
LEAST = 0.02


@dataclass
class Credit:
    """Of a fault: schedules that had it, their nearness together, and the strike that came nearest."""

    tried: int = 0
    nearness: float = 0.0
    best: float = -1.0
    strike: Strike | None = None


@dataclass
class StrikeCredits:
    """What each fault of a space has brought so far, whatever else happened (as an estimation of distribution does)."""

    space: HuntSpace
    _known: dict[Key, Credit] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number, places in enumerate(self.space.places):
            target = self.space.templates[number].target
            for place in places:
                self._known.setdefault((number, self.space.roles.get((target, str(place)), str(place))), Credit())

    def take(self, schedule: Schedule, nearness: float) -> None:
        """Note how near a schedule came."""
        for one in schedule.strikes:
            own = self._known.get((one.template, self.space.role(one)))
            if own is None:
                continue
            own.tried += 1
            own.nearness += nearness
            if nearness > own.best:
                own.best, own.strike = nearness, one

    def put_together(self, draws: Draws) -> Schedule:
        """A schedule of faults that brought others near, all of them at about the same time."""
        count = self.space.most if draws.part() < FULL else 1 + draws.below(self.space.most)
        weights = self._weights()
        strikes: list[Strike] = []
        for _ in range(count):
            one = self._drawn(weights, draws)
            if strikes:
                first = strikes[0]
                begin_us = first.at_us - (one.length_us or NEAR_US)
                length_us = first.until_us - begin_us + (0 if first.length_us else NEAR_US)
                one = self.space.fitted(one.changed(at_us=max(begin_us + int(draws.part() * length_us), 0)))
            strikes.append(one)
        return Schedule(tuple(strikes), self.space.drawn_settings(draws))

    def _weights(self) -> list[tuple[Key, float]]:
        tried = sum(one.tried for one in self._known.values())
        usual = sum(one.nearness for one in self._known.values()) / tried if tried else 1.0
        return [
            (key, max((one.nearness + BEFORE * usual) / (one.tried + BEFORE), LEAST) ** SHARP)
            for key, one in self._known.items()
        ]

    def _drawn(self, weights: list[tuple[Key, float]], draws: Draws) -> Strike:
        left = draws.part() * sum(weight for _, weight in weights)
        number, role = weights[-1][0]
        for key, weight in weights:
            left -= weight
            if left <= 0:
                number, role = key
                break
        target, known = self.space.templates[number].target, self._known[number, role].strike
        alike = [
            place
            for place in self.space.places[number]
            if self.space.roles.get((target, str(place)), str(place)) == role
        ]
        place = alike[draws.below(len(alike))]
        fresh = self.space.strike_of(number, draws)
        values = known.values if known is not None and draws.part() < AS_IT_WAS else fresh.values
        return self.space.fitted(Strike(number, fresh.kind, target, place, fresh.at_us, values))
