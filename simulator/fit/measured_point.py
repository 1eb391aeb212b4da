"""A measured point: how many sends a second so many threads get through, and how long each takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

THROUGHPUT_WITHIN = 0.10  # of the measured figure
RESPONSE_WITHIN = 0.15


@dataclass(frozen=True, order=True)
class Point:
    """One line of a table of measurements: a closed loop without think time.

    queues: per broker. per_s: sends a second of all threads. response_ms: mean time of a send.
    """

    message_bytes: int
    queues: int
    threads: int
    per_s: float
    response_ms: float


@dataclass(frozen=True)
class FittedPoint:
    """A measured point beside what the fitted cluster gives for it; `is_fitted`: the fit has seen it."""

    point: Point
    per_s: float
    response_ms: float
    is_fitted: bool

    @property
    def throughput_ratio(self) -> float:
        """Model over measured."""
        return self.per_s / self.point.per_s

    @property
    def response_ratio(self) -> float:
        """Model over measured."""
        return self.response_ms / self.point.response_ms

    @property
    def is_within(self) -> bool:
        """Throughput within 10 % and mean response time within 15 % of the measured ones."""
        throughput, response = abs(self.throughput_ratio - 1), abs(self.response_ratio - 1)
        return throughput <= THROUGHPUT_WITHIN and response <= RESPONSE_WITHIN


MOST_WITHOUT_CHOICE = 6


def points_to_fit(points: Sequence[Point]) -> list[Point]:
    """All of up to six points, else some of each size and number of queues; the others are left to be predicted.

    Those are the ones with the fewest and the most threads, and of the size and number with most points also the one
    nearest to the geometric middle.
    """
    if len(points) <= MOST_WITHOUT_CHOICE:
        return sorted(points)
    groups = [list(group) for _, group in groupby(sorted(points), key=lambda p: (p.message_bytes, p.queues))]
    chosen = {end for group in groups for end in (group[0], group[-1])}
    longest = max(groups, key=len)
    middle = (longest[0].threads * longest[-1].threads) ** 0.5
    chosen.add(min(longest, key=lambda p: (max(p.threads / middle, middle / p.threads), p.threads)))
    return sorted(chosen)
