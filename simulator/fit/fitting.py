"""Fitting a cluster to measured points: the figures whose simulated points lie nearest to the measured ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from simulator.fit.fitted_cluster import KIB, P99_SIGMAS, Around, Figures, measured_in
from simulator.fit.fitting_texts import FittingTexts
from simulator.fit.measured_point import FittedPoint, Point

ASSUMED_SIGMA = 1.0  # of the service time where fewer than three numbers of threads were measured
FIRST_STEP = 0.15  # of a figure's logarithm
EVALUATIONS_MOST = 150
CLOSE = 0.004  # in logarithms of ratios: nearer than the simulated points' own noise
LEAST_US = 1
POWER = 4  # of the mean: as a bound for each point asks, one far off counts more than several a little off
SIGMA_MOST = 2.5  # a p99 of 335 times the median

Show = Callable[[int, float], None]  # evaluations so far, fourth-power mean of the logarithms of all ratios


@dataclass(frozen=True)
class Fit:
    """The figures found, what of them was assumed instead of fitted, and the distance from the points they saw."""

    figures: Figures
    assumed: tuple[str, ...]
    distance: float


class FitDistance:
    """The distance of figures from measured points, each simulated once."""

    def __init__(self, points: Sequence[Point], around: Around, show: Show) -> None:
        self._points, self._around, self._show = points, around, show
        self._known: dict[Figures, float] = {}

    def distance(self, figures: Figures) -> float:
        """Fourth-power mean of the logarithms of model over measured: throughput and response time of all points."""
        if figures not in self._known:
            found = [measured_in(figures, self._around, point) for point in self._points]
            logs = [
                math.log(ratio)
                for point, (per_s, response_ms) in zip(self._points, found, strict=True)
                for ratio in (per_s / point.per_s, response_ms / point.response_ms)
            ]
            self._known[figures] = (sum(log**POWER for log in logs) / len(logs)) ** (1 / POWER)
            self._show(len(self._known), min(self._known.values()))
        return self._known[figures]


@dataclass(frozen=True)
class Guess:
    """Where the search begins, from the points' own arithmetic; what only other points could show is left out."""

    service_us: float
    wait_us: float
    sigma: float | None  # None: cannot be fitted
    per_kib_us: float | None
    wait_per_kib_us: float  # not searched for: points that differ in their size alone show it
    smallest_bytes: int

    @classmethod
    def of(cls, points: Sequence[Point], around: Around) -> Guess:
        """The service from the most throughput, the wait from the shortest response, sizes from points that are alike.

        Raises ValueError for points of one number of threads only.
        """
        threads = {point.threads for point in points}
        if len(threads) < 2:
            raise ValueError(FittingTexts.ONE_NUMBER_OF_THREADS())
        smallest, servers = min(point.message_bytes for point in points), around.brokers * around.send_threads
        most = max((p for p in points if p.message_bytes == smallest), key=lambda p: p.per_s)
        service_us = servers * 1e6 / most.per_s
        wait_us = max(min(point.response_ms for point in points) * 1000 - service_us, LEAST_US)
        per_kib, wait_per_kib = None, 0.0
        pairs = _pairs(points)
        if pairs and pairs[-1][0].threads > min(threads):
            per_kib = max(2 * _per_kib(pairs[-1], lambda p: servers * 1e6 / p.per_s), LEAST_US)
        if pairs and pairs[0][0].threads == min(threads):
            held = 0.0 if per_kib is None else per_kib / 2
            wait_per_kib = max(_per_kib(pairs[0], lambda p: p.response_ms * 1000) - held, 0.0)
        sigma = ASSUMED_SIGMA if len(threads) > 2 else None
        return cls(service_us, wait_us, sigma, per_kib, wait_per_kib, smallest)

    def figures(self, logs: npt.NDArray[np.float64]) -> Figures:
        """The figures at those logarithms of factors: service, wait, then what else is fitted."""
        factors = iter(np.exp(logs).tolist())
        mean, wait = self.service_us * next(factors), self.wait_us * next(factors)
        sigma = ASSUMED_SIGMA if self.sigma is None else min(self.sigma * next(factors), SIGMA_MOST)
        per_kib = 0.0 if self.per_kib_us is None else self.per_kib_us * next(factors)
        base = 0.0 if self.per_kib_us is None else max(mean / 5 - per_kib * self.smallest_bytes / KIB, 0.0)
        wait = max(wait - self.wait_per_kib_us * self.smallest_bytes / KIB, LEAST_US)
        p50 = mean * math.exp(-(sigma**2) / 2)
        p99 = p50 * math.exp(P99_SIGMAS * sigma)
        whole = [max(round(value), LEAST_US) for value in (p50, p99)]
        service_p99 = max(whole[1], whole[0] + 1)
        return Figures(whole[0], service_p99, round(base), round(per_kib), round(wait), round(self.wait_per_kib_us))

    @property
    def fitted(self) -> int:
        """How many figures are."""
        return 2 + (self.sigma is not None) + (self.per_kib_us is not None)

    @property
    def assumed(self) -> tuple[str, ...]:
        """What is not, in words."""
        spread = FittingTexts.SPREAD_ASSUMED(sigma=ASSUMED_SIGMA)
        size = FittingTexts.SIZE_ASSUMED()
        return tuple(text for text, value in ((spread, self.sigma), (size, self.per_kib_us)) if value is None)


def _pairs(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    """The smallest and the largest message with as many threads and queues, from the fewest threads on."""
    ends = {min(p.message_bytes for p in points): 0, max(p.message_bytes for p in points): 1}
    of = {(p.threads, p.queues, ends[p.message_bytes]): p for p in points if p.message_bytes in ends}
    return [
        (of[(*key, 0)], of[(*key, 1)]) for key in sorted({key[:2] for key in of}) if {(*key, 0), (*key, 1)} <= {*of}
    ]


def _per_kib(pair: tuple[Point, Point], figure: Callable[[Point], float]) -> float:
    """What a figure of two messages grows by for each KiB."""
    small, large = pair
    return (figure(large) - figure(small)) * KIB / (large.message_bytes - small.message_bytes)


def fit_cluster(points: Sequence[Point], around: Around, show: Show = lambda number, distance: None) -> Fit:
    """The figures nearest to the points (Nelder and Mead's simplex over their logarithms).

    `show` is called after each evaluation. Raises ValueError for points that cannot be fitted.
    """
    guess, search = Guess.of(points, around), FitDistance(points, around, show)
    start = np.zeros(guess.fitted)
    corners = np.vstack([start, np.eye(guess.fitted) * FIRST_STEP])
    found = minimize(
        lambda logs: search.distance(guess.figures(logs)), start, method="Nelder-Mead",
        options={"initial_simplex": corners, "maxfev": EVALUATIONS_MOST, "xatol": CLOSE, "fatol": CLOSE / 10},
    )  # fmt: skip
    return Fit(guess.figures(found.x), guess.assumed, float(found.fun))


def predicted(fit: Fit, around: Around, points: Sequence[Point], seen: Sequence[Point]) -> list[FittedPoint]:
    """What the fitted cluster gives at each point, in order of size, queues and threads."""
    return [FittedPoint(point, *measured_in(fit.figures, around, point), point in seen) for point in sorted(points)]
