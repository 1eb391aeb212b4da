"""The figure of a consequence in another run: the same kind, place and stretch of time."""

from __future__ import annotations

import numpy as np

from simulator.causes.consequence import Consequence
from simulator.causes.run_figures import CELLS_AN_OCTAVE, RunFigures, Series

RISES = 1.1  # what comes down rises by no more than this
MARGIN_US = 3_000_000  # after a stretch: another run's peak comes a little later
PEAKS = {"backlog": "lag", "late_delays": "delay_ms"}


def bins_of(figures: RunFigures, from_us: int, until_us: int) -> slice:
    """The bins of a stretch of time, at least one."""
    first = min(int(from_us // figures.bin_us), figures.bins - 1)
    return slice(first, min(max(int(-(-until_us // figures.bin_us)), first + 1), figures.bins))


def measured(figures: RunFigures, about: Consequence) -> float:
    """The size of a consequence in a run."""
    kind, place = about.kind, about.place
    own = bins_of(figures, about.from_us, about.until_us)
    if kind in PEAKS:
        own = bins_of(figures, about.from_us, about.until_us + MARGIN_US)
        values = figures.of(about.detail if kind == "late_delays" else PEAKS[kind], place)
        return float(_own_part(values, own, about.usual).max(initial=0.0))
    if kind == "waits":
        return float(slow_messages(figures, place, about.usual)[own].sum())
    if kind == "never_sent":
        return float(figures.never_sent)
    if kind == "load":
        return share_shift(figures, place, about)
    if kind == "isolation":
        return isolated_s(figures, about)
    if kind == "hot_queue":
        return queue_share(figures, place, about.detail)
    return float(figures.of(kind, place)[own].sum())


def _own_part(values: Series, own: slice, usual: float) -> Series:
    """What of a stretch is not the rest of an earlier peak: from when the values are as usual, where they come down."""
    inside, before = values[own], values[max(own.start - (own.stop - own.start), 0) : own.start]
    calm = np.flatnonzero(inside <= usual)
    if not len(calm) or not calm[0] or before.max(initial=0.0) <= inside[0]:
        return inside
    return inside[calm[0] :] if inside[: calm[0]].max() <= RISES * inside[0] else inside


def slow_messages(figures: RunFigures, group: str, above_us: float) -> Series:
    """Messages of a producer group that took longer than `above_us`, a bin."""
    cells = figures.waits.get(group)
    if cells is None:
        return np.zeros(figures.bins)
    first = _cell_from(above_us)
    return np.asarray(cells[:, first:].sum(axis=1), np.float64)


def _cell_from(above_us: float) -> int:
    return int(np.ceil(np.log2(max(above_us, 1.0)) * CELLS_AN_OCTAVE))


def edge_us(above_us: float) -> float:
    """The next length of time from `above_us` on from which messages are counted exactly, whole microseconds."""
    return float(np.floor(2 ** (_cell_from(above_us) / CELLS_AN_OCTAVE)))


def quantile_ms(figures: RunFigures, group: str, own: slice, rank: float) -> float:
    """A percentile of what messages of a group took in some bins; nan without messages."""
    cells = figures.waits.get(group)
    counts = cells[own].sum(axis=0) if cells is not None else np.zeros(1)
    total = counts.sum()
    if not total:
        return float("nan")
    place = int(np.searchsorted(np.cumsum(counts), rank * total))
    return float(2 ** ((place + 0.5) / CELLS_AN_OCTAVE) / 1000)


def share_of(figures: RunFigures, broker: str, own: slice) -> float:
    """The part of the attempts that a broker gets in some bins, 0..100."""
    total = sum(float(counts[own].sum()) for counts in figures.places("attempts").values())
    return 100 * float(figures.of("attempts", broker)[own].sum()) / total if total else float("nan")


def share_shift(figures: RunFigures, broker: str, about: Consequence) -> float:
    """By how many points a broker's part differs from its usual one, below 0 where it does in the other direction."""
    now = share_of(figures, broker, bins_of(figures, about.from_us, about.until_us))
    sign = -1.0 if about.detail == "less" else 1.0
    return 0.0 if np.isnan(now) else sign * (now - about.usual)


def isolated_s(figures: RunFigures, about: Consequence) -> float:
    """Seconds for which producers isolate a broker in a stretch of time, sum of all producers."""
    rows = figures.isolations[figures.isolations[:, 0] == int(about.detail)]
    begin, until = np.maximum(rows[:, 2], about.from_us), np.minimum(rows[:, 3], about.until_us)
    return float(np.maximum(until - begin, 0).sum() / 1e6)


def queue_share(figures: RunFigures, topic: str, queue: str) -> float:
    """The part of a topic's messages that a queue gets, 0..100."""
    counts = {place: float(values.sum()) for place, values in figures.places("queue").items()
              if place.startswith(f"{topic} ")}  # fmt: skip
    return 100 * counts.get(f"{topic} {queue}", 0.0) / max(sum(counts.values()), 1.0)
