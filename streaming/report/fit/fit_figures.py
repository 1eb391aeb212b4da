"""The pictures of a calibration: what was recorded, and how the fitted scenario shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from simulator.calibrate.attempts import TraceAttempts
from simulator.calibrate.calibration import Calibration
from simulator.calibrate.found_fault import FoundFault
from simulator.calibrate.goodness import Goodness, SeenAttempts
from streaming.page_frame.colours import COLOURS
from streaming.report.traces import MARGIN, OTHERS

MAX_POINTS = 4_000
MAX_BINS = 300
RANKS = np.r_[np.linspace(0.01, 0.95, 48), 0.96, 0.97, 0.98, 0.985, 0.99, 0.995, 0.998, 0.999]
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif"


def fit_figures(fit: Calibration, goodness: Goodness) -> dict[str, go.Figure]:
    """Every picture by name."""
    attempts, findings = fit.attempts, fit.findings
    end_s = attempts.duration_us / 1e6
    return {
        "attempts": _attempts(attempts, findings, goodness.recorded, end_s),
        "load": _load(goodness, fit, end_s),
        "quantiles": _quantiles(goodness),
    }


def colour_of(place: int) -> str:
    """The colour of a broker, by its place."""
    return COLOURS[place] if place < len(COLOURS) else OTHERS


def _figure(height: int, x: Mapping[str, object], y: Mapping[str, object]) -> go.Figure:
    figure = go.Figure()
    figure.update_layout(
        template=go.layout.Template(), height=height, margin=MARGIN | {"b": 40}, showlegend=False, hovermode="closest",
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)", font={"family": FONT, "size": 12},
    )  # fmt: skip
    figure.update_xaxes(showline=True, ticks="outside", ticklen=4, zeroline=False, **x)
    figure.update_yaxes(zeroline=False, **y)
    return figure


def _seconds(end_s: float) -> dict[str, object]:
    return {"range": [0, end_s], "title": "seconds of the trace"}


def _bands(figure: go.Figure, findings: Sequence[FoundFault]) -> None:
    band = {"type": "rect", "xref": "x", "yref": "paper", "y0": 0, "y1": 1}
    figure.update_layout(shapes=[band | {"x0": one.at_us / 1e6, "x1": one.until_us / 1e6} for one in findings])


def _attempts(attempts: TraceAttempts, findings: Sequence[FoundFault], seen: SeenAttempts, end_s: float) -> go.Figure:
    """Latency of attempts by their begin: all that failed or took long, and some of the rest."""
    figure = _figure(300, _seconds(end_s), {"type": "log", "title": "ms", "exponentformat": "none"})
    latency_ms = np.maximum(seen.latency_ms, 0.01)
    order = np.lexsort((-latency_ms, seen.ok))
    told = np.zeros(len(order), bool)
    told[order[: MAX_POINTS // 2]] = True
    told[:: max(2 * len(order) // MAX_POINTS, 1)] = True
    for place, name in enumerate(attempts.brokers):
        for ok, symbol, word in ((True, "circle", "SEND_OK"), (False, "x", "not SEND_OK")):
            own = np.flatnonzero(told & (seen.broker == place) & (seen.ok == ok))
            if len(own):
                figure.add_trace(
                    go.Scattergl(
                        x=(seen.begin_us[own] / 1e6).round(3), y=latency_ms[own].round(3), mode="markers",
                        name=f"{escape(name)}, {word}", hovertemplate="%{x} s: %{y} ms",
                        marker={"color": colour_of(place), "size": 4 if ok else 7, "symbol": symbol, "opacity": 0.7},
                    )
                )  # fmt: skip
    _bands(figure, findings)
    return figure


def _load(goodness: Goodness, fit: Calibration, end_s: float) -> go.Figure:
    """Attempts a second on each broker: recorded, dotted the mean of the fitted runs, and what it said itself."""
    figure = _figure(300, _seconds(end_s), {"title": "attempts a second", "rangemode": "tozero"})
    width_s = max(1, -(-int(end_s) // MAX_BINS))
    bins = max(int(np.ceil(end_s / width_s)), 1)

    def rate(seen: SeenAttempts, place: int) -> np.ndarray:
        own = seen.begin_us[seen.broker == place] // (width_s * 1_000_000)
        return np.bincount(np.clip(own, 0, bins - 1), minlength=bins) / width_s

    for place, name in enumerate(goodness.brokers):
        fitted = np.mean([rate(run, place) for run in goodness.runs], axis=0)
        lines = ((rate(goodness.recorded, place), "recorded", "solid"), (fitted, "fitted", "dot"))
        for values, word, dash in lines:
            figure.add_trace(
                go.Scatter(
                    x=np.arange(bins) * width_s + width_s / 2, y=values.round(2), mode="lines",
                    name=f"{escape(name)}, {word}", line={"color": colour_of(place), "width": 1.6, "dash": dash},
                )
            )  # fmt: skip
        if (own := fit.scrapes.get(name)) is not None:
            inside = (own.load_at_us >= 0) & (own.load_at_us <= end_s * 1e6)
            figure.add_trace(
                go.Scatter(
                    x=own.load_at_us[inside] / 1e6, y=own.puts_per_s[inside].round(2), mode="markers",
                    name=f"{escape(name)}, by its metrics", marker={"color": colour_of(place), "symbol": "diamond"},
                )
            )  # fmt: skip
    _bands(figure, fit.findings)
    return figure


def _quantiles(goodness: Goodness) -> go.Figure:
    """Latency of answers, fitted against recorded, quantile by quantile: on the diagonal they are the same."""
    axis = {"type": "log", "exponentformat": "none", "dtick": "D2"}
    figure = _figure(360, axis | {"title": "recorded, ms"}, axis | {"title": "fitted, ms"})
    ends: list[float] = []
    for place, name in enumerate(goodness.brokers):
        recorded = [goodness.recorded.quantile_ms(place, float(rank)) for rank in RANKS]
        fitted = np.mean([[run.quantile_ms(place, float(rank)) for rank in RANKS] for run in goodness.runs], axis=0)
        if np.isnan(recorded).any() or np.isnan(fitted).any():
            continue
        ends += [max(min(recorded), 0.01), max(recorded)]
        figure.add_trace(
            go.Scatter(
                x=np.round(recorded, 3), y=fitted.round(3), mode="lines+markers", name=escape(name),
                text=[f"p{100 * rank:.4g}" for rank in RANKS], marker={"size": 4},
                line={"color": colour_of(place), "width": 1.2}, hovertemplate="%{text}: recorded %{x}, fitted %{y} ms",
            )
        )  # fmt: skip
    if ends:
        both = [min(ends), max(ends)]
        figure.add_trace(
            go.Scatter(
                x=both, y=both, mode="lines", hoverinfo="skip", line={"color": OTHERS, "width": 1, "dash": "dash"}
            )
        )
    return figure
