"""Transactions over time: half messages by fate, time until readable, check-backs."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from simulator.causes.transactions import late_halves
from simulator.causes.transactions.late_halves import LateHalves
from simulator.causes.transactions.readable_again import COLUMNS, ReadableAgain, ReadableHalves
from streaming.outputs.dataset import RunOutput, codes, numbers
from streaming.outputs.latency_histogram import LatencyHistogram
from streaming.outputs.tables.transaction_summary import FATES, group_of_sender
from streaming.report.fault_times import scenario_of

ENDS = ("committed", "committed after a check", "rolled back", "given up")
QUANTILES = {"p50": 0.5, "p99": 0.99}


@dataclass
class TransactionSeries:
    """ends: [ENDS, bins], half messages by when they were ended; checks, open: [brokers, bins], check-backs, and most
    half messages that nothing has ended; checks_of_window: [windows], of all brokers.

    visible_ms: percentile -> [producer groups, bins], from the intended send time (bin) until readable;
    NaN without any. late: the half messages that were ended late, late_group: the producer group of each; again: those
    that made a message readable again, again_group: the same.
    """

    ends: np.ndarray
    checks: np.ndarray
    open: np.ndarray
    checks_of_window: np.ndarray
    visible_ms: dict[str, np.ndarray] = field(default_factory=dict)
    late: LateHalves = field(default_factory=lambda: late_halves.all_of([]))
    late_group: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    again: ReadableAgain = field(default_factory=lambda: ReadableHalves(()).again())
    again_group: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))

    def __bool__(self) -> bool:
        return bool(self.open.any() or self.ends.any())


def transaction_series(output: RunOutput, bin_us: int, bins: int) -> TransactionSeries:
    """Read the tables of transactions; without them there is nothing."""
    brokers, windows = len(output.brokers), -(-output.end_us // int(output.about["window_us"])) + 1
    found = TransactionSeries(
        ends=np.zeros((len(ENDS), bins), np.int64), checks=np.zeros((brokers, bins), np.int64),
        open=np.zeros((brokers, bins), np.int64), checks_of_window=np.zeros(windows, np.int64),
    )  # fmt: skip
    if output.has("transactions"):
        _read_halves(output, found, bin_us, bins)
    _read_windows(output, found, bin_us, bins)
    return found


def _read_halves(output: RunOutput, found: TransactionSeries, bin_us: int, bins: int) -> None:
    group_of, groups = group_of_sender(output), len(output.groups)
    visible = LatencyHistogram(groups * bins, sub_bits=7)
    scenario, late, readable = scenario_of(output), [], ReadableHalves(list(output.brokers))
    until_us = output.end_us if scenario is None else min(output.end_us, scenario.duration_us)
    for batch in output.batches("transactions", [*dict.fromkeys((*late_halves.COLUMNS, *COLUMNS))]):
        late.append(late_halves.late_halves(batch, until_us))
        readable.add(batch)
        fate, settled_us = codes(batch.column("fate"), FATES), numbers(batch.column("settled_us"))
        arrival_us, group = numbers(batch.column("arrival_us")), group_of[numbers(batch.column("sender"))]
        committed = fate == FATES["committed"]
        end = np.where(committed, numbers(batch.column("by_check")) > 0, fate + 1)
        seen = (fate != FATES["open"]) & (settled_us // bin_us < bins)
        np.add.at(found.ends, (end[seen], settled_us[seen] // bin_us), 1)
        own = committed & (arrival_us // bin_us < bins)
        visible.add(group[own] * bins + arrival_us[own] // bin_us, (settled_us - arrival_us)[own])
    found.late = late_halves.all_of(late)
    found.late_group = group_of[found.late.sender]
    found.again = readable.again()
    found.again_group = group_of[found.again.sender]
    found.visible_ms = visible.quantiles_ms(groups, bins, QUANTILES)


def _read_windows(output: RunOutput, found: TransactionSeries, bin_us: int, bins: int) -> None:
    window_us = int(output.about["window_us"])
    for batch in output.batches("transaction_windows", ["window_start_us", "broker", "checks", "open"]):
        start_us = numbers(batch.column("window_start_us"))
        seen = start_us // bin_us < bins
        at = codes(batch.column("broker"), output.brokers)[seen], start_us[seen] // bin_us
        np.add.at(found.checks, at, numbers(batch.column("checks"))[seen])
        np.maximum.at(found.open, at, numbers(batch.column("open"))[seen])
        np.add.at(found.checks_of_window, start_us[seen] // window_us, numbers(batch.column("checks"))[seen])
