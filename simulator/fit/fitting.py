"""Fitting a cluster to measured points: the figures whose simulated points lie nearest to the measured ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from simulator.fit.fitted_cluster import KIB, P99_SIGMAS, Around, Figures, measured_in
from simulator.fit.measured_point import FittedPoint, Point

ASSUMED_SIGMA = 1.0  # of the service time where fewer than three numbers of threads were measured
FIRST_STEP = 0.15  # of a figure's logarithm
EVALUATIONS_MOST = 150
CLOSE = 0.004  # in logarithms of ratios: nearer than the simulated points' own noise
LEAST_US = 1
SIGMA_MOST = 2.5  # a p99 of 335 times the median

Show = Callable[[int, float], None]  # evaluations so far, root mean square of the logarithms of all ratios


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
        """Root mean square of the logarithms of model over measured: throughput and response time of all points."""
        if figures not in self._known:
            found = [measured_in(figures, self._around, point) for point in self._points]
            logs = [
                math.log(ratio)
                for point, (per_s, response_ms) in zip(self._points, found, strict=True)
                for ratio in (per_s / point.per_s, response_ms / point.response_ms)
            ]
            self._known[figures] = math.sqrt(sum(log**2 for log in logs) / len(logs))
            self._show(len(self._known), min(self._known.values()))
        return self._known[figures]


@dataclass(frozen=True)
class Guess:
    """Where the search begins, from the points' own arithmetic; what only other points could show is left out."""

    service_us: float
    wait_us: float
    sigma: float | None  # None: cannot be fitted
    per_kib_us: float | None
    smallest_bytes: int

    @classmethod
    def of(cls, points: Sequence[Point], around: Around) -> Guess:
        """The service from the most throughput, the wait from the shortest response, sizes from those of most threads.

        Raises ValueError for points of one number of threads only.
        """
        threads = {point.threads for point in points}
        if len(threads) < 2:
            raise ValueError("at least two different numbers of threads are needed: one alone and one that saturates")
        smallest = min(point.message_bytes for point in points)
        of_size = {
            size: max((p for p in points if p.message_bytes == size), key=lambda p: p.per_s)
            for size in sorted({point.message_bytes for point in points})
        }
        servers = around.brokers * around.send_threads
        service_us = servers * 1e6 / of_size[smallest].per_s
        wait_us = max(min(point.response_ms for point in points) * 1000 - service_us, LEAST_US)
        per_kib = None
        largest = max(of_size)
        if largest > smallest:
            more_us = servers * 1e6 / of_size[largest].per_s - service_us
            per_kib = max(2 * more_us * KIB / (largest - smallest), LEAST_US)
        return cls(service_us, wait_us, ASSUMED_SIGMA if len(threads) > 2 else None, per_kib, smallest)

    def figures(self, logs: npt.NDArray[np.float64]) -> Figures:
        """The figures at those logarithms of factors: service, wait, then sigma and per KiB where they are fitted."""
        factors = iter(np.exp(logs).tolist())
        mean, wait = self.service_us * next(factors), self.wait_us * next(factors)
        sigma = ASSUMED_SIGMA if self.sigma is None else min(self.sigma * next(factors), SIGMA_MOST)
        per_kib = 0.0 if self.per_kib_us is None else self.per_kib_us * next(factors)
        base = 0.0 if self.per_kib_us is None else max(mean / 5 - per_kib * self.smallest_bytes / KIB, 0.0)
        p50 = mean * math.exp(-(sigma**2) / 2)
        p99 = p50 * math.exp(P99_SIGMAS * sigma)
        whole = [max(round(value), LEAST_US) for value in (p50, p99)]
        return Figures(whole[0], max(whole[1], whole[0] + 1), round(base), round(per_kib), max(round(wait), LEAST_US))

    @property
    def fitted(self) -> int:
        """How many figures are."""
        return 2 + (self.sigma is not None) + (self.per_kib_us is not None)

    @property
    def assumed(self) -> tuple[str, ...]:
        """What is not, in words."""
        spread = f"spread of the service time (sigma {ASSUMED_SIGMA:g}): measure a third number of threads in between"
        size = "no part of the service grows with the message size: measure a second size"
        return tuple(text for text, value in ((spread, self.sigma), (size, self.per_kib_us)) if value is None)


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
