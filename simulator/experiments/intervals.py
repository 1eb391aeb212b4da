"""How sure a measure is: confidence intervals over runs that differ by their seed alone, each method named.

mean        Student's t over the runs.
percentile  the percentiles of the runs are averaged; a bootstrap over the runs takes their skewness into account, its
            interval widened for few runs (Hesterberg 2015, "What Teachers Should Know About the Bootstrap", 4.3).
events      none at all: the exact Poisson bound; as rare and as even as chance: Garwood's exact Poisson interval;
            in bursts: as percentiles.
count       none at all: the exact Poisson bound; else as means.
wait        the median with the interval of order statistics, which takes a wait without end as it is. So does any
            other measure of which some run has a value without end. Of fewer runs than `runs_for_median` it is their
            range, which is less sure than was asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

RESAMPLES = 4_000
BOOTSTRAP_KEY = 0x5E_ED
FEWEST_TO_RESAMPLE = 5
EVEN_LEVEL = 0.05  # counts are more uneven than chance if that is less likely than this
BEYOND = 1.2  # of the largest value that has an end
RARE = 100.0  # events in all runs, at most, for an exact interval

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A measure over runs: `mean` (the median, for a wait), and the interval it lies in, None for one run alone."""

    mean: float
    low: float | None
    high: float | None
    runs: int
    method: str
    is_sure: bool = True
    """Whether it is as sure as was asked: the range of too few runs is not."""
    endless: int = 0
    """How many of the runs have a value without end; their median can have an end nevertheless."""

    @property
    def half_width(self) -> float:
        """Half of the interval's length, inf without one."""
        return math.inf if self.low is None or self.high is None else (self.high - self.low) / 2

    def as_json(self) -> dict[str, Any]:
        """The fields; what is without end is null."""
        plain = {name: value if value is None or math.isfinite(value) else None for name, value in self._numbers()}
        return plain | {"runs": self.runs, "method": self.method}

    def _numbers(self) -> list[tuple[str, float | None]]:
        return [("mean", self.mean), ("low", self.low), ("high", self.high)]


def shows(found: Interval) -> bool:
    """Whether a difference's interval leaves 0 out, as surely as was asked."""
    if found.low is None or found.high is None:
        return False
    return found.is_sure and (found.low > 0 or found.high < 0)


def student(values: Floats, confidence: float) -> Interval:
    """Mean with Student's t interval."""
    from scipy import special

    n = len(values)
    quantile = float(special.stdtrit(n - 1, 0.5 + confidence / 200))
    half = quantile * float(values.std(ddof=1)) / math.sqrt(n)
    mean = float(values.mean())
    return Interval(mean, mean - half, mean + half, n, "Student t over runs")


@lru_cache(maxsize=64)
def _weights(n: int) -> Floats:
    generator = np.random.Generator(np.random.Philox(key=BOOTSTRAP_KEY, counter=n))
    return generator.multinomial(n, np.full(n, 1 / n), size=RESAMPLES) / n


def bootstrap(values: Floats, confidence: float) -> Interval:
    """Mean with the expanded percentile interval of a bootstrap over runs; Student's t for fewer than 5."""
    from scipy import special

    n = len(values)
    if n < FEWEST_TO_RESAMPLE:
        return student(values, confidence)
    stretched = math.sqrt(n / (n - 1)) * float(special.stdtrit(n - 1, 0.5 + confidence / 200))
    tail = float(special.ndtr(-stretched))
    low, high = np.quantile(_weights(n) @ values, [tail, 1 - tail])
    return Interval(float(values.mean()), float(low), float(high), n, "bootstrap over runs (expanded percentile)")


