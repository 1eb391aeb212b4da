"""Results of the messages over time, and what their callers waited for."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from state.sums import add_at
from streaming.outputs.dataset import RunOutput, codes, numbers
from streaming.outputs.fates import FATES, fate_of
from streaming.outputs.latency_histogram import LatencyHistogram
from streaming.report.collected.endings import ResultTotals

MAX_GROUPS = 6  # producer groups with a line of their own
IS_FAILED = np.array([fate.startswith("failed") for fate in FATES])
QUANTILES = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}


@dataclass
class Messages:
    """Messages by the bin in which the application wanted to send them.

    fates: [six of FATES, bins], messages.  groups: the lines of latency.  failed: [groups, bins], messages whose
    caller got an error.  latency: percentile name -> [groups, bins]
    in ms, from the intended send time until the caller had its answer.  results: name, messages, of these without
    an attempt.
    """

    fates: np.ndarray
    groups: list[str] = field(default_factory=list)
    failed: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    latency: dict[str, np.ndarray] = field(default_factory=dict)
    results: list[tuple[str, int, int]] = field(default_factory=list)


class MessageSeries:
    """Reader of `sends`: fates and latency by bin, and the results."""

    columns = ("producer_group", "arrival_us", "latency_us", "acknowledged", "copies_kept", *ResultTotals.columns)

    def __init__(self, output: RunOutput, bin_us: int, bins: int) -> None:
        self.bin_us, self.bins, self.groups = bin_us, bins, output.groups
        self.lines = list(output.groups) if len(output.groups) <= MAX_GROUPS else ["all groups"]
        self.fates = np.zeros((len(FATES), bins), dtype=np.int64)
        self.failed = np.zeros((len(self.lines), bins), dtype=np.int64)
        self.latency = LatencyHistogram(len(self.lines) * bins, sub_bits=7)
        self.results = ResultTotals()

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next messages."""
        self.results.add(batch)
        bins = numbers(batch.column("arrival_us")) // self.bin_us
        seen = bins < self.bins
        fate, messages = fate_of(batch), numbers(batch.column("messages"))
        add_at(self.fates, (fate[seen], bins[seen]), messages[seen])
        group = codes(batch.column("producer_group"), self.groups)
        line = group if len(self.lines) == len(self.groups) else np.zeros_like(group)
        wrong = seen & IS_FAILED[fate]
        add_at(self.failed, (line[wrong], bins[wrong]), messages[wrong])
        self.latency.add((line * self.bins + bins)[seen], numbers(batch.column("latency_us"))[seen])

    def messages(self) -> Messages:
        """The lines, after the last row."""
        latency = self.latency.quantiles_ms(len(self.lines), self.bins, QUANTILES)
        counted = self.results
        results = [(name, count, counted.refused[name]) for name, count in counted.messages.most_common()]
        return Messages(self.fates, self.lines, self.failed, latency, results)
