"""The pictures as plotly figures. Time is on a date axis that begins at `BASE_MS`, so that ticks read mm:ss.

A trace carries in `meta` the line it belongs to (for the broker legend) and the set that a button selects;
the page draws fault windows and applies the colours of the theme.
"""

from __future__ import annotations

from html import escape

import numpy as np
import plotly.graph_objects as go

from streaming.report.data import MAX_SHOWN, QUANTILES, ReportData

# Okabe and Ito's colours without yellow and black, then Tol's muted ones; after SOLID lines dashes help.
COLOURS = (
    "#1f83c6",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#d55e00",
    "#8470c9",
    "#999933",
    "#b0436e",
    "#44aa99",
    "#8c6d46",
    "#7f8fa6",
)
OTHERS = "#8a8a8a"
SOLID = 6  # lines with a solid stroke
MARGIN = {"l": 50, "r": 14, "t": 26, "b": 24}
LANE_PX = 46
DAY_MS = 86_400_000
# Virtual time 0 is the first of January 2000: plotly takes a number such as 6000 for a year, not for ms.
BASE_MS = 946_684_800_000


def colours(data: ReportData) -> list[str]:
    """Colour of every line."""
    count = len(data.series.names)
    grouped = len(data.output.brokers) > MAX_SHOWN
    return [OTHERS if grouped and line == count - 1 else COLOURS[line] for line in range(count)]


def at_ms(us: float) -> float:
    """Virtual time on the axis of the pictures."""
    return BASE_MS + us / 1000


def figures(data: ReportData) -> dict[str, go.Figure]:
    """Every picture that has something to show, by name."""
    made = {
        "load": load(data),
        "latency": latency(data),
        "avoidance": avoidance(data),
        "failures": rate(data, data.series.failures),
        "retries": rate(data, data.series.retries),
        "producers": producers(data),
    }
    return {name: figure for name, figure in made.items() if figure is not None}


def load(data: ReportData) -> go.Figure | None:
    """Attempts by broker, as a share and per second: stacked areas."""
    counts = data.series.attempts
    if not counts.any():
        return None
    total = counts.sum(axis=0)
    share = 100 * counts / np.where(total, total, 1)
    figure = _figure(data, height=280)
    figure.add_traces([*_areas(data, share, "share", " %"), *_areas(data, counts / _seconds(data), "rate", "/s")])
    figure.update_layout(meta={"set": "share", "axis": {"share": {"range": [0, 100], "ticksuffix": " %"}, "rate": {}}})
    return figure


def latency(data: ReportData) -> go.Figure | None:
    """Latency percentiles of the attempts by broker, ms on a log axis: lines."""
    if not data.series.attempts.any():
        return None
    figure = _figure(data, height=300)
    for name in QUANTILES:
        for line, values in enumerate(data.series.latency[name]):
            if np.isfinite(values).any():
                figure.add_trace(_line(data, line, values, name, "ms"))
    # One axis for all percentiles, so that switching shows the difference.
    values = np.concatenate([values[np.isfinite(values) & (values > 0)] for values in data.series.latency.values()])
    low, high = np.log10([values.min() * 0.8, values.max() * 1.3] if values.size else [1, 10]).tolist()
    steps = (1,) if high - low > 2.5 else (1, 2, 5)
    ticks = [step * 10.0**power for power in range(-4, 11) for step in steps]
    text = [f"{tick:,.10g}" for tick in ticks]
    figure.update_yaxes(type="log", range=[low, high], tickvals=ticks, ticktext=text)
    figure.update_layout(meta={"set": "p99"})
    return figure


def rate(data: ReportData, counts: np.ndarray) -> go.Figure | None:
    """Attempts of one kind per second by broker: stacked areas."""
    if not counts.any():
        return None
    figure = _figure(data, height=210)
    figure.add_traces(_areas(data, counts / _seconds(data), None, "/s"))
    return figure


def avoidance(data: ReportData) -> go.Figure | None:
    """One strip a broker: the deeper its colour, the more producers avoid it."""
    if not data.lanes:
        return None
    figure = _figure(data, height=LANE_PX * len(data.lanes) + MARGIN["t"] + MARGIN["b"])
    line_of, names = _line_of(data), list(data.output.brokers)
    isolated = [broker.isolated_s for broker in data.summary.brokers]
    for row, broker in enumerate(data.lanes):
        colour = colours(data)[line_of[broker]]
        faint, full = (f"rgba({_rgb(colour)},{alpha})" for alpha in (0.2, 1))
        figure.add_trace(
            go.Heatmap(
                **_time(data),
                y=[-row - 0.4, -row + 0.08],
                z=100 * data.fraction[[broker]].astype(np.float32),
                zmin=0,
                zmax=100,
                colorscale=[[0, f"rgba({_rgb(colour)},0)"], [1e-6, faint], [1, full]],
                showscale=False,
                hovertemplate=f"<b>{escape(names[broker])}</b><br>%{{x}}: avoided by %{{z:.3~g}} % "
                "of producers"
                "<extra></extra>",
            )
        )
        figure.add_shape(
            type="rect", xref="paper", x0=0, x1=1, y0=-row - 0.4, y1=-row + 0.08,
            line_width=0, fillcolor="rgba(128,128,128,0.13)", layer="below",
        )  # fmt: skip
        figure.add_annotation(
            xref="paper", x=0, y=-row + 0.1, xanchor="left", yanchor="bottom", showarrow=False,
            text=f"{escape(_short(names[broker], 28))}: {isolated[broker]:,.1f} s per producer",
        )  # fmt: skip
    figure.update_yaxes(visible=False, range=[0.56 - len(data.lanes), 0.56], fixedrange=True)
    figure.update_layout(hovermode="closest")
    return figure


