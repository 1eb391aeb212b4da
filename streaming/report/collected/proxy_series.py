"""Proxies over time: what gRPC producers sent over each and how it ended, when it was away, and which consumers hung on
it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from simulator.engine.memory.periods_table import PROXY_DOWN
from simulator.plan.clients.proxy_plan import proxy_periods
from simulator.plan.consumers.instance_plan import ENDING, of_instances
from simulator.scenario import Scenario
from streaming.outputs.dataset import RunOutput, codes, numbers
from streaming.outputs.latency_histogram import LatencyHistogram
from streaming.outputs.totals import OK
from streaming.report.collected.message_totals import QUANTILES
from streaming.report.fault_times import scenario_of

Span = tuple[int, int]  # from_us, until_us
NOWHERE = "no proxy"  # where attempts are counted whose client had no connection
COLUMNS = ["proxy", "begin_us", "end_us", "outcome"]


@dataclass(frozen=True)
class ProxyTotals:
    """A row of the table of proxies. unreached: attempts that failed and asked no broker."""

    proxy: str
    attempts: int
    failures: int
    p50_ms: float | None  # of none without attempts
    p99_ms: float | None


@dataclass
class ProxySeries:
    """names: of the proxies, then NOWHERE. attempts, failures: [names, bins], by the end of the attempt.

    latency: percentile -> [names, bins] in ms. down, still: by proxy, when its process is away or stands still.
    hangs: by instance of a gRPC group, (proxy or None, from_us, until_us) while its process is there.
    """

    names: list[str]
    attempts: np.ndarray
    failures: np.ndarray
    latency: dict[str, np.ndarray]
    totals: list[ProxyTotals]
    down: dict[str, list[Span]] = field(default_factory=dict)
    still: dict[str, list[Span]] = field(default_factory=dict)
    hangs: dict[str, list[tuple[str | None, int, int]]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.names)


def proxy_series(output: RunOutput, bin_us: int, bins: int) -> ProxySeries:
    """Read the tables of clients over proxies; empty without proxies, and in local mode."""
    scenario = scenario_of(output)
    own = None if scenario is None else scenario.proxies
    if scenario is None or own is None or own.is_local:
        return ProxySeries([], np.zeros((0, bins)), np.zeros((0, bins)), {}, [])
    names = [*own.names, NOWHERE]
    found = _attempts(output, names, bin_us, bins)
    for period in proxy_periods(scenario, scenario.fault_periods()):
        of_kind = found.down if period.table == PROXY_DOWN else found.still
        if period.at_us < output.end_us:
            span = period.at_us, min(period.until_us, output.end_us)
            of_kind.setdefault(own.names[period.broker], []).append(span)
    gone = _gone(scenario)
    for instance, proxy, from_us, until_us in _hangs(output):
        found.hangs.setdefault(instance, []).extend(
            (proxy, *span) for span in _without((from_us, until_us), gone.get(instance, []))
        )
    return found


def _gone(scenario: Scenario) -> dict[str, list[Span]]:
    """When the process of an instance is away: it makes no request that would show that it hangs on no proxy."""
    gone: dict[str, list[Span]] = {}
    for number, period in of_instances(scenario):
        if period.kind in ENDING:
            gone.setdefault(scenario.instances[number], []).append((period.at_us, period.until_us))
    return gone


def _without(span: Span, gone: Sequence[Span]) -> Iterator[Span]:
    """The parts of a stretch of time that lie in none of others."""
    from_us, until_us = span
    for begin_us, end_us in sorted(gone):
        if from_us < min(begin_us, until_us):
            yield from_us, min(begin_us, until_us)
        from_us = max(from_us, end_us)
    if from_us < until_us:
        yield from_us, until_us


def _attempts(output: RunOutput, names: list[str], bin_us: int, bins: int) -> ProxySeries:
    counts = np.zeros((2, len(names) * bins), np.int64)
    by_bin, whole = LatencyHistogram(len(names) * bins, sub_bits=5), LatencyHistogram(len(names))
    places, nowhere = {name: place for place, name in enumerate(names)}, len(names) - 1
    for batch in output.batches("proxied_attempts", COLUMNS):
        proxy, end_us = codes(batch.column("proxy"), places), numbers(batch.column("end_us"))
        line, took_us = np.where(proxy < 0, nowhere, proxy), end_us - numbers(batch.column("begin_us"))
        seen = end_us < bins * bin_us
        cell = np.where(seen, line * bins + end_us // bin_us, 0)
        failed = codes(batch.column("outcome"), OK, strict=False) < 0
        np.add.at(counts[0], cell[seen], 1)
        np.add.at(counts[1], cell[seen & failed], 1)
        by_bin.add(cell[seen], took_us[seen])
        whole.add(line, took_us)
    attempts, failures = counts.reshape(2, len(names), bins)
    latency = by_bin.quantiles_ms(len(names), bins, QUANTILES)
    totals = [
        ProxyTotals(
            name, int(attempts[n].sum()), int(failures[n].sum()),
            *(float(whole.quantile(q, n)) / 1000 if whole.counts[n].any() else None for q in (0.5, 0.99)),
        )
        for n, name in enumerate(names)
        if attempts[n].any() or name != NOWHERE
    ]  # fmt: skip
    return ProxySeries(names, attempts, failures, latency, totals)


def _hangs(output: RunOutput) -> Iterator[tuple[str, str | None, int, int]]:
    """Instance, proxy and from when until when it hung on it, in the order of instances."""
    rows = [
        row
        for batch in output.batches("proxied_consumers", ["instance", "at_us", "proxy"])
        for row in pa.Table.from_batches([batch]).to_pylist()
    ]
    for instance in sorted({row["instance"] for row in rows}):
        own = sorted((row for row in rows if row["instance"] == instance), key=lambda row: row["at_us"])
        ends_us = [*(row["at_us"] for row in own[1:]), output.end_us]
        for row, until_us in zip(own, ends_us, strict=True):
            yield instance, row["proxy"], row["at_us"], until_us
