"""RocketMQ's producer.sh against four masters: a scenario fitted to all cells, and cells left out one by one."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.fit.fitted_cluster import Around
from simulator.fit.fitting import fit_cluster, predicted
from simulator.fit.measured_point import RESPONSE_WITHIN, THROUGHPUT_WITHIN, FittedPoint, Point
from streaming.fitting.point_file import read_points
from streaming.proof.published.published_figure import (
    FITTED,
    PREDICTED,
    PublishedFigure,
    closed_loop,
    measurements,
    set_up,
)

GRID = "producer-grid"
AROUND = Around(brokers=4)
QUEUES = 8
KIB = 1024
THREADS = (1, 5, 10, 20, 30, 50, 80, 100, 150, 200)


def published_points() -> list[Point]:
    """The published cells. Raises InputError for a file that cannot be read."""
    return read_points(measurements(GRID), QUEUES)


def simulated(threads: int, message_bytes: int, queues: int) -> tuple[float, float]:
    """Messages a second and mean response time in ms of a cell, in the scenario that is kept."""
    changes = {
        "producers.threads": threads, "topics.bench.queues": queues, "topics.bench.message_bytes": f"{message_bytes}B",
    }  # fmt: skip
    return closed_loop(set_up(GRID), changes)


def of_scenario(points: Sequence[Point]) -> list[FittedPoint]:
    """The cells in the scenario that is kept, which is fitted to them."""
    return [FittedPoint(p, *simulated(p.threads, p.message_bytes, p.queues), is_fitted=True) for p in points]


def left_out(points: Sequence[Point]) -> list[FittedPoint]:
    """Each cell predicted by a fit to the others."""
    found = []
    for point in points:
        others = [other for other in points if other != point]
        found += predicted(fit_cluster(others, AROUND), AROUND, [point], others)
    return found


def grid_figures(cells: Sequence[FittedPoint]) -> list[PublishedFigure]:
    """Throughput and response time of each cell."""
    figures = []
    for each in cells:
        point, use = each.point, FITTED if each.is_fitted else PREDICTED
        what = f"{point.threads} threads, {point.message_bytes // KIB} KiB, {point.queues} queues"
        for unit, measured, ours, within in (
            ("messages/s", point.per_s, each.per_s, THROUGHPUT_WITHIN),
            ("ms", point.response_ms, each.response_ms, RESPONSE_WITHIN),
        ):
            figures.append(PublishedFigure("producer.sh against four masters", what, unit, measured, ours, within, use))
    return figures
