"""What the POP groups of a run popped, from the table `pops`: how it ended, and what is invisible at the end."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa

COUNTS = ("popped", "acknowledged", "revived", "revived_failed", "revived_unheard", "revived_slow", "refused", "lost")


@dataclass(frozen=True)
class PopSummary:
    """One POP group. revived: messages that came again, of these revived_failed after a failure of the listener and
    revived_unheard as their acknowledgement was lost, revived_slow as a running instance took too long.
    lost: not acknowledged, and never revived. invisible: at the end, most_invisible: at the end of a window.
    """

    consumer_group: str
    popped: int
    acknowledged: int
    revived: int
    revived_failed: int
    revived_unheard: int
    revived_slow: int
    refused: int
    lost: int
    invisible: int
    most_invisible: int


@dataclass
class _GroupCounts:
    sums: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))
    invisible: dict[int, int] = field(default_factory=dict)  # by window


class PopTotals:
    """Reader of `pops`: totals by group."""

    columns = ("consumer_group", "window_start_us", "invisible", *COUNTS)

    def __init__(self) -> None:
        self._groups: dict[str, _GroupCounts] = {}

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next windows."""
        rows = zip(*(batch.column(name).to_pylist() for name in self.columns), strict=True)
        for group, window_us, invisible, *counts in rows:
            own = self._groups.setdefault(group, _GroupCounts())
            own.invisible[window_us] = own.invisible.get(window_us, 0) + invisible
            for name, count in zip(COUNTS, counts, strict=True):
                own.sums[name] += count or 0  # a column that an earlier version did not write

    def summaries(self) -> tuple[PopSummary, ...]:
        """Each group's totals, by name, after the last row."""
        return tuple(
            PopSummary(
                group, **own.sums, invisible=own.invisible[max(own.invisible)],
                most_invisible=max(own.invisible.values()),
            )
            for group, own in sorted(self._groups.items())
        )  # fmt: skip
