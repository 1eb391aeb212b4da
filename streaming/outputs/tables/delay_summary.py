"""What the delay levels of a run came to, from the table `delays`."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa


@dataclass(frozen=True)
class DelaySummary:
    """One delay level of all brokers. delivered_again: of those delivered, a second time; waiting: at the end.

    late_p99_ms: the highest of a window, None without any.
    """

    delay_level: int
    added: int
    delivered: int
    delivered_again: int
    waiting: int
    late_p99_ms: float | None
    late_max_ms: float | None


@dataclass
class _LevelCounts:
    added: int = 0
    delivered: int = 0
    again: int = 0
    late_p99_ms: float | None = None
    late_max_ms: float | None = None
    waiting: dict[str, tuple[int, int]] = field(default_factory=dict)  # by broker: last window, what waits then


class DelayTotals:
    """Reader of `delays`: totals by level."""

    columns = (
        "window_start_us", "broker", "delay_level", "added", "delivered", "delivered_again", "waiting", "late_p99_ms",
        "late_max_ms",
    )  # fmt: skip

    def __init__(self) -> None:
        self._levels: dict[int, _LevelCounts] = {}

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next windows."""
        rows = zip(*(batch.column(name).to_pylist() for name in self.columns), strict=True)
        for window_us, broker, level, added, delivered, again, waiting, late_p99_ms, late_max_ms in rows:
            own = self._levels.setdefault(level, _LevelCounts())
            own.added += added
            own.delivered += delivered
            own.again += again or 0
            own.waiting[broker] = max(own.waiting.get(broker, (-1, 0)), (window_us, waiting))
            own.late_p99_ms = _larger(own.late_p99_ms, late_p99_ms)
            own.late_max_ms = _larger(own.late_max_ms, late_max_ms)

    def summaries(self) -> tuple[DelaySummary, ...]:
        """Each level's totals, the lowest first, after the last row."""
        return tuple(
            DelaySummary(
                level, own.added, own.delivered, own.again, sum(waiting for _, waiting in own.waiting.values()),
                own.late_p99_ms, own.late_max_ms,
            )
            for level, own in sorted(self._levels.items())
        )  # fmt: skip


def _larger(one: float | None, other: float | None) -> float | None:
    """The larger of those that are known."""
    return max((value for value in (one, other) if value is not None), default=None)
