"""What a job's decisions come to, broker by broker, as they are read from its topics."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from statistics import median
from typing import Any, NamedTuple

from simulator.outcomes import WELL

LATEST = 1_000  # attempts of a broker whose latencies count


class BrokerLine(NamedTuple):
    """One broker: attempts so far, its part of the attempts of the last second of virtual time, and who avoids it."""

    broker: str
    attempts: int
    failures: int
    share_now: float
    median_ms: float | None
    avoided_by: int


@dataclass
class Decisions:
    """Counts of the rows that were read so far."""

    clock_us: int = 0
    attempts: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    retries: int = 0
    sends: int = 0
    repeated: int = 0
    _latencies: dict[str, deque[int]] = field(default_factory=dict)
    _recent: deque[tuple[int, str]] = field(default_factory=deque)
    _avoided_until: dict[tuple[int, str], float] = field(default_factory=dict)  # us

    def take(self, table: str, row: Mapping[str, Any]) -> None:
        """Count one row of a table. Raises LookupError and TypeError for what is none, and counts nothing of it."""
        if table == "sends":
            self.sends += 1
        elif table == "fault_items":
            until_us = row["start_timestamp_ms"] * 1000
            if row["available"] or row["removed"]:
                until_us = 0
            elif until_us <= row["at_us"]:
                until_us = inf  # 5.1.4: a broker that is not reachable is kept out until the next change
            self._avoided_until[row["producer"], row["broker"]] = until_us
        else:
            self._attempt(str(row["broker"]), row)

    def _attempt(self, broker: str, row: Mapping[str, Any]) -> None:
        has_failed, is_retry = row["outcome"] not in WELL, row["attempt"] > 1
        latency_ms, end_us = row["latency_us"] / 1000, max(row["end_us"], 0)
        self.attempts[broker] += 1
        self.failures[broker] += has_failed
        self.retries += is_retry
        self._latencies.setdefault(broker, deque(maxlen=LATEST)).append(latency_ms)
        self.clock_us = max(self.clock_us, end_us)
        self._recent.append((end_us, broker))
        while self._recent[0][0] < self.clock_us - 1_000_000:
            self._recent.popleft()

    def lines(self) -> list[BrokerLine]:
        """A line a broker, by name."""
        now = Counter(broker for _, broker in self._recent)
        avoided = Counter(broker for (_, broker), until_us in self._avoided_until.items() if until_us > self.clock_us)
        return [
            BrokerLine(
                broker, count, self.failures[broker], now[broker] / max(len(self._recent), 1),
                median(self._latencies[broker]), avoided[broker],
            )
            for broker, count in sorted(self.attempts.items())
        ]  # fmt: skip
