"""What is measured of a consumer group in a run, from its totals: one number a measure."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulator import histogram
from simulator.run.consumers.consumer_totals import CONSUMER_COUNTS
from simulator.run.run_totals import Totals
from simulator.scenario import Scenario


def lag_max(totals: Totals, scenario: Scenario, warm_up_us: int, group: int) -> float:
    """Most messages that were stored and not consumed, at the end of a window."""
    lag = totals.consumer_lag[warm_up_us // scenario.window_us :, group]
    return float(lag.max()) if len(lag) else math.nan


def _edges(scenario: Scenario, group: int) -> Iterator[tuple[int, int]]:
    """(begin, end) of whatever makes a backlog: faults, and a load that is higher than after its next change."""
    for period in scenario.fault_periods():
        yield period.at_us, period.until_us
    for producers in scenario.producers:
        for at_us, rate in producers.rate_changes:
            if rate < producers.rate_at(at_us - 1):
                yield at_us, at_us


def drain_s(totals: Totals, scenario: Scenario, warm_up_us: int, group: int) -> float:
    """Seconds from the end of the last fault, or of the load's last step down, until the lag is back.

    It is back when it is at most what it was before the first fault, and stays so. inf if it never is; nan where there
    is neither a fault nor a step.
    """
    edges = list(_edges(scenario, group))
    if not edges:
        return math.nan
    window_us = scenario.window_us
    begin_us, end_us = min(begin for begin, _ in edges), max(end for _, end in edges)
    lag = totals.consumer_lag[:, group]
    steps_only = not scenario.fault_periods()
    before = lag[warm_up_us // window_us : begin_us // window_us]
    normal = 0 if steps_only or not len(before) else int(before.max())
    if steps_only:
        # A step down begins with the backlog: what is normal is the smallest lag after it.
        normal = int(1.5 * lag[end_us // window_us :].min(initial=1 << 62)) + 1
    above = np.flatnonzero(lag > normal)
    last_us = 0 if not len(above) else (int(above[-1]) + 1) * window_us
    if len(above) and above[-1] == len(lag) - 1:
        return math.inf
    return max(last_us - end_us, 0) / 1e6


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
