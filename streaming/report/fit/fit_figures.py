"""The pictures of a calibration: what was recorded, and how the fitted scenario shows it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from simulator.calibrate.attempts import TraceAttempts
from simulator.calibrate.calibration import Calibration
from simulator.calibrate.found_fault import FoundFault
from simulator.calibrate.goodness import Goodness, SeenAttempts
from streaming.page_frame.colours import COLOURS
from streaming.page_frame.figure import Figure, figure
from streaming.report.traces import FONT, MARGIN, OTHERS

MAX_POINTS = 4_000
MAX_BINS = 300
RANKS = np.r_[np.linspace(0.01, 0.95, 48), 0.96, 0.97, 0.98, 0.985, 0.99, 0.995, 0.998, 0.999]


def fit_figures(fit: Calibration, goodness: Goodness) -> dict[str, Figure]:
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


def _figure(data: list[Figure], height: int, x: Figure, y: Figure, findings: Sequence[FoundFault] = ()) -> Figure:
    band = {"type": "rect", "xref": "x", "yref": "paper", "y0": 0, "y1": 1}
    shapes = [band | {"x0": one.at_us / 1e6, "x1": one.until_us / 1e6} for one in findings]
    across = {"showline": True, "ticks": "outside", "ticklen": 4, "zeroline": False, **x}
    return figure(
        data, height, margin=MARGIN | {"b": 40}, hovermode="closest", font=FONT, xaxis=across,
        yaxis={"zeroline": False, **y}, **({"shapes": shapes} if shapes else {}),
    )  # fmt: skip


def _titled(text: str, **axis: object) -> Figure:
    return {"title": {"text": text}, **axis}


def _seconds(end_s: float) -> Figure:
    return _titled("seconds of the trace", range=[0, end_s])


def _attempts(attempts: TraceAttempts, findings: Sequence[FoundFault], seen: SeenAttempts, end_s: float) -> Figure:
    """Latency of attempts by their begin: all that failed or took long, and some of the rest."""
    dots: list[Figure] = []
    latency_ms = np.maximum(seen.latency_ms, 0.01)
    order = np.lexsort((-latency_ms, seen.ok))
    shown = np.zeros(len(order), bool)
    shown[order[: MAX_POINTS // 2]] = True
    shown[:: max(2 * len(order) // MAX_POINTS, 1)] = True
    for place, name in enumerate(attempts.brokers):
        for ok, symbol, word in ((True, "circle", "SEND_OK"), (False, "x", "not SEND_OK")):
            own = np.flatnonzero(shown & (seen.broker == place) & (seen.ok == ok))
            if len(own):
                dots.append({
                    "type": "scattergl", "x": (seen.begin_us[own] / 1e6).round(3), "y": latency_ms[own].round(3),
                    "mode": "markers", "name": f"{escape(name)}, {word}", "hovertemplate": "%{x} s: %{y} ms",
                    "marker": {"color": colour_of(place), "size": 4 if ok else 7, "symbol": symbol, "opacity": 0.7},
                })  # fmt: skip
    return _figure(dots, 300, _seconds(end_s), _titled("ms", type="log", exponentformat="none"), findings)


def _load(goodness: Goodness, fit: Calibration, end_s: float) -> Figure:
    """Attempts a second on each broker: recorded, dotted the mean of the fitted runs, and what it said itself."""
    drawn: list[Figure] = []
    width_s = max(1, -(-int(end_s) // MAX_BINS))
    bins = max(int(np.ceil(end_s / width_s)), 1)

    def rate(seen: SeenAttempts, place: int) -> np.ndarray:
        own = seen.begin_us[seen.broker == place] // (width_s * 1_000_000)
        return np.bincount(np.clip(own, 0, bins - 1), minlength=bins) / width_s

    for place, name in enumerate(goodness.brokers):
        fitted = np.mean([rate(run, place) for run in goodness.runs], axis=0)
        lines = ((rate(goodness.recorded, place), "recorded", "solid"), (fitted, "fitted", "dot"))
        for values, word, dash in lines:
            drawn.append({
                "type": "scatter", "x": np.arange(bins) * width_s + width_s / 2, "y": values.round(2), "mode": "lines",
                "name": f"{escape(name)}, {word}", "line": {"color": colour_of(place), "width": 1.6, "dash": dash},
            })  # fmt: skip
        if (own := fit.scrapes.get(name)) is not None:
            inside = (own.load_at_us >= 0) & (own.load_at_us <= end_s * 1e6)
            drawn.append({
                "type": "scatter", "x": own.load_at_us[inside] / 1e6, "y": own.puts_per_s[inside].round(2),
                "mode": "markers", "name": f"{escape(name)}, by its metrics",
                "marker": {"color": colour_of(place), "symbol": "diamond"},
            })  # fmt: skip
    above = _titled("attempts a second", rangemode="tozero")
    return _figure(drawn, 300, _seconds(end_s), above, fit.findings)


def _quantiles(goodness: Goodness) -> Figure:
    """Latency of answers, fitted against recorded, quantile by quantile: on the diagonal they are the same."""
    axis, drawn = {"type": "log", "exponentformat": "none", "dtick": "D2"}, []
    ends: list[float] = []
    for place, name in enumerate(goodness.brokers):
        recorded = [goodness.recorded.quantile_ms(place, float(rank)) for rank in RANKS]
        fitted = np.mean([[run.quantile_ms(place, float(rank)) for rank in RANKS] for run in goodness.runs], axis=0)
        if np.isnan(recorded).any() or np.isnan(fitted).any():
            continue
        ends += [max(min(recorded), 0.01), max(recorded)]
        drawn.append({
            "type": "scatter", "x": np.round(recorded, 3), "y": fitted.round(3), "mode": "lines+markers",
            "name": escape(name), "text": [f"p{100 * rank:.4g}" for rank in RANKS], "marker": {"size": 4},
            "line": {"color": colour_of(place), "width": 1.2},
            "hovertemplate": "%{text}: recorded %{x}, fitted %{y} ms",
        })  # fmt: skip
    if ends:
        both = [min(ends), max(ends)]
        drawn.append({
            "type": "scatter", "x": both, "y": both, "mode": "lines", "hoverinfo": "skip",
            "line": {"color": OTHERS, "width": 1, "dash": "dash"},
        })  # fmt: skip
    return _figure(drawn, 360, _titled("recorded, ms", **axis), _titled("fitted, ms", **axis))
