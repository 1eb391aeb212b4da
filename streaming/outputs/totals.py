"""What is counted while the tables of a run are read, in memory that does not grow with the run."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pyarrow as pa

from simulator.outcomes import WELL
from state.sums import add_at
from streaming.outputs.dataset import RunOutput, codes, numbers
from streaming.outputs.fates import FATES, GroupSummary, fate_of, is_refused
from streaming.outputs.latency_histogram import LatencyHistogram

OK = {name: number for number, name in enumerate(WELL)}
ONE_WAY = OK["SENT_ONEWAY"]


class AttemptTotals:
    """Reader of `attempts`: counts and latency of every broker."""

    columns = ("broker", "begin_us", "end_us", "outcome")

    def __init__(self, output: RunOutput) -> None:
        self.names = output.brokers
        self.attempts = np.zeros(len(self.names), dtype=np.int64)
        self.failures = np.zeros_like(self.attempts)
        self.latency = LatencyHistogram(len(self.names))

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next attempts."""
        broker = codes(batch.column("broker"), self.names)
        outcome = codes(batch.column("outcome"), OK, strict=False)
        self.attempts += _count(broker, len(self.names))
        self.failures += _count(broker[outcome < 0], len(self.names))
        # Nobody waits for the answer to a one-way send: its 0 says nothing of a broker.
        answered = outcome != ONE_WAY
        took_us = numbers(batch.column("end_us")) - numbers(batch.column("begin_us"))
        self.latency.add(broker[answered], took_us[answered])


class WindowTotals:
    """Reader of `windows`: the counts of every broker, and copies stored out of order."""

    columns = ("broker", "attempts", "failures", "out_of_order")

    def __init__(self, output: RunOutput) -> None:
        self.names = output.brokers
        self.attempts = np.zeros(len(self.names), dtype=np.int64)
        self.failures = np.zeros_like(self.attempts)
        self.out_of_order = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next windows."""
        broker = codes(batch.column("broker"), self.names)
        add_at(self.attempts, broker, numbers(batch.column("attempts")))
        add_at(self.failures, broker, numbers(batch.column("failures")))
        self.out_of_order += int(numbers(batch.column("out_of_order")).sum())


class SendTotals:
    """Reader of `sends`: counts and latency of every producer group."""

    columns = (
        "producer_group", "latency_us", "result", "acknowledged", "attempts", "broker", "copies_stored", "copies_kept",
        "lost", "messages"
    )  # fmt: skip

    def __init__(self, output: RunOutput) -> None:
        self.names = output.groups
        self.latency = LatencyHistogram(len(self.names))
        self.counts = {
            name: np.zeros(len(self.names), dtype=np.int64)
            for name in (
                "messages",
                "failed",
                "refused",
                "attempts",
                "copies",
                "duplicates",
                "duplicated",
                "lost",
                *FATES,
            )
        }
        self.sends = 0  # rows: a batch is one

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next messages."""
        group = codes(batch.column("producer_group"), self.names)
        copies, attempts = numbers(batch.column("copies_stored")), numbers(batch.column("attempts"))
        messages = numbers(batch.column("messages")).astype(np.int64)
        fate = fate_of(batch)
        each = {
            "messages": np.ones(len(messages), np.bool_),
            "failed": codes(batch.column("result"), OK, strict=False) < 0,
            "refused": is_refused(batch),
            "attempts": attempts,
            "copies": copies,
            "duplicates": np.maximum(copies - 1, 0),
            "duplicated": copies > 1,
            "lost": numbers(batch.column("lost")),
        }
        each |= {name: fate == number for number, name in enumerate(FATES)}
        self.sends += len(messages)
        for name, value in each.items():
            counted = np.flatnonzero(value)
            # A batch is attempted once for all its messages.
            weight = value[counted] if name == "attempts" else value[counted] * messages[counted]
            add_at(self.counts[name], group[counted], weight)
        self.latency.add(group, numbers(batch.column("latency_us")))

    def summary(self, name: str, groups: int | None = None) -> GroupSummary:
        """Totals of the group at a position, or of all groups together."""
        counts = {key: int(value.sum() if groups is None else value[groups]) for key, value in self.counts.items()}
        messages = counts["messages"]
        return GroupSummary(
            producer_group=name,
            messages=messages,
            failed=counts["failed"],
            refused=counts["refused"],
            success_percent=part(100 * (messages - counts["failed"]), messages),
            attempts_per_message=part(counts["attempts"], messages),
            copies_per_message=part(counts["copies"], messages),
            duplicates=counts["duplicates"],
            duplicated=counts["duplicated"],
            lost=counts["lost"],
            **{name: counts[name] for name in FATES},
            p50_ms=ms(self.latency.quantile(0.5, groups)),
            p99_ms=ms(self.latency.quantile(0.99, groups)),
        )


class RejectTotals:
    """Reader of `rejects`: records and events by reason, the 1,000 first reasons."""

    columns = ("reason", "events")

    def __init__(self) -> None:
        self.records: Counter[str] = Counter()
        self.events: Counter[str] = Counter()

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next rejects."""
        for reason, events in zip(batch.column("reason").to_pylist(), numbers(batch.column("events")), strict=True):
            # A limit, because a reason may quote what was refused.
            kept = reason if reason in self.records or len(self.records) < 1000 else "other reasons"
            self.records[kept] += 1
            self.events[kept] += int(events)


def part(some: float, whole: float) -> float | None:
    """How much of a whole something is; None of nothing."""
    return some / whole if whole else None


def ms(us: float | np.ndarray) -> float | None:
    """Milliseconds of microseconds, None for NaN."""
    return None if math.isnan(us) else float(us) / 1000


def _count(index: np.ndarray, size: int) -> np.ndarray:
    return np.bincount(index[index >= 0], minlength=size)