def producers(data: ReportData) -> go.Figure | None:
    """One row a producer with a bar for every isolation, in the colour of the broker."""
    if not data.bars:
        return None
    brokers = sorted({broker for _, broker in data.bars})
    rows = {producer: -row for row, producer in enumerate(data.sample)}
    lane = 0.8 / len(brokers)
    row_px = max(15, 4 * len(brokers) + 5)
    figure = _figure(data, height=row_px * len(rows) + MARGIN["t"] + MARGIN["b"])
    names, line_of = list(data.output.brokers), _line_of(data)
    for place, broker in enumerate(brokers):
        x: list[float] = []
        y: list[float] = []
        for producer, row in rows.items():
            for begin, end in data.bars.get((producer, broker), ()):
                height = row + 0.4 - (place + 0.5) * lane
                x += [at_ms(begin), at_ms(end), np.nan]
                y += [height, height, np.nan]
        line = int(line_of[broker])
        figure.add_trace(
            go.Scatter(
                x=np.array(x),
                y=np.array(y, dtype=np.float32),
                mode="lines",
                line={"color": colours(data)[line], "width": max(2.5, lane * row_px - 1)},
                meta={"line": line, "set": None},
                hovertemplate=f"<b>{escape(names[broker])}</b><br>%{{x}}<extra></extra>",
            )
        )
    step = max(1, -(-len(rows) // 30))
    ticks = list(rows.items())[::step]
    figure.update_yaxes(
        tickvals=[row for _, row in ticks],
        ticktext=[str(producer) for producer, _ in ticks],
        range=[0.6 - len(rows), 0.6],
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(hovermode="closest")
    return figure


def _figure(data: ReportData, height: int) -> go.Figure:
    end_ms = data.output.end_us / 1000
    clock = "%M:%S" if end_ms < 3_600_000 else "%H:%M:%S" if end_ms < DAY_MS else "day %-j %H:%M"
    figure = go.Figure()
    figure.update_layout(
        template=go.layout.Template(),
        height=height,
        margin=MARGIN,
        showlegend=False,
        hovermode="x unified",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={
            "family": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif",
            "size": 12,
        },
        hoverlabel={"font_size": 12, "namelength": 40},
    )
    axis = {"type": "date", "range": [BASE_MS, BASE_MS + end_ms], "tickformat": clock, "hoverformat": clock}
    limits = {"minallowed": BASE_MS, "maxallowed": BASE_MS + end_ms}
    figure.update_xaxes(**axis, **limits, showline=True, ticks="outside", ticklen=4, nticks=8, tickangle=0)
    figure.update_yaxes(fixedrange=True, zeroline=False, nticks=6)
    return figure


def _time(data: ReportData) -> dict[str, float]:
    """A point stands in the middle of its bin."""
    return {"x0": at_ms(data.bin_us / 2), "dx": data.bin_us / 1000}


def _line(data: ReportData, line: int, values: np.ndarray, which: str | None, unit: str) -> go.Scatter:
    few = values.size < 40
    name = escape(_short(data.series.names[line], 28))
    return go.Scatter(
        **_time(data),
        y=values.astype(np.float32),
        name=name,
        mode="lines+markers" if few else "lines",
        line={"color": colours(data)[line], "width": 1.6, "dash": "solid" if line < SOLID else "dash"},
        meta={"line": line, "set": which},
        hovertemplate=f"%{{y:,.3~r}} {unit.strip()}" if unit != "/s" else "%{y:,.3~r}/s",
    )


def _areas(data: ReportData, values: np.ndarray, which: str | None, unit: str) -> list[go.Scatter]:
    traces = []
    for line, row in enumerate(values):
        if row.any():
            trace = _line(data, line, row, which, unit)
            traces.append(trace.update(stackgroup=which or "all", line_width=1, mode="lines", line_dash="solid"))
    return traces


def _seconds(data: ReportData) -> np.ndarray:
    """Length of every bin; the last may be cut."""
    bins = data.series.attempts.shape[1]
    length = np.full(bins, data.bin_us / 1e6)
    length[-1] = max(data.output.end_us - (bins - 1) * data.bin_us, 1) / 1e6
    return length


def _line_of(data: ReportData) -> list[int]:
    lines = {name: line for line, name in enumerate(data.series.names)}
    return [lines.get(name, len(lines) - 1) for name in data.output.brokers]


def _rgb(colour: str) -> str:
    return ",".join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))


def _short(name: str, length: int) -> str:
    return name if len(name) <= length else name[: length // 2] + "…" + name[-(length // 2 - 1) :]
