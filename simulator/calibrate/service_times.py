"""The latency of a broker as a table of percentiles, from its answers outside of every trouble."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from simulator import codes
from simulator.calibrate.attempts import Ints, TraceAttempts
from simulator.calibrate.found_fault import HANG, FoundFault
from simulator.scenario.distributions.percentiles import percentile_text
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


def late_answers(attempts: TraceAttempts, broker: int, findings: Sequence[FoundFault]) -> Iterator[Ints]:
    """For each hang of a broker, the places of the attempts that it answered when it went on, in order of sending."""
    rows = attempts.of_broker(broker)
    rows = rows[attempts.answered[rows]]
    rows = rows[np.argsort(attempts.begin_us[rows], kind="stable")]
    for finding in findings:
        if finding.broker == attempts.brokers[broker] and finding.kind == HANG:
            begin_us, end_us, over = attempts.begin_us[rows], attempts.end_us[rows], finding.until_us
            yield rows[(begin_us >= finding.at_us) & (begin_us < over) & (end_us >= over)]


def bursts(attempts: TraceAttempts, broker: int, findings: Sequence[FoundFault]) -> Iterator[Ints]:
    """When one producer's answers of one hang came, two or more, in microseconds and in order of sending.

    They lay in one connection, which the broker empties before it reads the next one.
    """
    for rows in late_answers(attempts, broker, findings):
        for producer in np.unique(attempts.producer[rows]).tolist():
            own = rows[attempts.producer[rows] == producer]
            if len(own) > 1:
                yield attempts.end_us[own]


def drain_us(attempts: TraceAttempts, broker: int, findings: Sequence[FoundFault]) -> int | None:
    """Time from one late answer to the next when a hang is over: what the broker does one after the other.

    The median within bursts, as between them it reads another connection; where producers have one request each under
    way, over the hangs with many late answers. None if neither is there.
    """
    gaps_us = [np.diff(np.sort(end_us)) for end_us in bursts(attempts, broker, findings)]
    found = np.concatenate(gaps_us) if gaps_us else np.empty(0)
    if len(found) < LATE_LEAST:
        ends = (attempts.end_us[rows] for rows in late_answers(attempts, broker, findings) if len(rows) >= LATE_LEAST)
        found = np.array([(int(end_us.max()) - int(end_us.min())) / (len(end_us) - 1) for end_us in ends])
    return round(float(np.median(found))) if len(found) else None


def held_us(attempts: TraceAttempts, broker: int, findings: Sequence[FoundFault]) -> Ints:
    """How much later than an answer to a later request of its burst each late answer came; 0: in order."""
    held = [end_us - np.minimum.accumulate(end_us[::-1])[::-1] for end_us in bursts(attempts, broker, findings)]
    return np.concatenate(held) if held else np.empty(0, np.int64)


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
