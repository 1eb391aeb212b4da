"""A found case in words: what strikes whom, what it comes to, and how often."""

from __future__ import annotations

import math
from collections.abc import Mapping

from simulator.experiments.experiment_measures import plain
from simulator.experiments.words import number as in_digits
from simulator.experiments.words import with_unit
from simulator.hunt.goal import Goal
from simulator.hunt.load_step import LOAD
from simulator.hunt.schedule import Schedule, Strike
from simulator.scenario.faults.fault_kinds import KINDS
from simulator.scenario.faults.targets import ALL
from simulator.units import US_PER_S, format_duration

# What a case comes to, of the measures that count messages or seconds: with the place in the middle where it has one.
SAID = {
    "lost": "{} acknowledged {messages} lost", "lost_unseen": "{} one-way {messages} lost",
    "not_stored": "{} failed {messages} not stored", "failed_messages": "{} {messages} fail",
    "skipped": "{} {messages} skipped by {place}", "missed": "{} {messages} deleted before {place} has consumed them",
    "dead_letters": "{} {messages} of {place} given up as dead letters",
    "lag_max": "{place} is behind by {} {messages}", "drain_s": "the backlog of {place} takes {} s to drain",
    "unowned_s": "queues of {place} have no owner for {} s",
    "double_owned_s": "queues of {place} have two owners for {} s",
    "consumed_twice_percent": "{} % of the consumptions of {place} are repeated",
    "failed_percent": "{} % of the messages fail", "p99_ms": "p99 is {} ms", "p999_ms": "p99.9 is {} ms",
    "isolated_s": "{place} is isolated for {} s", "recovery_s": "shares and p99 are back after {} s",
    "share_percent": "{place} gets {} % of the attempts",
}  # fmt: skip
PASSIVE = ("lost", "lost_unseen", "not_stored", "skipped", "missed", "dead_letters")


def happening(schedule: Schedule) -> str:
    """The faults of a schedule in words, in the order of their begins."""
    if not schedule.strikes:
        return "Without any added fault"
    said = [_struck(schedule.strikes[0])]
    for before, one in zip(schedule.strikes, schedule.strikes[1:], strict=False):
        gap_us = one.at_us - before.until_us
        is_within = before.length_us == 0 or gap_us < 0
        link = "while" if is_within else f"and {format_duration(gap_us)} later" if gap_us else "and at once"
        said.append(f"{link} {_struck(one)}")
    with_settings = [f"{key}={value}" for key, value in schedule.settings if not _is_size(key)]
    return " ".join(said) + (f", with {', '.join(with_settings)}" if with_settings else "")


def _is_size(key: str) -> bool:
    return key in ("duration", "seed") or key.endswith(".count")


def _struck(strike: Strike) -> str:
    if strike.kind == LOAD:
        place = "all producers" if strike.place == ALL else strike.place
        more = in_digits(float(strike.value("factor") or 0))
        return f"{place} send {more} times as much for {_seconds(strike.length_us)}"
    place = f"name server {strike.place}" if strike.target == "name_server" else str(strike.place)
    place = f"every {strike.target.replace('_', ' ')}" if place == ALL else place
    said = f"{place} {KINDS[strike.kind].title}"
    if strike.target == "consumer" and strike.value("broker"):
        said += f" from {strike.value('broker')}"
    if strike.value("factor") is not None:
        said += f" by a factor of {in_digits(float(strike.value('factor') or 0))}"
    if strike.value("each") is not None:
        said += f", each for {_seconds(int(strike.value('each') or 0))}"
    return said + (f" for {_seconds(strike.length_us)}" if strike.length_us else "")


def _seconds(us: int) -> str:
    return f"{us / US_PER_S:,g} s" if us >= US_PER_S else f"{us / 1000:g} ms"


def comes_to(goal: Goal, values: Mapping[str, float]) -> str:
    """What a run comes to, of the measure of a goal, in words."""
    value, name = values[goal.measure], plain(goal.measure)
    place = goal.measure[len(name) :].strip("[]")
    if name not in SAID or (not place and "{place}" in SAID[name]) or not math.isfinite(value):
        return f"{goal.measure} is {with_unit(value, goal.measure)}"
    one = value == 1
    verb = " is" if one else " are"
    text = SAID[name]
    if name in PASSIVE:
        text = text.replace("{messages}", "{messages}" + verb, 1)
    if name == "failed_messages" and one:
        text = text.replace("fail", "fails")
    return text.format(in_digits(value) if value != int(value) else f"{int(value):,}", place=place,
                       messages="message" if one else "messages")  # fmt: skip


def how_often(a_year: float | None) -> str:
    """A rate in words: `about 3 times a year`, `about once in 40 years`."""
    if a_year is None:
        return "how often is not known"
    if a_year >= 1.5:
        return f"about {in_digits(float(f'{a_year:.1g}'))} times a year"
    if a_year > 0.7:
        return "about once a year"
    return f"about once in {in_digits(float(f'{1 / a_year:.1g}'))} years"
