"""Measures, intervals and differences in words."""

from __future__ import annotations

import math
import re

from simulator.experiments.experiment import UNCHANGED
from simulator.experiments.experiment_measures import MEASURES, plain
from simulator.experiments.intervals import Interval
from simulator.experiments.texts.measure_texts import DifferenceTexts
from simulator.experiments.texts.verdict_texts import VerdictTexts
from state.texts import Text

DIGITS = 3
DIGITS_LEAST = 2  # of either side of a difference
NEVER = "not within the run"
CHANGES = re.compile(r"[,\s]+(?=[\w.]+=)")  # between the changes that an arm is named by


def number(value: float) -> str:
    """A number with three digits that count, thousands separated."""
    if not math.isfinite(value):
        return "no end"
    if value == 0:
        return "0"
    size = math.floor(math.log10(abs(value)))
    rounded = round(value, DIGITS - 1 - size)
    size = math.floor(math.log10(abs(rounded))) if rounded else 0
    text = f"{rounded:,.{max(DIGITS - 1 - size, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def with_unit(value: float, measure: str) -> str:
    """A value of a measure with its unit."""
    return in_unit(value, MEASURES[plain(measure)].unit)


def in_unit(value: float, unit: str) -> str:
    """A value with a unit; without end it is not within the run."""
    if math.isinf(value):
        return NEVER
    return f"{number(value)}{unit}" if unit.startswith("/") else f"{number(value)} {unit}".rstrip()


def apart(ours: float, theirs: float) -> tuple[str, str, str]:
    """The difference of two values and both of them, rounded alike so that they add up: `524`, `7,443`, `7,967`.

    A value of which that leaves fewer than DIGITS_LEAST digits is rounded by itself: `28,800`, `0.45`, `28,800`.
    """
    if not (math.isfinite(ours) and math.isfinite(theirs)) or ours == theirs:
        return number(abs(ours - theirs)), number(ours), number(theirs)
    decimals = DIGITS - 1 - math.floor(math.log10(abs(ours - theirs)))
    first, second = round(ours, decimals), round(theirs, decimals)
    size = _with_decimals(abs(first - second), decimals)
    least = 10.0 ** (DIGITS_LEAST - 1 - decimals)
    one, other = (
        _with_decimals(rounded, decimals) if abs(rounded) >= least else number(value)
        for rounded, value in ((first, ours), (second, theirs))
    )
    return size, one, other


def _with_decimals(value: float, decimals: int) -> str:
    text = f"{value:,.{max(decimals, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def plus_minus(found: Interval, measure: str) -> str:
    """`4.1 % ± 0.3`, or `4.1 % (3.2 to 6.0)` where the interval is lopsided."""
    text = with_unit(found.mean, measure)
    if found.low is None or found.high is None or found.low == found.high:
        return text
    if math.isinf(found.high) or math.isinf(found.low):
        return f"{text} ({number(found.low)} to {number(found.high)})"
    below, above = found.mean - found.low, found.high - found.mean
    if min(below, above) < 0.8 * max(below, above):
        return f"{text} ({number(found.low)} to {number(found.high)})"
    return around(found.mean, found.half_width, MEASURES[plain(measure)].unit)


def with_ends(found: Interval, measure: str) -> str:
    """`28.6 ms (27.4 to 30.1)`: where the interval ends counts; `28.6 ms in one run` without one."""
    text = with_unit(found.mean, measure)
    if found.low is None or found.high is None:
        return f"{text} in one run"
    return f"{text} ({number(found.low)} to {number(found.high)})"


def around(mean: float, half_width: float, unit: str) -> str:
    """`4.10 % ± 0.30`: both with the decimals that the half width tells."""
    decimals = max(0, 1 - math.floor(math.log10(half_width)))
    middle = f"{mean:,.{decimals}f}" + (unit if unit.startswith("/") else f" {unit}".rstrip())
    return f"{middle} ± {half_width:,.{decimals}f}"


# What an arm does to a consumer group, by measure: the base's value follows as `instead of`.
OF_CONSUMERS: dict[str, Text] = {
    "dead_letters": DifferenceTexts.DEAD_LETTERS,
    "missed": DifferenceTexts.MISSED,
    "skipped": DifferenceTexts.SKIPPED,
    "lag_max": DifferenceTexts.BACKLOG,
    "instances_changed": DifferenceTexts.SCALED,
    "drain_s": DifferenceTexts.DRAINED,
    "end_to_end_p99_ms": DifferenceTexts.CONSUMED_LATE,
    "consumed_twice_percent": DifferenceTexts.CONSUMED_TWICE,
    "out_of_order_percent": DifferenceTexts.OUT_OF_ORDER,
    "retried_percent": DifferenceTexts.RETRIED,
    "revived": DifferenceTexts.REVIVED,
    "redelivered_percent": DifferenceTexts.REDELIVERED,
    "invisible_at_end": DifferenceTexts.INVISIBLE,
    "unowned_s": DifferenceTexts.UNOWNED,
    "instances_mean": DifferenceTexts.INSTANCES,
    "double_owned_s": DifferenceTexts.DOUBLE_OWNED,
}

# The same of messages that become readable later than they are stored; the measure is that of the whole run.
OF_LATER: dict[str, Text] = {
    "late_p99_ms": DifferenceTexts.LATE,
    "transaction_visible_p99_ms": DifferenceTexts.READABLE,
    "check_backs_per_s": DifferenceTexts.CHECK_BACKS,
}


# The same where one of both has no end: what does not happen within the run, and what the other does.
NOT_WITHIN: dict[str, tuple[Text, Text]] = {
    "drain_s": (DifferenceTexts.NOT_DRAINED, DifferenceTexts.DRAINED_WHERE_BASE_NOT),
    "end_to_end_p99_ms": (DifferenceTexts.NOT_CONSUMED, DifferenceTexts.CONSUMED_WHERE_BASE_NOT),
    "late_p99_ms": (DifferenceTexts.NOT_ON_TIME, DifferenceTexts.LATE_WHERE_BASE_NEVER),
    "transaction_visible_p99_ms": (DifferenceTexts.NOT_READABLE, DifferenceTexts.READABLE_WHERE_BASE_NOT),
}


def of_later(measure: str, ours: float, theirs: float) -> str:
    """A difference of one of OF_LATER."""
    return _filled(OF_LATER[measure], measure, "", ours, theirs)


def of_consumers(measure: str, ours: float, theirs: float) -> str:
    """A difference of a consumer group's measure, such as `lag_max[billing]`."""
    name, group = plain(measure), measure.partition("[")[2].removesuffix("]")
    return _filled(OF_CONSUMERS[name], measure, group, ours, theirs)


def _filled(form: Text, measure: str, group: str, ours: float, theirs: float) -> str:
    if math.isinf(ours) != math.isinf(theirs):
        form = NOT_WITHIN.get(plain(measure), (form, form))[0 if math.isinf(ours) else 1]
    own, other = (with_unit(value, measure) for value in (ours, theirs))
    return form(group=group, ours=own, theirs=other)


def arm_in_words(name: str) -> str:
    """An arm in a sentence: `client.release=5.3.3` is `release 5.3.3`; a name of another form stays, but UNCHANGED."""
    if name == UNCHANGED:
        return VerdictTexts.UNCHANGED_SCENARIO()
    changes = [change.partition("=") for change in CHANGES.split(name)]
    short = [key.rpartition(".")[2] for key, _, _ in changes]
    if not all(equals and value for _, equals, value in changes) or len(set(short)) < len(short):
        return name
    return " with ".join(f"{key} {value}" for key, (_, _, value) in zip(short, changes, strict=True))
