"""What is measured of consumer groups in a run, of delays and of transactions, from its totals: a number a measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from simulator import histogram
from simulator.compiled.records import Array
from simulator.engine.memory.settings import FAR
from simulator.plan.consumers.own_topics import groups_that_fail
from simulator.run.consumers.consumer_totals import CONSUMER_COUNTS
from simulator.run.run_totals import Totals
from simulator.scenario import Scenario

NEAR_LEAST = 1.5


def lag_max(totals: Totals, scenario: Scenario, warm_up_us: int, group: int) -> float:
    """Most messages that were stored and not consumed, at the end of a window."""
    lag = totals.consumer_lag[warm_up_us // scenario.window_us :, group]
    return float(lag.max()) if len(lag) else math.nan


def _edges(scenario: Scenario) -> Iterator[tuple[int, int]]:
    """(begin, end) of all that makes a backlog: faults, and a rate that is higher than after its next change.

    Where a group has one as the run begins, that is over then.
    """
    if any(group.backlog is not None for group in scenario.consumers.values()):
        yield 0, 0
    for period in scenario.fault_periods():
        yield period.at_us, period.until_us
    for producers in scenario.producers:
        since_us = 0
        for at_us, rate in producers.rate_changes:
            before = producers.rate_at(at_us - 1)
            if rate < before:
                yield since_us, at_us
            elif rate > before:
                since_us = at_us


def why_no_drain(scenario: Scenario) -> str | None:
    """Why no run of a scenario can say how long a backlog takes to drain, None if its runs can."""
    edges = list(_edges(scenario))
    if not edges:
        return "it counts from the end of the last fault, or of the load's last step down, and there is neither"
    if max(end for _, end in edges) >= scenario.duration_us:
        return "it counts from the end of the last fault, or of the load's last step down, and the run ends before"
    return None


def drain_s(totals: Totals, scenario: Scenario, warm_up_us: int, group: int) -> float:
    """Seconds from the end of the last fault, or of the load's last step down, until the lag is back.

    It is back when it is at most what it was before the first of them, or what the group consumes in a window (mean),
    and stays so; where they begin with the run, when it is at most NEAR_LEAST times the least after the last. inf if
    it never is; nan where there is neither.
    """
    if why_no_drain(scenario) is not None:
        return math.nan
    edges, window_us = list(_edges(scenario)), scenario.window_us
    begin_us, end_us = min(begin for begin, _ in edges), max(end for _, end in edges)
    lag = totals.consumer_lag[:, group]
    before = lag[warm_up_us // window_us : begin_us // window_us]
    after = lag[end_us // window_us :]
    usual = count(totals, group, "consumed") / max(len(lag) - warm_up_us // window_us, 1)
    normal = max(usual, float(before.max() if len(before) else NEAR_LEAST * after.min(initial=FAR)))
    above = np.flatnonzero(lag > normal)
    if not len(above):
        return 0.0
    if above[-1] == len(lag) - 1:
        return math.inf
    return max((int(above[-1]) + 1) * window_us - end_us, 0) / 1e6


def end_to_end_ms(totals: Totals, group: int, rank_ppm: int) -> float:
    """From the wish to send until consumed for the first time, at a rank."""
    return float(histogram.percentile_us(totals.consumer_latency[group], rank_ppm) / 1000)


def count(totals: Totals, group: int, name: str) -> int:
    """One of CONSUMER_COUNTS."""
    return int(totals.consumers[group, CONSUMER_COUNTS.index(name)])


def consumed_twice_percent(totals: Totals, group: int) -> float:
    """Consumptions of messages that the group had consumed before, of all."""
    consumed = count(totals, group, "consumed")
    return 100 * count(totals, group, "consumed_again") / consumed if consumed else math.nan


def out_of_order_percent(totals: Totals, group: int) -> float:
    """Consumptions that ended after one of a later message of their queue, of all; first ones only."""
    consumed = count(totals, group, "consumed")
    return 100 * count(totals, group, "out_of_order") / consumed if consumed else math.nan


def retried_percent(totals: Totals, group: int) -> float:
    """Consumptions after which the message comes again through the retry topic, of all."""
    consumed = count(totals, group, "consumed")
    return 100 * count(totals, group, "sent_back") / consumed if consumed else math.nan


def late_p99_ms(totals: Totals, broker: int | None) -> float:
    """How late delayed messages became readable at a broker, or at all; nan of none."""
    return _p99_ms(totals.late, broker)


def transaction_visible_p99_ms(totals: Totals, group: int | None) -> float:
    """From the wish to send until readable, of the committed messages of a producer group or of all; nan of none."""
    return _p99_ms(totals.visible, group)


def _p99_ms(counts: Array, number: int | None) -> float:
    if not len(counts):
        return math.nan
    return float(histogram.percentile_us(counts.sum(axis=0) if number is None else counts[number], 990_000) / 1000)


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
    "late_p99_ms": (has_delays, "nothing is delayed: no producers have delay, and no consumer group has retries"),
    "check_backs_per_s": (has_transactions, "no producers have transaction"),
    "transaction_visible_p99_ms": (has_transactions, "no producers have transaction"),
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
        return f"{group.group} does not send in transactions"
    return None
