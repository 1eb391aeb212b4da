"""When a producer saw a broker as not available, from the changes of its fault items."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streaming.errors import InputError
from streaming.outputs.dataset import RunOutput, codes, numbers
from streaming.outputs.kept_out import COLUMNS, FOREVER, kept_out_until_us, unreachable_is_out
from streaming.texts.output_texts import OutputTexts


def _healthy_time(output: RunOutput, broker: str) -> tuple[np.ndarray, np.ndarray]:
    """Moments, and how long a broker has been without a fault of its own up to each."""
    end_us = output.end_us
    own = sorted(
        (fault["at_us"], min(fault.get("until_us") or end_us, end_us))
        for fault in output.about["faults"]
        if fault["broker"] == broker and fault["at_us"] < end_us
    )
    times, healthy, reached = [0], [0], 0
    for begin, until in own:
        if begin > reached:
            times.append(begin)
            healthy.append(healthy[-1] + begin - reached)
        if until > reached:
            times.append(until)
            healthy.append(healthy[-1])
            reached = until
    times.append(max(end_us, reached))
    healthy.append(healthy[-1] + max(end_us - reached, 0))
    return np.array(times, dtype=np.float64), np.array(healthy, dtype=np.float64)


class Avoidance:
    """Isolation of brokers, in integer microseconds of virtual time, from the rows of `fault_items`.

    A change with available=false begins an isolation. It ends at start_timestamp_ms, at the next change
    of the same (producer, broker), or at the end of the run, whichever is first; a next change with
    available=false begins the next one at once. Release 5.1.4 keeps an unreachable broker out until
    the next change.

    isolated_us: [brokers], sum over producers.  at_end: [brokers], producers that still isolate it at the end.
    bars: (producer, broker) -> [[from_us, until_us], ...] of the producers in `sample`, where gaps shorter than a
    thousandth of the run are closed.
    """

    columns = ("producer", "broker", "at_us", "change_seq", *COLUMNS)

    def __init__(self, output: RunOutput, bin_us: int = 0, sample: frozenset[int] = frozenset()) -> None:
        self.brokers = output.brokers
        self.producers = max(output.producers, 1)
        self.end_us = output.end_us
        self._over_proxies = any(group.get("over_proxies") for group in output.about["producer_groups"])
        self.unreachable_is_out = unreachable_is_out(output.about)
        self.isolated_us = np.zeros(len(self.brokers), dtype=np.int64)
        self.changes = 0
        self.at_end = np.zeros(len(self.brokers), dtype=np.int64)
        self._periods: Counter[tuple[int, int]] = Counter()  # (broker, milliseconds) of isolations as they begin
        # Of every (producer, broker): how long it is isolated outside of the broker's faults.
        self._healthy_us = np.zeros(self.producers * len(self.brokers), dtype=np.int64)
        self._knots = [_healthy_time(output, name) for name in self.brokers]
        self.bars: dict[tuple[int, int], list[list[int]]] = defaultdict(list)
        self._sample = np.array(sorted(sample), dtype=np.int64)
        # Last change of every (producer, broker): when, and until when it keeps the broker out.
        self._since = np.full(self.producers * len(self.brokers), -1, dtype=np.int64)
        self._until = np.full_like(self._since, -1)
        self.bin_us = bin_us or self.end_us
        bins = -(-self.end_us // self.bin_us)
        # Per broker and bin: isolations begun less ended, and how much of the bin they leave.
        self._step = np.zeros((len(self.brokers), bins), dtype=np.int64)
        self._part = np.zeros_like(self._step)

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next changes; raises InputError if those of a fault item are not in the order of time."""
        if self._over_proxies:  # what proxies hold is numbered behind the producers
            batch = batch.filter(pc.less(batch.column("producer"), self.producers))
            if not batch.num_rows:
                return
        producer = numbers(batch.column("producer")).astype(np.int64)
        if len(producer) and producer.max() >= self.producers:
            raise InputError(OutputTexts.PRODUCER_NOT_LISTED(producer=producer.max()))
        key = producer * len(self.brokers) + codes(batch.column("broker"), self.brokers)
        order = np.lexsort((numbers(batch.column("change_seq")), key))
        key, at = key[order], numbers(batch.column("at_us"))[order]
        until = kept_out_until_us(batch, unreachable_is_out=self.unreachable_is_out)[order]
        self._count_periods(key, at, until)
        first = np.r_[True, key[1:] != key[:-1]]
        if (at[first] < self._since[key[first]]).any() or (np.diff(at)[~first[1:]] < 0).any():
            raise InputError(OutputTexts.CHANGES_OUT_OF_ORDER())
        self._isolated(key[first], self._since[key[first]], np.minimum(self._until[key[first]], at[first]))
        inside = np.flatnonzero(~first)
        self._isolated(key[inside], at[inside - 1], np.minimum(until[inside - 1], at[inside]))
        last = np.r_[first[1:], True]
        self._since[key[last]], self._until[key[last]] = at[last], until[last]
        self.changes += len(key)

    def close(self) -> Avoidance:
        """End what is still open at the end of the run; call once, after the last row."""
        key = np.flatnonzero(self._until > self._since)
        still = key[self._until[key] > self.end_us]
        self.at_end += np.bincount(still % len(self.brokers), minlength=len(self.brokers))
        self._isolated(key, self._since[key], self._until[key])
        self._until[:] = self._since
        return self

    def isolated_s(self) -> np.ndarray:
        """Seconds of isolation of each broker, average per producer."""
        return self.isolated_us / self.producers / 1e6

    def healthy_s(self, broker: int) -> np.ndarray:
        """Seconds for which each producer isolated a broker outside of its faults; of those that did."""
        own = self._healthy_us[broker :: len(self.brokers)]
        return own[own > 0] / 1e6

    def users(self, broker: int, used: np.ndarray | None) -> int:
        """Producers that sent to a broker or isolate it. used: [producers, brokers], None if it is not known."""
        if used is None:
            return self.producers
        isolated = self._healthy_us[broker :: len(self.brokers)] > 0
        return int((used[:, broker] | isolated[: len(used)]).sum())

    def penalties(self, brokers: Sequence[int]) -> list[tuple[int, int]]:
        """Isolation periods in milliseconds that were applied to brokers, and how often, the most frequent first."""
        counts: Counter[int] = Counter()
        for (broker, period_ms), count in self._periods.items():
            if broker in brokers:
                counts[period_ms] += count
        return counts.most_common()

    def fraction(self) -> np.ndarray:
        """Part of the producers that avoid each broker, 0..1, average over each bin: [brokers, bins]."""
        before = np.cumsum(self._step, axis=1) - self._step
        bins = self._step.shape[1]
        width = np.full(bins, self.bin_us)
        width[-1] = self.end_us - (bins - 1) * self.bin_us
        return (before * width + self._part) / (width * self.producers)

    def _count_periods(self, key: np.ndarray, at: np.ndarray, until: np.ndarray) -> None:
        given = (until > at) & (until < FOREVER)
        period_ms = (until[given] - at[given] // 1000 * 1000) // 1000
        pairs, counts = np.unique(np.stack([key[given] % len(self.brokers), period_ms]), axis=1, return_counts=True)
        for (broker, length_ms), count in zip(pairs.T.tolist(), counts.tolist(), strict=True):
            self._periods[broker, length_ms] += count

    def _isolated(self, key: np.ndarray, begin: np.ndarray, end: np.ndarray) -> None:
        end = np.minimum(end, self.end_us)
        real = (end > begin) & (begin >= 0)
        key, begin, end = key[real], begin[real], end[real]
        producer, broker = np.divmod(key, len(self.brokers))
        np.add.at(self.isolated_us, broker, end - begin)
        for number in np.unique(broker):
            times, healthy = self._knots[int(number)]
            own = broker == number
            spent = np.interp(end[own], times, healthy) - np.interp(begin[own], times, healthy)
            np.add.at(self._healthy_us, key[own], spent.astype(np.int64))
        for time, sign in ((begin, 1), (end, -1)):
            index = np.minimum(time // self.bin_us, self._step.shape[1] - 1)
            edge = np.minimum((index + 1) * self.bin_us, self.end_us)
            np.add.at(self._step, (broker, index), sign)
            np.add.at(self._part, (broker, index), sign * (edge - time))
        shown = np.isin(producer, self._sample)
        for each in zip(producer[shown], broker[shown], begin[shown], end[shown], strict=True):
            self._bar(*(int(value) for value in each))

    def _bar(self, producer: int, broker: int, begin: int, end: int) -> None:
        bars = self.bars[producer, broker]
        if bars and begin - bars[-1][1] <= self.end_us // 1000:
            bars[-1][1] = max(bars[-1][1], end)
        else:
            bars.append([begin, end])
