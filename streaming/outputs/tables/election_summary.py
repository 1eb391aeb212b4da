"""The elections of a run, from the table `elections`: who became master of which set, and for how long nobody was."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from streaming.clock import clock


@dataclass(frozen=True)
class ElectionSummary:
    """One election. at_s: virtual time. machine: None where nobody could be elected.

    without_s: how long the set had been without a master. named_after_s: from the election to the route that names the
    new master, None without one.
    """

    broker: str
    at_s: float
    machine: int | None
    epoch: int
    reason: str
    without_s: float
    named_after_s: float | None

    @property
    def when(self) -> str:
        """The moment as text."""
        return clock(1e6 * self.at_s)


class ElectionTotals:
    """Reader of `elections`: every row, in order of time."""

    columns = ("at_us", "broker", "machine", "epoch", "reason", "gone_us", "named_us")

    def __init__(self) -> None:
        self._rows: list[ElectionSummary] = []

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next elections."""
        for row in batch.to_pylist():
            at_us, named_us = row["at_us"], row["named_us"]
            named_s = None if named_us is None else (named_us - at_us) / 1e6
            own = row["broker"], at_us / 1e6, row["machine"], row["epoch"], row["reason"]
            self._rows.append(ElectionSummary(*own, (at_us - row["gone_us"]) / 1e6, named_s))

    def summaries(self) -> tuple[ElectionSummary, ...]:
        """Those of all brokers."""
        return tuple(sorted(self._rows, key=lambda one: (one.at_s, one.broker)))
