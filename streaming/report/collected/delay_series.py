"""Delay levels over time: how late their messages became readable, and how many wait."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from streaming.outputs.dataset import RunOutput, numbers

LATE_LEAST_MS = 1_000.0  # less is not worth naming: a task of a level looks every 100 ms


@dataclass
class LateSpell:
    """A level of a broker was late by more than LATE_LEAST_MS from from_us until until_us; most: delivered a window."""

    broker: str
    level: int
    late_max_ms: float = 0.0
    from_us: int = -1
    until_us: int = 0
    most: int = 0


@dataclass
class DelaySeries:
    """By delay level, over the report's bins. late_ms: highest 99th percentile of a window, NaN where nothing became
    readable; waiting: most messages at a window's end, of all brokers. spells: of levels that were late.
    """

    late_ms: dict[int, np.ndarray] = field(default_factory=dict)
    waiting: dict[int, np.ndarray] = field(default_factory=dict)
    spells: list[LateSpell] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.late_ms)


def delay_series(output: RunOutput, bin_us: int, bins: int) -> DelaySeries:
    """Read the table of delay levels; without one there is nothing."""
    found, spells = DelaySeries(), dict[tuple[str, int], LateSpell]()
    window_us = int(output.about["window_us"])
    windows = -(-output.end_us // window_us) + 1
    waiting: dict[int, np.ndarray] = {}
    columns = ["window_start_us", "broker", "delay_level", "delivered", "waiting", "late_p99_ms", "late_max_ms"]
    for batch in output.batches("delays", columns):
        start_us, level = numbers(batch.column("window_start_us")), numbers(batch.column("delay_level"))
        late_ms = numbers(batch.column("late_p99_ms"))
        for which in np.unique(level).tolist():
            late = found.late_ms.setdefault(which, np.full(bins, np.nan))
            sums = waiting.setdefault(which, np.zeros(windows))
            own = (level == which) & (start_us // bin_us < bins)
            np.fmax.at(late, start_us[own] // bin_us, late_ms[own])
            np.add.at(sums, start_us[own] // window_us, numbers(batch.column("waiting"))[own])
        _add_spells(batch, spells, window_us)
    for which, sums in waiting.items():
        found.waiting[which] = np.zeros(bins)
        place = np.minimum(np.arange(windows) * window_us // bin_us, bins - 1)
        np.maximum.at(found.waiting[which], place, sums)
    found.spells = list(spells.values())
    return found


def _add_spells(batch: pa.RecordBatch, spells: dict[tuple[str, int], LateSpell], window_us: int) -> None:
    late = numbers(batch.column("late_max_ms")) > LATE_LEAST_MS
    for row in pa.Table.from_batches([batch]).filter(pa.array(late)).to_pylist():
        key = row["broker"], row["delay_level"]
        own = spells.setdefault(key, LateSpell(*key))
        own.late_max_ms = max(own.late_max_ms, row["late_max_ms"])
        own.from_us = row["window_start_us"] if own.from_us < 0 else min(own.from_us, row["window_start_us"])
        own.until_us = max(own.until_us, row["window_start_us"] + window_us)
        own.most = max(own.most, row["delivered"])
