"""What consumer groups came to: their lag from window to window, what they consumed, and how late."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa

from state.group_table import LAG_VERDICTS
from streaming.outputs.dataset import RunOutput, codes, numbers

VERDICT_PLACES = {name: place for place, name in enumerate(LAG_VERDICTS)}
NEAR_WINDOWS = 5  # windows with consumptions again that are so near are one stretch
COUNTS = (
    "consumed",
    "consumed_again",
    "unowned_us",
    "double_owned_us",
    "lag",
    "failed",
    "sent_back",
    "dead_letters",
    "missed",
    "skipped",
    "skipped_since_start",
    "expired",
    "deduplicated",
    "handled_again",
    "instances",
    "failed_starts",
)


@dataclass(frozen=True)
class ConsumerSummary:
    """One consumer group; None where nothing was measured or the table was not written.

    lag: messages that are not consumed, at the ends of windows; calm_lag: what the group consumes in a window, mean of
    the run, at least 1. began_s: when the lag last rose above calm_lag before its maximum; gone_s: when it is back for
    good, None if it never is. p99_ms: the highest of a window, from the intended send time until consumed for the first
    time. failed: consumptions that failed, from failed_from_s to failed_until_s; after them messages come again
    (sent_back) or are given up (dead_letters). expired: sent back by sweeps for consumeTimeout, handled still.
    deduplicated, handled_again: deliveries that the group's deduplicate skipped and let through. missed: messages
    deleted before they were consumed, from missed_from_s to missed_until_s (None if some of it was in rows that were
    removed; so for skipped). skipped: messages that the group went past
    without consuming them, skipped_since_start of them stored since the start of the instance that did, from
    skipped_from_s to skipped_until_s. unowned_s, double_owned_s: sums of the times of all queues. seen_s: end of the
    last window. instances_least, instances_most: instances that run at ends of windows, from the first with some on.
    failed_starts: starts of instances that no name server answered, from failed_starts_from_s to failed_starts_until_s.
    verdicts: stretches (verdict, from_s, until_s) in which the lag's verdict is not OK. twice: stretches
    (from_s, until_s, consumptions) in which messages were consumed again.
    """

    consumer_group: str
    consumed: int | None = None
    consumed_again: int | None = None
    failed: int | None = None
    sent_back: int | None = None
    dead_letters: int | None = None
    missed: int | None = None
    missed_from_s: float | None = None
    missed_until_s: float | None = None
    skipped: int | None = None
    skipped_since_start: int | None = None
    skipped_from_s: float | None = None
    skipped_until_s: float | None = None
    expired: int | None = None
    deduplicated: int | None = None
    handled_again: int | None = None
    failed_from_s: float | None = None
    failed_until_s: float | None = None
    lag_end: int | None = None
    lag_max: int | None = None
    lag_max_at_s: float | None = None
    calm_lag: float | None = None
    began_s: float | None = None
    gone_s: float | None = None
    p99_ms: float | None = None
    unowned_s: float | None = None
    double_owned_s: float | None = None
    instances_least: int | None = None
    instances_most: int | None = None
    failed_starts: int | None = None
    failed_starts_from_s: float | None = None
    failed_starts_until_s: float | None = None
    seen_s: float = 0.0
    verdicts: tuple[tuple[str, float, float], ...] = ()
    twice: tuple[tuple[float, float, int], ...] = ()


class GroupTotals:
    """Reader of `consumer_windows`: COUNTS and the 99th percentile as [groups, windows]."""

    columns = ("consumer_group", "window_start_us", "p99_ms", "lag_verdict", *COUNTS)

    def __init__(self, output: RunOutput) -> None:
        names = output.about.get("consumer_groups", ())
        self.groups, self.window_us = {name: place for place, name in enumerate(names)}, int(output.about["window_us"])
        self.has_removed = output.removed_before_us > 0
        shape = (len(self.groups), -(-output.end_us // self.window_us))
        self.counts = {name: np.zeros(shape, np.int64) for name in COUNTS}
        self.p99_ms, self.known = np.full(shape, np.nan), np.zeros(shape, dtype=bool)
        self.verdicts = np.zeros(shape, np.int64)  # place in LAG_VERDICTS

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next windows."""
        window = numbers(batch.column("window_start_us")) // self.window_us
        seen = window < self.known.shape[1]
        place = codes(batch.column("consumer_group"), self.groups)[seen], window[seen]
        for name, sums in self.counts.items():
            np.add.at(sums, place, numbers(batch.column(name))[seen])
        np.fmax.at(self.p99_ms, place, numbers(batch.column("p99_ms"))[seen])
        self.verdicts[place] = codes(batch.column("lag_verdict"), VERDICT_PLACES, strict=False)[seen]
        self.known[place] = True

    def summaries(self) -> tuple[ConsumerSummary, ...]:
        """Each group's totals, after the last row."""
        return tuple(self._summary(name, group) for name, group in self.groups.items())

    def _summary(self, name: str, group: int) -> ConsumerSummary:
        windows = np.flatnonzero(self.known[group])
        if not len(windows):
            return ConsumerSummary(name)
        of = {count: values[group, windows] for count, values in self.counts.items()}
        ends_s, lag, late = (windows + 1) * self.window_us / 1e6, of["lag"], self.p99_ms[group]
        most, calm = int(lag.argmax()), max(float(of["consumed"].mean()), 1.0)
        above = np.flatnonzero(lag > calm)
        failing, in_vain = (np.flatnonzero(of[name]) for name in ("failed", "failed_starts"))
        rises, skips = (self._rises(of[name], windows) for name in ("missed", "skipped"))
        running = of["instances"][int((of["instances"] > 0).argmax()) :]
        calm_before, last = np.flatnonzero(lag[: most + 1] <= calm), int(above[-1]) if len(above) else -1
        return ConsumerSummary(
            consumer_group=name,
            consumed=int(of["consumed"].sum()),
            consumed_again=int(of["consumed_again"].sum()),
            failed=int(of["failed"].sum()),
            sent_back=int(of["sent_back"].sum()),
            dead_letters=int(of["dead_letters"].sum()),
            missed=int(of["missed"][-1]),
            missed_from_s=float(ends_s[rises[0]]) if len(rises) else None,
            missed_until_s=float(ends_s[rises[-1]]) if len(rises) else None,
            skipped=int(of["skipped"][-1]),
            skipped_since_start=int(of["skipped_since_start"][-1]),
            skipped_from_s=float(ends_s[skips[0]]) if len(skips) else None,
            skipped_until_s=float(ends_s[skips[-1]]) if len(skips) else None,
            expired=int(of["expired"].sum()),
            deduplicated=int(of["deduplicated"].sum()),
            handled_again=int(of["handled_again"].sum()),
            failed_from_s=float(ends_s[failing[0]] - self.window_us / 1e6) if len(failing) else None,
            failed_until_s=float(ends_s[failing[-1]]) if len(failing) else None,
            lag_end=int(lag[-1]),
            lag_max=int(lag[most]),
            lag_max_at_s=float(ends_s[most]),
            calm_lag=calm,
            began_s=float(ends_s[calm_before[-1]]) if len(calm_before) else 0.0,
            gone_s=float(ends_s[last + 1]) if last + 1 < len(lag) else None,
            p99_ms=float(np.nanmax(late)) if np.isfinite(late).any() else None,
            unowned_s=int(of["unowned_us"].sum()) / 1e6,
            double_owned_s=int(of["double_owned_us"].sum()) / 1e6,
            instances_least=int(running.min()),
            instances_most=int(running.max()),
            failed_starts=int(of["failed_starts"].sum()),
            failed_starts_from_s=float(ends_s[in_vain[0]] - self.window_us / 1e6) if len(in_vain) else None,
            failed_starts_until_s=float(ends_s[in_vain[-1]]) if len(in_vain) else None,
            seen_s=float(ends_s[-1]),
            verdicts=tuple(self._verdict_stretches(group, windows)),
            twice=tuple(self._twice(of["consumed_again"], windows)),
        )

    def _rises(self, so_far: np.ndarray, windows: np.ndarray) -> np.ndarray:
        """The places of windows in which a count from the start grows; none where it grew in windows removed since."""
        unseen = self.has_removed and windows[0] > 0 and so_far[0] > 0
        return np.flatnonzero(np.diff(so_far, prepend=0) > 0)[: 0 if unseen else None]

    def _verdict_stretches(self, group: int, windows: np.ndarray) -> Iterator[tuple[str, float, float]]:
        ends_s, found = (windows + 1) * self.window_us / 1e6, self.verdicts[group, windows]
        edges = [0, *(np.flatnonzero(np.diff(found)) + 1).tolist(), len(found)]
        for begin, end in pairwise(edges):
            if found[begin] > 0:
                yield LAG_VERDICTS[found[begin]], float(ends_s[begin]), float(ends_s[min(end, len(found) - 1)])

    def _twice(self, again: np.ndarray, windows: np.ndarray) -> Iterator[tuple[float, float, int]]:
        places = np.flatnonzero(again)
        for stretch in np.split(places, np.flatnonzero(np.diff(places) > NEAR_WINDOWS) + 1):
            if len(stretch):
                ends = (int(windows[stretch[0]]), int(windows[stretch[-1]]) + 1)
                from_s, until_s = (end * self.window_us / 1e6 for end in ends)
                yield from_s, until_s, int(again[stretch].sum())
