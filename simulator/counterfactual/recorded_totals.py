"""What was recorded, counted and measured as a simulated run is: the recording as an arm of an experiment."""

from __future__ import annotations

import numpy as np

from simulator import codes
from simulator.calibrate.attempts import Flags, Ints, TraceAttempts
from simulator.calibrate.producers.senders import messages_of
from simulator.compiled.records import Array
from simulator.counterfactual.calibrated_trace import CalibratedTrace
from simulator.counterfactual.caller_latency import fill_percentiles
from simulator.experiments.experiment_measures import MeasuredRun, measures_of, plain
from simulator.kernel import histogram
from simulator.run.run_totals import BIN_COUNTS, GROUP_COUNTS, Totals, bin_us_of, queue_ids

# What a trace of attempts does not say: who avoids whom, and what brokers stored.
NOT_RECORDED = ("isolated_s", "copies_per_message", "lost", "lost_unseen", "not_stored", "out_of_order",
                "warm_up_messages", "drained_messages")  # fmt: skip
# What is unknown, too, where attempts without an answer left no record.
NOT_ANSWERED = ("failed_percent", "failed_messages", "attempts_per_message", "recovery_s")


def recorded_totals(calibrated: CalibratedTrace) -> Totals:
    """The totals of the trace; what it does not say is 0, and is not among `recorded_measures`."""
    attempts, scenario = calibrated.fit.attempts, calibrated.scenario
    rows, begin_us, end_us = messages_of(attempts)
    group = _groups(calibrated)[attempts.producer[rows]]
    failed = ~np.isin(attempts.outcome[rows], codes.STORED)
    took_us = end_us - begin_us
    tries = np.bincount(attempts.message, minlength=len(begin_us) and int(attempts.message.max()) + 1)
    number = len(scenario.producers)
    groups = np.zeros((number, len(GROUP_COUNTS)), np.int64)
    latency = np.zeros((number, histogram.CELLS), np.int64)
    for place in range(number):
        own = group == place
        counts = {
            "messages": own.sum(),
            "failed": failed[own].sum(),
            "attempts": tries[attempts.message[rows[own]]].sum(),
            "took_us": took_us[own].sum(),
        }
        for name, count in counts.items():
            groups[place, GROUP_COUNTS.index(name)] = int(count)
        histogram.add(latency[place], took_us[own])
    bin_us = bin_us_of(scenario.duration_us, scenario.window_us)
    bins = -(-scenario.duration_us // bin_us)
    on_broker = attempts.broker >= 0
    brokers = len(scenario.brokers)
    bin_attempts = np.zeros((bins, brokers), np.int64)
    at = np.clip(attempts.begin_us[on_broker] // bin_us, 0, bins - 1)
    np.add.at(bin_attempts, (at, attempts.broker[on_broker]), 1)
    return Totals(
        groups=groups,
        latency=latency,
        queue_attempts=_queue_attempts(attempts, len(scenario.topics), brokers, queue_ids(scenario)),
        isolated_us=np.zeros(brokers, np.int64),
        bins=_bins(np.clip(end_us // bin_us, 0, bins - 1), took_us, failed, bins),
        bin_attempts=bin_attempts,
        bin_isolated_us=np.zeros((bins, brokers), np.int64),
        queue_bins=np.zeros((0, brokers, queue_ids(scenario)), np.int64),
        digest=np.zeros(1, np.int64),
        skipped=np.zeros(1, np.int64),
    )


def recorded_measures(calibrated: CalibratedTrace, totals: Totals) -> dict[str, float]:
    """The measures that the trace bears out."""
    unknown = (*NOT_RECORDED, *(NOT_ANSWERED if calibrated.fit.attempts.answered_only else ()))
    if not all(topic.queues_known for topic in calibrated.fit.topics.values()):
        unknown = (*unknown, "max_queue_share_percent")
    found = measures_of(MeasuredRun(totals, calibrated.scenario, 0))
    return {name: value for name, value in found.items() if plain(name) not in unknown}


def _groups(calibrated: CalibratedTrace) -> Ints:
    """Number of the producer group of each producer of the trace."""
    found = np.zeros(len(calibrated.fit.attempts.producers), np.int64)
    for number, group in enumerate(calibrated.fit.groups):
        found[list(group.producers)] = number
    return found


def _queue_attempts(attempts: TraceAttempts, topics: int, brokers: int, queues: int) -> Array:
    found = np.zeros((topics, brokers, queues), np.int64)
    known = attempts.broker >= 0
    queue = np.clip(attempts.queue[known], 0, queues - 1)
    np.add.at(found, (attempts.topic[known], attempts.broker[known], queue), 1)
    return found


def _bins(ended: Ints, took_us: Ints, failed: Flags, bins: int) -> Array:
    found = np.zeros((bins, len(BIN_COUNTS)), np.int64)
    found[:, BIN_COUNTS.index("messages")] = np.bincount(ended, minlength=bins)
    found[:, BIN_COUNTS.index("failed")] = np.bincount(ended[failed], minlength=bins)
    fill_percentiles(found, ended, took_us)
    return found
