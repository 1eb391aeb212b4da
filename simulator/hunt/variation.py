"""How a schedule that came near to missing a goal is varied: moved, stretched, aimed elsewhere, joined with another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from simulator.hunt.drawn_values import Draws, ValueRange
from simulator.hunt.fault_template import RELATIVE
from simulator.hunt.schedule import Schedule, Strike
from simulator.hunt.space import HuntSpace
from simulator.units import US_PER_S

NEAR_US = 30 * US_PER_S  # two faults that have to do with each other are mostly nearer than a heartbeat's period
WIDTH = 0.3  # of a range, by which a value is varied
FAR = 3.0  # times its length, at most


def varied(space: HuntSpace, schedule: Schedule, others: Sequence[Schedule], draws: Draws) -> Schedule:
    """A schedule near to one, by one or two changes; `others`: to join with."""
    found = schedule
    for _ in range(1 + draws.below(2)):
        change = CHANGES[draws.below(len(CHANGES))]
        found = change(space, found, others, draws)
    return found


def _which(schedule: Schedule, draws: Draws) -> int:
    return draws.below(len(schedule.strikes))


def _moved(space: HuntSpace, schedule: Schedule, _: Sequence[Schedule], draws: Draws) -> Schedule:
    number = _which(schedule, draws)
    one = schedule.strikes[number]
    by_us = int((draws.part() - 0.5) * 2 * NEAR_US)
    return schedule.with_strike(number, space.fitted(one.changed(at_us=max(one.at_us + by_us, 0))))


def _aligned(space: HuntSpace, schedule: Schedule, _: Sequence[Schedule], draws: Draws) -> Schedule:
    """A fault begins shortly before, at or after an edge of another one."""
    number = _which(schedule, draws)
    one = schedule.strikes[number]
    edges = list(schedule.without(one).edges_us())
    if not edges:
        return _moved(space, schedule, (), draws)
    at_us = edges[draws.below(len(edges))] + int((draws.part() - 0.5) * NEAR_US)
    return schedule.with_strike(number, space.fitted(one.changed(at_us=max(at_us, 0))))


def _stretched(space: HuntSpace, schedule: Schedule, _: Sequence[Schedule], draws: Draws) -> Schedule:
    """A fault lasts longer or shorter, up to a factor."""
    number = _which(schedule, draws)
    one, allowed = schedule.strikes[number], space.templates[schedule.strikes[number].template].lengths()
    if allowed is None or not one.length_us:
        return _revalued(space, schedule, (), draws)
    key = RELATIVE if one.value(RELATIVE) else "for_"
    length = allowed.rounded(one.length_us * FAR ** (2 * draws.part() - 1))
    return schedule.with_strike(number, space.fitted(one.changed(**{key: length})))


def _revalued(space: HuntSpace, schedule: Schedule, _: Sequence[Schedule], draws: Draws) -> Schedule:
    """Another value of one of its keys."""
    number = _which(schedule, draws)
    one = schedule.strikes[number]
    own = [(key, drawn) for key, drawn in space.templates[one.template].values if key not in ("for", RELATIVE)]
    if not own:
        return _moved(space, schedule, (), draws)
    key, drawn = own[draws.below(len(own))]
    value, before = drawn.at(draws.part()), one.value(key)
    if isinstance(drawn, ValueRange) and isinstance(before, int | float):
        value = drawn.rounded(float(before) * (drawn.high / max(drawn.low, 1e-9)) ** (WIDTH * (draws.part() - 0.5)))
    values = tuple((name, value if name == key else kept) for name, kept in one.values)
    changed = Strike(one.template, one.kind, one.target, one.place, one.at_us, values)
    return schedule.with_strike(number, space.fitted(changed))


def _aimed(space: HuntSpace, schedule: Schedule, _: Sequence[Schedule], draws: Draws) -> Schedule:
    """A fault strikes somebody else."""
    number = _which(schedule, draws)
    one = schedule.strikes[number]
    places = space.places[one.template]
    place = places[draws.below(len(places))]
    return schedule.with_strike(number, Strike(one.template, one.kind, one.target, place, one.at_us, one.values))


def _other_kind(space: HuntSpace, schedule: Schedule, _: Sequence[Schedule], draws: Draws) -> Schedule:
    """Something else happens at about the same time."""
    number = _which(schedule, draws)
    at_us = schedule.strikes[number].at_us
    return schedule.with_strike(number, space.fitted(space.strike(draws).changed(at_us=at_us)))


def _one_more(space: HuntSpace, schedule: Schedule, _: Sequence[Schedule], draws: Draws) -> Schedule:
    """Another fault, near to one that is there; one less where there are as many as may be."""
    if len(schedule.strikes) >= space.most:
        if space.most == 1:
            return _other_kind(space, schedule, (), draws)
        return schedule.without(schedule.strikes[_which(schedule, draws)])
    strike = space.strike(draws)
    edges = list(schedule.edges_us()) or [strike.at_us]
    at_us = edges[draws.below(len(edges))] + int((draws.part() - 0.5) * NEAR_US)
    placed = space.fitted(strike.changed(at_us=max(at_us, 0)))
    return Schedule((*schedule.strikes, placed), schedule.settings)


def _joined(space: HuntSpace, schedule: Schedule, others: Sequence[Schedule], draws: Draws) -> Schedule:
    """A fault of another schedule that came near joins in, or takes the place of one."""
    other = others[draws.below(len(others))] if others else schedule
    if not other.strikes:
        return _one_more(space, schedule, (), draws)
    more = other.strikes[_which(other, draws)]
    kept = list(schedule.strikes)
    if len(kept) >= space.most:
        kept.pop(_which(schedule, draws))
    return Schedule((*kept, more), schedule.settings)


def _reset(space: HuntSpace, schedule: Schedule, _: Sequence[Schedule], draws: Draws) -> Schedule:
    """Other settings; a move where there are none."""
    if not space.settings:
        return _moved(space, schedule, (), draws)
    return Schedule(schedule.strikes, space.drawn_settings(draws))


Change = Callable[[HuntSpace, Schedule, Sequence[Schedule], Draws], Schedule]
CHANGES: tuple[Change, ...] = (
    _moved, _aligned, _aligned, _stretched, _stretched, _revalued, _aimed, _other_kind, _one_more, _one_more, _joined,
    _reset,
)  # fmt: skip
