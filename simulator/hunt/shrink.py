"""A schedule that misses a goal, made small: fewer, shorter, weaker and later faults, a smaller cluster, a shorter run.

As a property-testing library does it: each pass tries simpler schedules, keeps the simplest that still misses, and all
are done again until none helps (MacIver and Donaldson 2020, test-case reduction via test-case generation).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from simulator.hunt.drawn_values import ValueRange
from simulator.hunt.fault_template import RELATIVE, TIMES
from simulator.hunt.schedule import Schedule
from simulator.hunt.space import HuntSpace
from simulator.scenario import Scenario
from simulator.units import US_PER_MS, US_PER_S, format_duration

ROUNDS = 4  # of all passes
STEPS = 6  # of a bisection
SMALLER = 5  # values that are tried between two
STRONGER = ("factor", "probability", "delay")  # the larger, the worse

# Whether each of some schedules still misses.
StillMisses = Callable[[Sequence[Schedule]], list[bool]]


@dataclass
class Shrinking:
    """A schedule being made small. best: the smallest that is known to miss."""

    space: HuntSpace
    scenario: Scenario
    best: Schedule
    still_misses: StillMisses

    def run(self) -> Schedule:
        """The least schedule that was found."""
        for _ in range(ROUNDS):
            before = self.best.key
            self._fewer()
            self._shorter()
            self._weaker()
            if self.best.key == before:
                break
        self._smaller_cluster()
        self._later()
        self._shorter_run()
        return self.best

    def _first_of(self, candidates: Sequence[Schedule]) -> bool:
        """Take the first that still misses; False if none does."""
        tried = [one for one in candidates if one.key != self.best.key]
        for schedule, misses in zip(tried, self.still_misses(tried) if tried else [], strict=True):
            if misses:
                self.best = schedule
                return True
        return False

    def _fewer(self) -> None:
        """Settings as the scenario has them, and no fault that it does not need."""
        while self._first_of([self._without_setting(key) for key, _ in self.best.settings]):
            pass
        least = 0 if self.best.settings else 1  # settings may be enough; without anything it is the scenario itself
        while len(self.best.strikes) > least and self._first_of([self.best.without(one) for one in self.best.strikes]):
            pass

    def _without_setting(self, key: str) -> Schedule:
        kept = tuple(pair for pair in self.best.settings if pair[0] != key)
        return Schedule(self.best.strikes, kept, self.best.dropped)

    def _shorter(self) -> None:
        for number in range(len(self.best.strikes)):
            strike = self.best.strikes[number]
            key = RELATIVE if strike.value(RELATIVE) else "for"
            if strike.value(key) is not None:
                self._least(number, key, US_PER_MS)

    def _weaker(self) -> None:
        for number in range(len(self.best.strikes)):
            for key, _ in self.best.strikes[number].values:
                if key in STRONGER:
                    self._least(number, key, 0)

    def _least(self, number: int, key: str, least: float) -> None:
        """The smallest value of a key with which it still misses, between the range's low end and what it is."""
        template = self.space.templates[self.best.strikes[number].template]
        drawn = dict(template.values)[key]
        if not isinstance(drawn, ValueRange):
            return
        low, high = max(drawn.low, least), float(self.best.strikes[number].value(key) or 0)
        if low < high and not self._with(number, key, [low]):
            for _ in range(STEPS):
                parts = [low + (high - low) * part / SMALLER for part in range(1, SMALLER)]
                values = [value for value in dict.fromkeys(drawn.rounded(one) for one in parts) if low < value < high]
                if not values:
                    break
                if self._with(number, key, values):
                    high = float(self.best.strikes[number].value(key) or 0)
                    low = max([low, *(float(value) for value in values if float(value) < high)])
                else:
                    low = float(values[-1])

    def _with(self, number: int, key: str, values: Sequence[float]) -> bool:
        strike = self.best.strikes[number]
        made = []
        for value in values:
            given = int(value) if key in TIMES else value
            changed = strike.changed(**{f"{key}_" if key == "for" else key: given})
            made.append(self.best.with_strike(number, changed))
        return self._first_of(made)

    def _later(self) -> None:
        """Each fault as late as it can be, to a whole ten seconds; then all of them together."""
        for number in range(len(self.best.strikes)):
            strike = self.best.strikes[number]
            room_us = int(self.space.begins.high) - strike.at_us
            steps = [strike.at_us + room_us * part // SMALLER for part in range(SMALLER, 0, -1)]
            rounded = [at_us // (10 * US_PER_S) * 10 * US_PER_S for at_us in steps]
            later = [at_us for at_us in dict.fromkeys(rounded) if at_us > strike.at_us]
            take = self._first_sound if len(self.best.strikes) > 1 else self._first_of
            take([self.best.with_strike(number, strike.changed(at_us=at_us)) for at_us in later])

    def _first_sound(self, candidates: Sequence[Schedule]) -> bool:
        """The first that still misses, and holds without any one of its faults, or of none without its settings: else
        it is another case.
        """
        tried = [one for one in candidates if one.key != self.best.key]
        without = [self._less(one) for one in tried]
        every = [*tried, *(schedule for own in without for schedule in own)]
        found = iter(self.still_misses(every) if every else [])
        misses = [next(found) for _ in tried]
        without_misses = [[next(found) for _ in own] for own in without]
        for schedule, is_missed, needless in zip(tried, misses, without_misses, strict=True):
            if is_missed and not any(needless):
                self.best = schedule
                return True
        return False

    def _less(self, one: Schedule) -> list[Schedule]:
        """A schedule without each of its faults, or of none without its settings."""
        known = {key for key, _ in self.space.settings}
        plain = Schedule((), tuple(pair for pair in one.settings if pair[0] not in known), one.dropped)
        return [one.without(strike) for strike in one.strikes] or [plain]

    def _smaller_cluster(self) -> None:
        named = {str(one.place) for one in self.best.strikes}
        named |= {str(one.value("broker")) for one in self.best.strikes}
        for name in reversed(self.scenario.brokers):
            if name not in named and len(self.scenario.brokers) - len(self.best.dropped) > 1:
                dropped = (*self.best.dropped, name)
                self._first_sound([Schedule(self.best.strikes, self.best.settings, dropped)])
        for number, own in enumerate(self.scenario.producers):
            self._first_sound(
                [self.best.with_setting(f"producers.{number}.count", few) for few in _fewer_of(own.count)]
            )

    def _shorter_run(self) -> None:
        """A run that ends soon after the last fault."""
        last_us = max((one.until_us for one in self.best.strikes), default=0)
        whole_us = self.scenario.duration_us
        steps = [last_us + (whole_us - last_us) * part // SMALLER for part in range(1, SMALLER)]
        rounded = [-(-at_us // (10 * US_PER_S)) * 10 * US_PER_S for at_us in steps]
        shorter = [at_us for at_us in dict.fromkeys(rounded) if last_us < at_us < whole_us]
        self._first_sound([self.best.with_setting("duration", format_duration(at_us)) for at_us in shorter])


def _fewer_of(count: int) -> list[int]:
    """Smaller numbers to try, the smallest first."""
    return sorted({1, 2, count // 4, count // 2} & set(range(1, count)))
