"""What a run shows of a consumer group's backlog: how long it took to drain, and what was never consumed.

A group is never without lag: messages arrive, and its threads are at some. Such a lag is *usual*; what exceeds it at
the end of the run is a backlog that was not drained within the run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulator.compiled.records import Array
from simulator.experiments.texts.measure_texts import MeasureTexts
from simulator.kernel.latency import mean_us
from simulator.run.consumers.consumer_totals import CONSUMER_COUNTS
from simulator.run.run_totals import Totals
from simulator.scenario import Scenario
from simulator.scenario.consuming.consumers import ConsumerGroup

STRETCHES = 4  # of the time before the first fault
CHANCE = 3.0  # standard deviations of a number of messages
STEADY = 1.5  # a lag whose peaks in these stretches are further apart, a factor, was a backlog itself


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
        return MeasureTexts.NEITHER_EDGE()
    if max(end for _, end in edges) >= scenario.duration_us:
        return MeasureTexts.EDGE_AFTER_END()
    return None


def count(totals: Totals, group: int, name: str) -> int:
    """One of CONSUMER_COUNTS."""
    return int(totals.consumers[group, CONSUMER_COUNTS.index(name)])


def lag_counted(totals: Totals, scenario: Scenario, warm_up_us: int, group: int) -> Array:
    """Lag at the ends of the windows after the warm-up, int64[windows]."""
    found: Array = totals.consumer_lag[warm_up_us // scenario.window_us :, group]
    return found


def _group(scenario: Scenario, group: int) -> ConsumerGroup:
    return list(scenario.consumers.values())[group]


def _stored(totals: Totals, scenario: Scenario, group: int) -> int:
    """Messages for a group after the warm-up: send attempts to its topics; for each instance if it is broadcasting."""
    topics, own = list(scenario.topics), _group(scenario, group)
    attempts = int(totals.queue_attempts[[topics.index(topic) for topic in own.readings]].sum())
    return attempts * (own.count if own.is_broadcasting else 1)


def got_none(totals: Totals, scenario: Scenario, warm_up_us: int, group: int) -> bool:
    """Whether a group had no message to consume after the warm-up: what it did with them was not measured.

    Of a group that filters: whether nothing was sent to its topics.
    """
    if any(count(totals, group, name) for name in ("consumed", "missed", "skipped")):
        return False
    if any(reading.is_filtered for reading in _group(scenario, group).readings.values()):
        return not _stored(totals, scenario, group)
    return not lag_counted(totals, scenario, warm_up_us, group).any()


def usual_lag(totals: Totals, scenario: Scenario, warm_up_us: int, group: int) -> float:
    """The largest lag that is no backlog: what comes in a window and while the group handles a message, and as much
    more as chance brings. Of a group that filters also what comes until a broker looks at the pulls that it holds.
    """
    own, window_us = _group(scenario, group), scenario.window_us
    windows = max(len(lag_counted(totals, scenario, warm_up_us, group)), 1)
    in_a_window = max(_stored(totals, scenario, group), count(totals, group, "consumed")) / windows
    takes_us = mean_us(own.service.service_table_us()) + own.pull_interval_ms * 1000
    at_work = min(in_a_window * takes_us / window_us, own.instances * own.threads * own.consume_message_batch_max_size)
    expected = in_a_window + at_work
    if any(reading.is_filtered for reading in own.readings.values()):
        looks_us = max(broker.rules.hold_check_interval for broker in scenario.brokers.values()) * 1000
        expected += in_a_window * looks_us / window_us
    return expected + CHANCE * math.sqrt(expected)


def _steady_before(lag: Array) -> float:
    """The largest lag before all faults; 0 where it was rising or falling then, as a backlog does."""
    peaks = [int(part.max()) for part in np.array_split(lag, STRETCHES) if len(part)]
    return float(max(peaks)) if peaks and max(peaks) <= STEADY * min(peaks) else 0.0


def drain_s(totals: Totals, scenario: Scenario, warm_up_us: int, group: int) -> float:
    """Seconds from the end of the last fault, or of the load's last step down, until the lag is back, and stays so.

    It is back when it is usual, or at most what it was before the first of them if it was steady then. inf if it never
    is, or if messages were deleted before they were consumed; nan without a fault and a step, or without messages.
    """
    if why_no_drain(scenario) is not None:
        return math.nan
    edges, window_us = list(_edges(scenario)), scenario.window_us
    begin_us, end_us = min(begin for begin, _ in edges), max(end for _, end in edges)
    lag, consumed = totals.consumer_lag[:, group], count(totals, group, "consumed")
    if not consumed and not lag.any():
        return math.nan
    if count(totals, group, "missed") or not consumed:
        return math.inf
    before = _steady_before(lag[warm_up_us // window_us : begin_us // window_us])
    normal = max(usual_lag(totals, scenario, warm_up_us, group), before)
    above = np.flatnonzero(lag[end_us // window_us :] > normal)
    if not len(above):
        return 0.0
    back = end_us // window_us + int(above[-1]) + 1
    return math.inf if back == len(lag) else (back * window_us - end_us) / 1e6


def never_consumed(totals: Totals, scenario: Scenario, warm_up_us: int, group: int) -> float:
    """Messages that a group had not handled at the end of the run, or never will: behind beyond what is usual,
    deleted before, given up as dead letters, or waiting to be delivered again.

    Of a group that filters, the part of what is behind that it reads of all.
    """
    lag, handled = lag_counted(totals, scenario, warm_up_us, group), int(totals.consumer_latency[group].sum())
    left = float(lag[-1]) if len(lag) else 0.0
    usual = usual_lag(totals, scenario, warm_up_us, group) if count(totals, group, "consumed") else 0.0
    behind = max(left - usual, 0.0)
    if behind and handled and any(reading.is_filtered for reading in _group(scenario, group).readings.values()):
        behind *= min(handled / max(_stored(totals, scenario, group) - left, handled), 1.0)
    retried = int(totals.retries[group]) if len(totals.retries) else 0
    return behind + count(totals, group, "missed") + count(totals, group, "dead_letters") + retried
