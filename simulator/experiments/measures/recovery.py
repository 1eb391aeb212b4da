"""How long a run takes after its last fault until load and latency are what they were before the first."""

from __future__ import annotations

import math

import numpy as np

from simulator.experiments.texts.measure_texts import MeasureTexts
from simulator.run.run_totals import BIN_COUNTS, Totals, bin_us_of
from simulator.scenario import Scenario
from simulator.units import format_duration

BINS_BEFORE = 5  # bins before the first fault that say what is normal, at least
BINS_BACK = 5  # bins in a row that must be normal again
SIGMAS = 4.0  # of a broker's attempts, or of failures, in a bin, as a binomial count
SHARE_CHANGE = 0.2  # of a broker's normal share
P99_FACTOR = 1.5  # of the highest p99 of a normal bin


def why_no_recovery(scenario: Scenario, warm_up_us: int) -> str | None:
    """Why no run of a scenario can say how long it takes to recover, None if its runs can."""
    periods = scenario.fault_periods()
    if not periods:
        return MeasureTexts.NO_FAULT()
    bin_us = bin_us_of(scenario.duration_us, scenario.window_us)
    normal, first = _stretches(scenario, warm_up_us)
    last = -(-scenario.duration_us // bin_us)
    if normal.stop - normal.start < BINS_BEFORE or last - first < BINS_BACK:
        least = format_duration(max(BINS_BEFORE, BINS_BACK) * bin_us)
        return MeasureTexts.FEW_BINS(least=least)
    return None


def _stretches(scenario: Scenario, warm_up_us: int) -> tuple[slice, int]:
    """The bins before the first fault, and the first one after the last fault."""
    periods, bin_us = scenario.fault_periods(), bin_us_of(scenario.duration_us, scenario.window_us)
    begin, end = min(p.at_us for p in periods), max(p.until_us for p in periods)
    return slice(-(-warm_up_us // bin_us), begin // bin_us), -(-end // bin_us)


def recovery_s(totals: Totals, scenario: Scenario, warm_up_us: int) -> float:
    """Seconds from the end of the last fault until every broker's share and p99 are back for BINS_BACK bins.

    A share is back within SHARE_CHANGE of itself or SIGMAS of its chance, p99 below P99_FACTOR of what was normal, and
    no larger part of the messages fails than before. A bin in which no message ended is not back. inf if they never
    are; nan without faults, without BINS_BEFORE bins before the first or BINS_BACK after the last, or without messages
    before the first.
    """
    if why_no_recovery(scenario, warm_up_us) is not None:
        return math.nan
    bin_us = bin_us_of(scenario.duration_us, scenario.window_us)
    (normal, first), end = _stretches(scenario, warm_up_us), max(p.until_us for p in scenario.fault_periods())
    attempts, p99 = totals.bin_attempts, totals.bins[:, BIN_COUNTS.index("p99_half_us")]
    messages, failed = (totals.bins[:, BIN_COUNTS.index(name)] for name in ("messages", "failed"))
    if not attempts[normal].any() or not messages[normal].any():
        return math.nan
    fails, normal_fails = failed / np.maximum(messages, 1), float(failed[normal].sum() / messages[normal].sum())
    fails_by_chance = SIGMAS * np.sqrt(normal_fails * (1 - normal_fails) / np.maximum(messages, 1))
    before = attempts[normal].sum(axis=0) / max(attempts[normal].sum(), 1)
    sums = attempts.sum(axis=1, keepdims=True)
    chance = SIGMAS * np.sqrt(before * (1 - before) * np.maximum(sums, 1))
    allowed = np.maximum(chance, SHARE_CHANGE * before * sums)
    back = (np.abs(attempts - before * sums) <= allowed).all(axis=1) & (p99 <= P99_FACTOR * p99[normal].max())
    back &= (messages > 0) & (fails <= normal_fails + fails_by_chance)
    for at in range(first, len(back) - BINS_BACK + 1):
        if back[at : at + BINS_BACK].all():
            return max(at * bin_us - end, 0) / 1e6
    return math.inf