def median(values: Floats, confidence: float) -> Interval:
    """Median with the narrowest interval of order statistics that is at least as sure; all of it if none is."""
    from scipy import special

    n, ordered = len(values), np.sort(values)
    outside = 0
    while outside < (n - 1) // 2 and 2 * float(special.bdtr(outside, n, 0.5)) <= 1 - confidence / 100:
        outside += 1
    rank = max(outside - 1, 0)
    middle = float(ordered[(n - 1) // 2]) if n % 2 else _between(float(ordered[n // 2 - 1]), float(ordered[n // 2]))
    enough = n >= runs_for_median(confidence)
    method = "median, order statistics" if enough else "median, range of too few runs"
    return Interval(middle, float(ordered[rank]), float(ordered[n - 1 - rank]), n, method, enough)


def runs_for_median(confidence: float) -> int:
    """How many runs it takes until the range of all of them is as sure to hold the median: 6 for 95 %."""
    return math.ceil(math.log2(2 / (1 - confidence / 100)))


def _between(low: float, high: float) -> float:
    return low if low == high else (low + high) / 2


def events(values: Floats, exposure: Floats, scale: float, confidence: float) -> Interval:
    """Mean of `values` = scale x events / exposure, each of a run, with an interval for rare events."""
    from scipy import special

    n, tail = len(values), (1 - confidence / 100) / 2
    counts = values * exposure / scale
    total, unit = float(counts.sum()), scale / float(exposure.sum())
    if total == 0:
        return Interval(0.0, 0.0, -math.log(tail) * unit, n, "exact Poisson bound, no event")
    expected = total * exposure / exposure.sum()
    uneven = float(((counts - expected) ** 2 / expected).sum())
    if total <= RARE and float(special.chdtrc(n - 1, uneven)) > EVEN_LEVEL:
        low, high = special.gammaincinv(total, tail) * unit, special.gammaincinv(total + 1, 1 - tail) * unit
        return Interval(total * unit, float(low), float(high), n, "exact Poisson interval (Garwood)")
    return bootstrap(values, confidence)


METHODS: dict[str, Callable[[Floats, float], Interval]] = {
    "mean": student,
    "percentile": bootstrap,
    "events": bootstrap,
    "count": student,
    "wait": median,
}


def _method(values: Floats, kind: str) -> Callable[[Floats, float], Interval]:
    return METHODS[kind] if np.isfinite(values).all() else median


def _all_same(values: Floats, kind: str, confidence: float, method: str) -> Interval:
    """The interval of values without a difference; of a median as sure as that many runs can be."""
    is_sure = _method(values, kind) is not median or len(values) >= runs_for_median(confidence)
    return Interval(float(values[0]), float(values[0]), float(values[0]), len(values), method, is_sure)


def interval(
    values: Sequence[float], kind: str, confidence: float = 95.0, exposure: Sequence[float] = (), scale: float = 1.0
) -> Interval:
    """The interval of a measure's values, one a run. `exposure`: for events, how often they could have happened."""
    array = np.asarray(values, np.float64)
    if len(array) == 1:
        return Interval(float(array[0]), None, None, 1, "one run, no interval")
    if kind == "events" or (kind == "count" and not array.any()):
        chances = np.asarray(exposure if len(exposure) else np.ones(len(array)), np.float64)
        found = events(array, chances, scale, confidence)
    elif (array == array[0]).all():
        return _all_same(array, kind, confidence, "the same in every run")
    else:
        found = _method(array, kind)(array, confidence)
    # No measure is below 0.
    return replace(found, low=max(found.low or 0.0, 0.0), endless=int(np.isinf(array).sum()))


def difference(values: Sequence[float], base: Sequence[float], kind: str, confidence: float = 95.0) -> Interval:
    """The interval of the differences of paired runs, `values` less `base`: both of the same seeds."""
    with np.errstate(invalid="ignore"):
        apart = np.subtract(np.asarray(values, np.float64), np.asarray(base, np.float64))
    apart[np.asarray(values) == np.asarray(base)] = 0.0  # two waits without end
    if len(apart) == 1:
        return Interval(float(apart[0]), None, None, 1, "one pair of runs, no interval")
    if (apart == apart[0]).all():
        method = "the same in every pair" if apart[0] == 0 else "the same difference in every pair"
        return _all_same(apart, kind, confidence, method)
    found = _method(apart, kind)(apart, confidence)
    return replace(found, method=f"paired, {found.method}")


@dataclass(frozen=True)
class DrawnIntervals:
    """Places of intervals in a picture, all finite; is_open: whether the mean itself has no end."""

    means: list[float]
    lows: list[float]
    highs: list[float]
    is_open: list[bool]


def drawn_intervals(found: Sequence[Interval], *bounds: float) -> DrawnIntervals:
    """Intervals with what has no end cut off beyond the others and the bounds."""
    ends = [end for one in found for end in (one.mean, one.low, one.high) if end is not None and math.isfinite(end)]
    top = BEYOND * max([*bounds, *ends], default=1.0)
    means = [min(one.mean, top) for one in found]
    lows = [min(one.mean if one.low is None else one.low, top) for one in found]
    highs = [min(one.mean if one.high is None else one.high, top) for one in found]
    return DrawnIntervals(means, lows, highs, [math.isinf(one.mean) for one in found])
