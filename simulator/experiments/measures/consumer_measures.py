"""What is measured of consumer groups in a run, of delays and of transactions, from its totals: a number a measure."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from simulator.compiled.records import Array
from simulator.experiments.measures.draining import count, got_none, lag_counted, never_consumed
from simulator.experiments.texts.measure_texts import MeasureTexts
from simulator.kernel import histogram
from simulator.plan.consumers.own_topics import groups_that_fail
from simulator.run.run_totals import Totals
from simulator.scenario import Scenario


def lag_max(totals: Totals, scenario: Scenario, warm_up_us: int, group: int) -> float:
    """Most messages that were stored and not consumed, at the end of a window; nan of a group that got none."""
    lag = lag_counted(totals, scenario, warm_up_us, group)
    return float(lag.max()) if len(lag) and not got_none(totals, scenario, warm_up_us, group) else math.nan


def passed_by(totals: Totals, scenario: Scenario, warm_up_us: int, group: int, name: str) -> float:
    """Messages that a group never consumes, missed or skipped; nan of a group that got none."""
    return math.nan if got_none(totals, scenario, warm_up_us, group) else float(count(totals, group, name))


def end_to_end_ms(totals: Totals, scenario: Scenario, warm_up_us: int, group: int, rank_ppm: int) -> float:
    """From the intended send time until handled for the first time, at a rank of all messages.

    inf where the rank is among those that were never handled; nan without messages.
    """
    never = round(never_consumed(totals, scenario, warm_up_us, group))
    return float(histogram.percentile_us(totals.consumer_latency[group], rank_ppm, beyond=never) / 1000)


def consumed_twice_percent(totals: Totals, group: int) -> float:
    """Consumptions of messages that the group had consumed before, of all; retries of failed ones are none."""
    consumed = count(totals, group, "consumed")
    return 100 * count(totals, group, "consumed_again") / consumed if consumed else math.nan


def out_of_order_percent(totals: Totals, group: int) -> float:
    """Consumptions that ended after one of a later message of their queue, of all; first ones only."""
    consumed = count(totals, group, "consumed")
    return 100 * count(totals, group, "out_of_order") / consumed if consumed else math.nan


def late_p99_ms(totals: Totals, broker: int | None) -> float:
    """How late delayed messages became readable at a broker, or at all; nan of none.

    inf where the rank is among those that are overdue at the end.
    """
    if not len(totals.late):
        return math.nan
    late, overdue = (_of_all(one, broker) for one in (totals.late, totals.overdue))
    return _p99_ms(late, int(overdue))


def transaction_visible_p99_ms(totals: Totals, group: int | None) -> float:
    """From the intended send time until readable, of the messages of a producer group or of all; nan of none.

    inf where the rank is among those that were given up, or are open for longer than 99 % of the others took.
    """
    if not len(totals.visible):
        return math.nan
    names = ("visible", "open_ages", "never_visible")
    visible, ages, never = (_of_all(getattr(totals, name), group) for name in names)
    p99_us = histogram.percentile_us(visible, 990_000)
    oldest = 0 if math.isnan(p99_us) else int(histogram.cells_of(np.array([p99_us], np.int64))[0]) + 1
    return _p99_ms(visible, int(never) + int(ages[oldest:].sum()))


def _of_all(counts: Array, number: int | None) -> Array:
    found: Array = counts.sum(axis=0) if number is None else counts[number]
    return found


def _p99_ms(counts: Array, beyond: int) -> float:
    return float(histogram.percentile_us(counts, 990_000, beyond=beyond) / 1000)


def check_backs_per_s(totals: Totals, broker: int | None, counted_us: int) -> float:
    """Check-backs of a broker, or of all, a second of the time that counts; nan without transactions."""
    if not len(totals.check_backs):
        return math.nan
    return int(totals.check_backs.sum() if broker is None else totals.check_backs[broker]) / (counted_us / 1e6)


def has_delays(scenario: Scenario) -> bool:
    """Whether messages wait for a delay level: they are sent with one, or come again as retries."""
    return bool(groups_that_fail(scenario)) or any(group.delay is not None for group in scenario.producers)


def has_transactions(scenario: Scenario) -> bool:
    """Whether a group of producers sends in transactions."""
    return bool(scenario.transactional)


NEEDS: dict[str, tuple[Callable[[Scenario], bool], str]] = {
    "late_p99_ms": (has_delays, MeasureTexts.NOTHING_DELAYED()),
    "check_backs_per_s": (has_transactions, MeasureTexts.NO_TRANSACTIONS()),
    "transaction_visible_p99_ms": (has_transactions, MeasureTexts.NO_TRANSACTIONS()),
}  # by measure: whether a scenario can have it, and what is said where it cannot


def why_not_delayed(measure: str, scenario: Scenario) -> str | None:
    """Why no run of a scenario has a measure of NEEDS, None if its runs can have it.

    measure: with the group or broker that is asked for in brackets.
    """
    name, _, place = measure.partition("[")
    can_have, why = NEEDS[name]
    if not can_have(scenario):
        return why
    group = next((own for own in scenario.producers if own.group == place.removesuffix("]")), None)
    if name == "transaction_visible_p99_ms" and group is not None and group.transaction is None:
        return MeasureTexts.NOT_IN_TRANSACTIONS(group=group.group)
    return None
