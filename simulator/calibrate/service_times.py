"""The latency of a broker as a table of percentiles, from its answers outside of every trouble."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator import codes
from simulator.calibrate.attempts import Ints, TraceAttempts
from simulator.calibrate.found_fault import HANG, FoundFault
from simulator.scenario.brokers import percentile_text
from simulator.units import format_duration

# Percentiles in millionths, finer towards the tail; those that too few answers bear out are left away.
RANKS = (0, *range(50_000, 1_000_000, 50_000), 975_000, 990_000, 995_000, 999_000, 999_900, 1_000_000)
ANSWERS_LEAST = 20  # fewer ordinary answers make no latency of their own
LATE_LEAST = 20  # late answers of one hang that show how fast a broker works off what waits
BEYOND_LEAST = 5  # answers above a percentile between p95 and p100


def ordinary_latency_us(attempts: TraceAttempts, broker: int, findings: Sequence[FoundFault]) -> Ints:
    """Latencies of the answers that met none of the findings of that broker, sorted, in microseconds."""
    rows = ordinary_answers(attempts, broker, findings)
    return np.sort(attempts.end_us[rows] - attempts.begin_us[rows])


def ordinary_answers(attempts: TraceAttempts, broker: int, findings: Sequence[FoundFault]) -> Ints:
    """Places of the attempts that the broker answered with SEND_OK and that met none of its findings."""
    rows = attempts.of_broker(broker)
    rows = rows[attempts.outcome[rows] == codes.SEND_OK]
    keep = np.ones(len(rows), bool)
    for finding in findings:
        if finding.broker == attempts.brokers[broker]:
            begin, end = finding.at_range_us[0], finding.until_us
            keep &= (attempts.end_us[rows] <= begin) | (attempts.begin_us[rows] >= end)
    kept: Ints = rows[keep]
    return kept


def drain_us(attempts: TraceAttempts, broker: int, findings: Sequence[FoundFault]) -> int | None:
    """Time from one late answer to the next when a hang is over: what the broker does one after the other.

    The median over the hangs with many late answers, None if there is none.
    """
    rows = attempts.of_broker(broker)
    begin_us, end_us, answered = attempts.begin_us[rows], attempts.end_us[rows], attempts.answered[rows]
    found = []
    for finding in findings:
        if finding.broker == attempts.brokers[broker] and finding.kind == HANG:
            over = finding.until_us
            late_us = end_us[answered & (begin_us >= finding.at_us) & (begin_us < over) & (end_us >= over)]
            if len(late_us) >= LATE_LEAST:
                found.append((int(late_us.max()) - int(late_us.min())) / (len(late_us) - 1))
    return round(float(np.median(found))) if found else None


def percentiles_us(latency_us: Ints) -> dict[str, int]:
    """Percentile to microseconds, rising; `latency_us` is sorted and not empty."""
    n = len(latency_us)
    ranks = [
        rank for rank in RANKS if rank <= 950_000 or rank == 1_000_000 or (10**6 - rank) * n >= BEYOND_LEAST * 10**6
    ]
    values = np.maximum.accumulate(np.quantile(latency_us, [rank / 1e6 for rank in ranks]).round().astype(np.int64))
    return {percentile_text(rank): max(int(value), 1) for rank, value in zip(ranks, values, strict=True)}


def percentiles_texts(table_us: dict[str, int]) -> list[str]:
    """The entries of the mapping as a scenario has it."""
    return [f"{rank}: {format_duration(value)}" for rank, value in table_us.items()]
