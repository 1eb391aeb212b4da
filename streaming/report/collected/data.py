"""What the pictures show: every line cut to a few hundred points while the tables are read once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from state.sums import add_at
from streaming.outputs.avoidance import Avoidance
from streaming.outputs.dataset import Reader, RunOutput, codes, numbers, open_output
from streaming.outputs.latency_histogram import LatencyHistogram
from streaming.outputs.summary import Summary, read_totals
from streaming.outputs.totals import OK, ONE_WAY
from streaming.report.collected.consumer_series import ConsumerSeries, consumer_series
from streaming.report.collected.delay_series import DelaySeries, delay_series
from streaming.report.collected.endings import endings
from streaming.report.collected.facts import AttemptFacts, Facts, MessageFacts, facts_of
from streaming.report.collected.filter_series import FilterSeries, filter_series
from streaming.report.collected.message_totals import QUANTILES, Messages, MessageSeries
from streaming.report.collected.pop_series import PopSeries, pop_series
from streaming.report.collected.proxy_series import ProxySeries, proxy_series
from streaming.report.collected.retry_series import RetrySeries, retry_series
from streaming.report.collected.set_roles import SetRoles, set_roles
from streaming.report.collected.transaction_series import TransactionSeries, transaction_series
from streaming.report.collected.uneven_queues import QueueTotals
from streaming.report.fault_times import scenario_of

MAX_POINTS = 600
MAX_SHOWN = 12  # brokers with a colour of their own
MAX_LANES = 16
MAX_PRODUCERS = 60
ATTEMPTS_A_POINT = 150  # on average, or shares are noise ...
FEWEST_POINTS = 40  # ... unless too few points would be left
STEPS = (1, 2, 3, 5, 6, 10, 12, 15, 20, 30, 60, 120, 180, 300, 600)


@dataclass
class Series:
    """Lines over time, [lines, bins]; a line is a broker or the rest.  latency: percentile name -> ms.

    endings: how failed attempts ended -> [bins]; empty without the table attempts.
    """

    names: list[str]
    attempts: np.ndarray
    failures: np.ndarray
    retries: np.ndarray
    latency: dict[str, np.ndarray]
    endings: dict[str, np.ndarray]
    exact: bool = True


@dataclass
class ReportData:
    """Everything on the page. bin_us: time between two points.

    lanes: positions of the brokers that were avoided, longest first.

    out_of_order: [lines, bins], copies stored after a later message of their thread and key.
    fraction: [brokers, bins], part of the producers that avoid a broker.
    bars: (producer, broker) -> [[from_us, until_us], ...] of the producers in `sample`.
    """

    output: RunOutput
    summary: Summary
    bin_us: int
    series: Series
    messages: Messages
    queues: QueueTotals
    out_of_order: np.ndarray
    lanes: list[int]
    fraction: np.ndarray
    fault_changes: int
    isolation: Avoidance
    facts: Facts
    sample: list[int]
    consumers: ConsumerSeries
    retries: list[RetrySeries]
    pops: list[PopSeries]
    filters: list[FilterSeries]
    proxies: ProxySeries
    delays: DelaySeries
    transactions: TransactionSeries
    sets: list[SetRoles]
    bars: dict[tuple[int, int], list[list[int]]]


class AttemptSeries:
    """Reader of `attempts`: counts and latency by line and by the bin in which the attempt ended.

    Attempts that end after the last bin are beyond the pictures: of a running job, some cells are ahead.
    """

    columns = ("broker", "begin_us", "end_us", "outcome", "response_code", "attempt")

    def __init__(self, output: RunOutput, line_of: np.ndarray, lines: int, bin_us: int, bins: int) -> None:
        self.brokers, self.line_of, self.bin_us = output.brokers, line_of, bin_us
        self.shape = (lines, bins)
        self.counts = {name: np.zeros(lines * bins, dtype=np.int64) for name in ("attempts", "failures", "retries")}
        self.latency = LatencyHistogram(lines * bins, sub_bits=7)
        self.endings: dict[str, np.ndarray] = {}

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next attempts."""
        end = numbers(batch.column("end_us"))
        line = self.line_of[codes(batch.column("broker"), self.brokers)]
        seen = end < self.bin_us * self.shape[1]
        place = line * self.shape[1] + end // self.bin_us
        cell = place[seen]
        add_at(self.counts["attempts"], cell, 1)
        outcome = codes(batch.column("outcome"), OK, strict=False)
        failed, answered = outcome < 0, outcome != ONE_WAY
        add_at(self.counts["failures"], cell, failed[seen])
        add_at(self.counts["retries"], cell, (numbers(batch.column("attempt")) > 1)[seen])
        waited = seen & answered  # nobody waits for the answer to a one-way send
        self.latency.add(place[waited], (end - numbers(batch.column("begin_us")))[waited])
        for text, rows in endings(batch.column("outcome"), batch.column("response_code"), failed & seen):
            counts = self.endings.setdefault(text, np.zeros(self.shape[1], dtype=np.int64))
            add_at(counts, end[rows] // self.bin_us, 1)

    def series(self, names: list[str]) -> Series:
        """The lines, after the last row."""
        latency = self.latency.quantiles_ms(*self.shape, QUANTILES)
        attempts, failures, retries = (counts.reshape(self.shape) for counts in self.counts.values())
        most = dict(sorted(self.endings.items(), key=lambda item: (-item[1].sum(), item[0])))
        return Series(names, attempts, failures, retries, latency, most)


class WindowSeries:
    """Reader of `windows`, for outputs without attempts.

    Where windows share a point, the highest percentile stands.
    """

    columns = (
        "broker", "window_start_us", "attempts", "failures", "retries", "p50_ms", "p99_ms", "p999_ms"
    )  # fmt: skip

    def __init__(self, output: RunOutput, line_of: np.ndarray, lines: int, bin_us: int, bins: int) -> None:
        self.brokers, self.line_of, self.bin_us = output.brokers, line_of, bin_us
        self.shape = (lines, bins)
        self.counts = {name: np.zeros(self.shape, dtype=np.int64) for name in ("attempts", "failures", "retries")}
        self.latency = {name: np.full(self.shape, np.nan) for name in QUANTILES}

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next windows."""
        line = self.line_of[codes(batch.column("broker"), self.brokers)]
        bins = numbers(batch.column("window_start_us")) // self.bin_us
        seen = bins < self.shape[1]
        place = (line[seen], bins[seen])
        for name, counts in self.counts.items():
            add_at(counts, place, numbers(batch.column(name))[seen])
        for name, highest in self.latency.items():
            column = batch.column(name.replace(".", "") + "_ms")
            np.fmax.at(highest, place, numbers(column)[seen])

    def series(self, names: list[str]) -> Series:
        """The lines, after the last row."""
        attempts, failures, retries = self.counts.values()
        return Series(names, attempts, failures, retries, self.latency, {}, exact=False)


class OrderSeries:
    """Reader of `windows`: copies stored out of order, by line and bin."""

    columns = ("broker", "window_start_us", "out_of_order")

    def __init__(self, output: RunOutput, line_of: np.ndarray, lines: int, bin_us: int, bins: int) -> None:
        self.brokers, self.line_of, self.bin_us = output.brokers, line_of, bin_us
        self.counts = np.zeros((lines, bins), dtype=np.int64)

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next windows."""
        line = self.line_of[codes(batch.column("broker"), self.brokers)]
        bins = numbers(batch.column("window_start_us")) // self.bin_us
        seen = bins < self.counts.shape[1]
        add_at(self.counts, (line[seen], bins[seen]), numbers(batch.column("out_of_order"))[seen])


def collect(path: str | Path) -> ReportData:
    """Read an output folder once, in bounded memory.

    Raises InputError if the folder is missing, is not an output of Sendlab, or has rows that cannot be read.
    """
    output = open_output(path)
    bin_us, bins = time_bins(output)
    sample = sample_of(output.producers)
    avoidance = Avoidance(output, bin_us, frozenset(sample))
    output.feed("fault_items", avoidance)
    names, line_of = lines_of(output, avoidance)
    table = "attempts" if output.has("attempts") else "windows"
    kind: type[AttemptSeries | WindowSeries] = AttemptSeries if table == "attempts" else WindowSeries
    shape = (line_of, len(names), bin_us, bins)
    reader, order = kind(output, *shape), OrderSeries(output, *shape)
    messages, queues = MessageSeries(output, bin_us, bins), QueueTotals(output)
    more: dict[str, list[Reader]] = {"windows": [order], "sends": [messages], "attempts": [queues]}
    more.setdefault(table, []).append(reader)
    seen, tried = MessageFacts(output, bin_us, bins), AttemptFacts(output, bin_us, bins)
    more["sends"].append(seen)
    more["attempts"].append(tried)
    summary = read_totals(output, avoidance, more)
    isolated = avoidance.isolated_us
    lanes = [int(broker) for broker in np.argsort(-isolated, kind="stable") if isolated[broker]][:MAX_LANES]
    return ReportData(
        output=output,
        summary=summary,
        bin_us=bin_us,
        series=reader.series(names),
        messages=messages.messages(),
        queues=queues,
        out_of_order=order.counts,
        lanes=lanes,
        fraction=avoidance.fraction(),
        fault_changes=avoidance.changes,
        isolation=avoidance,
        facts=facts_of(seen, tried),
        sample=sample,
        consumers=consumer_series(output, bin_us, bins),
        retries=retry_series(output, bin_us, bins),
        pops=pop_series(output, bin_us, bins),
        filters=filter_series(output, bin_us, bins),
        proxies=proxy_series(output, bin_us, bins),
        delays=delay_series(output, bin_us, bins),
        transactions=transaction_series(output, bin_us, bins),
        sets=set_roles(scenario_of(output), output.end_us),
        bars=dict(avoidance.bars),
    )


def time_bins(output: RunOutput) -> tuple[int, int]:
    """Length of a bin in us and number of bins, at most MAX_POINTS; whole windows where it matters."""
    end_us, window_us = output.end_us, int(output.about["window_us"])
    attempts = output.rows("attempts")
    unit = min(window_us, 1_000_000) if attempts else window_us
    factor = -(-end_us // (unit * MAX_POINTS))
    if attempts:
        enough = min(end_us // (unit * FEWEST_POINTS), end_us * ATTEMPTS_A_POINT // (unit * attempts))
        factor = max(factor, max((step for step in STEPS if step <= enough), default=1))
    factor = next((step for step in STEPS if step >= factor), -(-factor // 600) * 600)
    bin_us = unit * factor
    return bin_us, -(-end_us // bin_us)


def lines_of(output: RunOutput, avoidance: Avoidance) -> tuple[list[str], np.ndarray]:
    """Names of the lines, and the line of every broker.

    All brokers up to MAX_SHOWN. Of more, those with a fault and those avoided longest; the rest share
    the last line.
    """
    names = list(output.brokers)
    if len(names) <= MAX_SHOWN:
        return names, np.arange(len(names))
    faulty = {fault["broker"] for fault in output.about["faults"]}
    order = sorted(range(len(names)), key=lambda i: (names[i] not in faulty, -int(avoidance.isolated_us[i]), i))
    own = sorted(order[: MAX_SHOWN - 1])
    line_of = np.full(len(names), len(own))
    line_of[own] = np.arange(len(own))
    return [*(names[i] for i in own), f"{len(names) - len(own)} other brokers"], line_of


def sample_of(producers: int) -> list[int]:
    """All producers up to MAX_PRODUCERS, or as many of them, evenly spaced."""
    return sorted({int(i) for i in np.linspace(0, producers - 1, min(producers, MAX_PRODUCERS))})
