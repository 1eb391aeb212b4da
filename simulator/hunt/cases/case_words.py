"""A found case in words: what strikes whom, what it comes to, and how often."""

from __future__ import annotations

import math
from collections.abc import Mapping

from simulator.experiments.experiment_measures import plain
from simulator.experiments.texts.verdict_texts import VerdictTexts
from simulator.experiments.words import number as in_digits
from simulator.experiments.words import with_unit
from simulator.hunt.goal import Goal
from simulator.hunt.load_step import LOAD
from simulator.hunt.schedule import Schedule, Strike
from simulator.hunt.texts.hunt_texts import CaseTexts
from simulator.scenario.faults.fault_kinds import KINDS
from simulator.scenario.faults.targets import ALL
from simulator.units import US_PER_S, format_duration
from state.texts import Text, joined

# What a case comes to, of the measures that count messages or seconds: with the place in the middle where it has one.
SAID: dict[str, Text] = {
    "lost": CaseTexts.LOST, "lost_unseen": CaseTexts.LOST_UNSEEN, "not_stored": CaseTexts.NOT_STORED,
    "failed_messages": CaseTexts.FAILED, "skipped": CaseTexts.SKIPPED, "missed": CaseTexts.MISSED,
    "dead_letters": CaseTexts.DEAD_LETTERS, "lag_max": CaseTexts.BEHIND, "drain_s": CaseTexts.DRAINING,
    "unowned_s": CaseTexts.UNOWNED, "double_owned_s": CaseTexts.DOUBLE_OWNED,
    "consumed_twice_percent": CaseTexts.CONSUMED_TWICE, "failed_percent": CaseTexts.FAILED_PERCENT,
    "p99_ms": CaseTexts.P99, "p999_ms": CaseTexts.P999, "isolated_s": CaseTexts.ISOLATED,
    "recovery_s": CaseTexts.BACK, "share_percent": CaseTexts.SHARE,
}  # fmt: skip


# The same where that has no end within the run.
ENDLESS: dict[str, Text] = {"drain_s": CaseTexts.NOT_DRAINED, "recovery_s": CaseTexts.NOT_BACK}


def happening(schedule: Schedule) -> str:
    """The faults of a schedule in words, in the order of their begins, and its settings."""
    said = [_struck(schedule.strikes[0]) if schedule.strikes else CaseTexts.NOTHING_ADDED()]
    for before, one in zip(schedule.strikes, schedule.strikes[1:], strict=False):
        gap_us = one.at_us - before.until_us
        is_within = before.length_us == 0 or gap_us < 0
        if is_within:
            said.append(CaseTexts.WHILE(struck=_struck(one)))
        elif gap_us:
            said.append(CaseTexts.LATER(gap=format_duration(gap_us), struck=_struck(one)))
        else:
            said.append(CaseTexts.AND_AT_ONCE(struck=_struck(one)))
    settings = ", ".join(f"{key}={value}" for key, value in schedule.settings if not _is_size(key))
    row = joined(" ", said)
    return joined("", [row, CaseTexts.WITH_SETTINGS(settings=settings)]) if settings else row


def _is_size(key: str) -> bool:
    return key in ("duration", "seed") or key.endswith(".count")


def _struck(strike: Strike) -> str:
    if strike.kind == LOAD:
        who = CaseTexts.ALL_PRODUCERS() if strike.place == ALL else str(strike.place)
        times = in_digits(float(strike.value("factor") or 0))
        return CaseTexts.MORE_LOAD(who=who, times=times, length=_seconds(strike.length_us))
    broker = strike.value("broker") if strike.target == "consumer" else None
    factor, each = strike.value("factor"), strike.value("each")
    return CaseTexts.STRUCK(
        place=_place(strike),
        happens=KINDS[strike.kind].title,
        source=CaseTexts.FROM_BROKER(broker=broker) if broker else "",
        factor="" if factor is None else CaseTexts.BY_FACTOR(factor=in_digits(float(factor))),
        each="" if each is None else CaseTexts.EACH_FOR(each=_seconds(int(each))),
        length=CaseTexts.FOR_TIME(length=_seconds(strike.length_us)) if strike.length_us else "",
    )


def _place(strike: Strike) -> str:
    if strike.target == "name_server" and strike.place != ALL:
        return CaseTexts.NAME_SERVER(number=strike.place)
    return CaseTexts.EVERY(what=strike.target.replace("_", " ")) if strike.place == ALL else str(strike.place)


def _seconds(us: int) -> str:
    return f"{us / US_PER_S:,g} s" if us >= US_PER_S else f"{us / 1000:g} ms"


def comes_to(goal: Goal, values: Mapping[str, float], *, is_endless: bool = False) -> str:
    """What a run comes to, of the measure of a goal, in words; is_endless: it has no end within the run."""
    value, name = values[goal.measure], plain(goal.measure)
    place = goal.measure[len(name) :].strip("[]")
    if name not in SAID or (not place and "place" in SAID[name].names) or not math.isfinite(value):
        return VerdictTexts.IS(measure=goal.measure, figure=with_unit(value, goal.measure))
    figure = in_digits(value) if value != int(value) else f"{int(value):,}"
    said = ENDLESS.get(name, SAID[name]) if is_endless else SAID[name]
    return said(figure=figure, count=value, place=place)


def how_often(a_year: float | None) -> str:
    """A rate in words: `about 3 times a year`, `about once in 40 years`."""
    if a_year is None:
        return CaseTexts.HOW_OFTEN_UNKNOWN()
    if a_year >= 1.5:
        return CaseTexts.TIMES_A_YEAR(times=in_digits(float(f"{a_year:.1g}")))
    if a_year > 0.7:
        return CaseTexts.ONCE_A_YEAR()
    return CaseTexts.ONCE_IN_YEARS(years=in_digits(float(f"{1 / a_year:.1g}")))
