"""The picture of docs/published.md: throughput and response time over threads, published cells and the simulation."""

from __future__ import annotations

import hashlib

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from streaming.proof.published.producer_grid import GRID, KIB, THREADS, published_points, simulated
from streaming.proof.published.published_figure import measurements, set_up

CURVES = "published.png"
SIZE = (1420, 560)
COLOURS = {KIB: "#1d5fa8", 3 * KIB: "#b3261e"}
QUEUES, AGAIN = 8, 16  # the curve is that of 8; cells of 16 are shown beside it


def digest() -> str:
    """Twelve hexadecimal digits of the published cells and the scenario."""
    return hashlib.blake2b(measurements(GRID).read_bytes() + set_up(GRID).read_bytes(), digest_size=6).hexdigest()


def page() -> str:
    """HTML with both charts."""
    charts = make_subplots(cols=2, subplot_titles=("messages per second", "mean response time, ms"))
    for size, colour in COLOURS.items():
        found = [simulated(threads, size, QUEUES) for threads in THREADS]
        for column, values in enumerate(zip(*found, strict=True), 1):
            name, first = f"simulated, {size // KIB} KiB", column == 1
            line = go.Scatter(x=THREADS, y=values, name=name, line={"color": colour}, showlegend=first)
            charts.add_trace(line, row=1, col=column)
    points = published_points()
    for size, colour in COLOURS.items():
        for queues, symbol in ((QUEUES, "circle"), (AGAIN, "diamond-open")):
            cells = [point for point in points if (point.message_bytes, point.queues) == (size, queues)]
            for column, values in enumerate(([p.per_s for p in cells], [p.response_ms for p in cells]), 1):
                name = f"published, {size // KIB} KiB, {queues} queues"
                marker = {"color": colour, "symbol": symbol, "size": 12}
                dots = go.Scatter(
                    x=[p.threads for p in cells], y=values, mode="markers", marker=marker, name=name,
                    showlegend=column == 1 and bool(cells),
                )  # fmt: skip
                charts.add_trace(dots, row=1, col=column)
    charts.update_xaxes(title="threads")
    charts.update_yaxes(rangemode="tozero")
    charts.update_layout(
        width=SIZE[0] - 20, height=SIZE[1] - 20, template="plotly_white", legend={"orientation": "h", "y": -0.2}
    )
    body = charts.to_html(full_html=False, include_plotlyjs=True, config={"displayModeBar": False})
    return f'<!doctype html><meta charset="utf-8">{body}'
