"""Which faults brought schedules near to missing a goal, and schedules that are put together from those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from simulator.hunt.drawn_values import Draws
from simulator.hunt.schedule import Schedule, Strike
from simulator.hunt.space import HuntSpace
from simulator.hunt.variation import NEAR_US

Key = tuple[int, str]  # number of a template, role of whom it strikes

BEFORE, HOPED = 2.0, 2.0  # schedules that each fault is taken to have been in, so many times as near as is usual
SHARP = 2.0  # power: a fault that brings schedules twice as near is drawn four times as often
AS_IT_WAS = 0.5  # of the drawn faults, with the values with which they came nearest
FULL = 0.75  # of the schedules have as many faults as may be
LEAST = 0.1  # of what is usual
AGAIN = 4  # draws of a fault that the schedule has already


@dataclass
class Credit:
    """Of a fault, by one sign: schedules that had it, their signs together, and the strike that came nearest."""

    tried: int = 0
    sum: float = 0.0
    best: float = -1.0
    strike: Strike | None = None


@dataclass
class StrikeCredits:
    """What each fault of a space has brought so far, whatever else happened (as an estimation of distribution does).

    signs: of how many each schedule has.
    """

    space: HuntSpace
    signs: int = 0
    _keys: list[Key] = field(default_factory=list)
    _known: dict[tuple[int, Key], Credit] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number, places in enumerate(self.space.places):
            roles = [self._role(number, place) for place in places]
            self._keys += [(number, role) for role in dict.fromkeys(roles)]

    def _role(self, number: int, place: object) -> str:
        return self.space.roles.get((self.space.templates[number].target, str(place)), str(place))

    def take(self, schedule: Schedule, signs: Sequence[float]) -> None:
        """Note how near a schedule came, by each sign."""
        self.signs = max(self.signs, len(signs))
        for one in schedule.strikes:
            for sign, value in enumerate(signs):
                own = self._known.setdefault((sign, (one.template, self.space.role(one))), Credit())
                own.tried += 1
                own.sum += value
                if value > own.best:
                    own.best, own.strike = value, one

    def put_together(self, sign: int, draws: Draws) -> Schedule:
        """A schedule of faults that brought others near by a sign, all of them at about the same time."""
        count = self.space.most if draws.part() < FULL else 1 + draws.below(self.space.most)
        weights = self._weights(sign)
        strikes: list[Strike] = []
        for _ in range(count):
            one = self._drawn(sign, weights, draws)
            for _ in range(AGAIN):
                if all((one.template, one.place) != (other.template, other.place) for other in strikes):
                    break
                one = self._drawn(sign, weights, draws)
            if strikes:
                first = strikes[0]
                begin_us = first.at_us - (one.length_us or NEAR_US)
                length_us = first.until_us - begin_us + (0 if first.length_us else NEAR_US)
                one = self.space.fitted(one.changed(at_us=max(begin_us + int(draws.part() * length_us), 0)))
            strikes.append(one)
        return Schedule(tuple(strikes), self.space.drawn_settings(draws))

    def _weights(self, sign: int) -> list[tuple[Key, float]]:
        known = [self._known.get((sign, key), Credit()) for key in self._keys]
        tried = sum(one.tried for one in known)
        usual = sum(one.sum for one in known) / tried if tried else 0.0
        if not usual:
            return [(key, 1.0) for key in self._keys]
        return [
            (key, max((one.sum / usual + BEFORE * HOPED) / (one.tried + BEFORE), LEAST) ** SHARP)
            for key, one in zip(self._keys, known, strict=True)
        ]

    def _drawn(self, sign: int, weights: list[tuple[Key, float]], draws: Draws) -> Strike:
        left = draws.part() * sum(weight for _, weight in weights)
        number, role = weights[-1][0]
        for key, weight in weights:
            left -= weight
            if left <= 0:
                number, role = key
                break
        known = self._known.get((sign, (number, role)), Credit()).strike
        alike = [place for place in self.space.places[number] if self._role(number, place) == role]
        place = alike[draws.below(len(alike))]
        fresh = self.space.strike_of(number, draws)
        values = known.values if known is not None and draws.part() < AS_IT_WAS else fresh.values
        return self.space.fitted(Strike(number, fresh.kind, fresh.target, place, fresh.at_us, values))
