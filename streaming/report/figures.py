"""The pictures as plotly figures.

A trace carries in `meta` the line it belongs to (for the broker legend) and the set that a button selects;
the page draws fault windows and applies the colours of the theme.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from streaming.outputs.fates import AS_HOPED, FATE_NAMES, FATES
from streaming.report import traces
from streaming.report.collected.data import ReportData
from streaming.report.collected.message_totals import QUANTILES
from streaming.report.consumers.consumer_figures import consumer_figures
from streaming.report.consumers.delay_cards import delay_figures
from streaming.report.consumers.retry_cards import retry_figures
from streaming.report.consumers.transaction_cards import transaction_figures
from streaming.report.traces import (
    areas,
    at_ms,
    colours,
    line_of,
    line_trace,
    new_figure,
    own_areas,
    rgb,
    seconds,
    short,
    time_axis,
)

LANE_PX = 46
HEAD_ROOM = 0.12  # of the height stays free above the largest value


def figures(data: ReportData) -> dict[str, go.Figure]:
    """Every picture that has something to show, by name."""
    made = {
        "load": load(data),
        "fates": fates(data),
        "latency": latency(data),
        "waits": waits(data),
        "avoidance": avoidance(data),
        "failures": failures(data),
        "retries": rate(data, data.series.retries),
        "order": rate(data, data.out_of_order),
        "producers": producers(data),
        **consumer_figures(data),
        **retry_figures(data),
        **delay_figures(data),
        **transaction_figures(data),
    }
    return {name: figure for name, figure in made.items() if figure is not None}


def load(data: ReportData) -> go.Figure | None:
    """Attempts by broker, as a share and per second: stacked areas."""
    counts = data.series.attempts
    if not counts.any():
        return None
    total = counts.sum(axis=0)
    share = 100 * counts / np.where(total, total, 1)
    figure = new_figure(data, height=260)
    figure.add_traces([*areas(data, share, "share", " %"), *areas(data, counts / seconds(data), "rate", "/s")])
    axis = {"share": {"range": [0, 100], "ticksuffix": " %"}, "rate": {"range": _range(counts / seconds(data))}}
    figure.update_layout(meta={"set": "share", "axis": axis})
    return figure


def _range(stacked: np.ndarray) -> list[float]:
    """The axis of areas [lines, bins] that are stacked, with room above the highest place."""
    return [0.0, float(stacked.sum(axis=0).max()) * (1 + HEAD_ROOM)]


def latency(data: ReportData) -> go.Figure | None:
    """Latency percentiles of the attempts by broker, ms on a log axis: lines."""
    return _percentiles(data, data.series.latency, data.series.names, colours(data))


def waits(data: ReportData) -> go.Figure | None:
    """Latency percentiles of the messages by producer group, ms on a log axis: lines."""
    return _percentiles(data, data.messages.latency, data.messages.groups, traces.GROUP_COLOURS, own=True)


def _percentiles(
    data: ReportData, values: dict[str, np.ndarray], names: Sequence[str], shades: Sequence[str], own: bool = False
) -> go.Figure | None:
    """`values`: percentile -> [lines, bins] in ms.  own: the lines are not those of the legend of brokers."""
    measured = [row[np.isfinite(row) & (row > 0)] for rows in values.values() for row in rows]
    shown = np.concatenate(measured) if measured else np.empty(0)
    if not shown.size:
        return None
    figure = new_figure(data, height=260)
    for name in QUANTILES:
        for line, row in enumerate(values[name]):
            if (row > 0).any():
                trace = line_trace(data, names[line], row, shades[line], "ms", line=None if own else line, which=name)
                figure.add_trace(trace)
    # One axis for all percentiles, so that switching shows the difference.
    low, high = np.log10([shown.min() * 0.8, shown.max()]).tolist()
    high += max(HEAD_ROOM * (high - low), HEAD_ROOM)
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
    figure = new_figure(data, height=230)
    figure.add_traces(areas(data, counts / seconds(data), None, "/s"))
    figure.update_layout(meta={"set": "all", "axis": {"all": {"range": _range(counts / seconds(data))}}})
    return figure


def failures(data: ReportData) -> go.Figure | None:
    """Failed attempts per second, by how they ended and by broker: stacked areas."""
    figure = rate(data, data.series.failures)
    if figure is None or not data.series.endings:
        return figure
    figure.for_each_trace(lambda trace: trace.update(stackgroup="broker", meta={**trace.meta, "set": "broker"}))
    names, counts = shown_endings(data)
    figure.add_traces(own_areas(data, names, counts, traces.ENDING_COLOURS, "outcome"))
    both = {"range": _range(data.series.failures / seconds(data))}
    figure.update_layout(meta={"set": "outcome", "axis": {"outcome": both, "broker": both}})
    return figure


def shown_endings(data: ReportData) -> tuple[list[str], np.ndarray]:
    """How failed attempts ended, most first, and their [endings, bins]; as many as there are colours, with the rest."""
    every = list(data.series.endings.items())
    own = every if len(every) <= len(traces.ENDING_COLOURS) else every[: len(traces.ENDING_COLOURS) - 1]
    rest = [counts for _, counts in every[len(own) :]]
    names = [name for name, _ in own] + (["others"] if rest else [])
    return names, np.array([counts for _, counts in own] + ([np.sum(rest, axis=0)] if rest else []))


def fates(data: ReportData) -> go.Figure | None:
    """Messages per second that failed, were lost or have more than one copy, by what became of them: stacked areas."""
    unusual = [number for number, fate in enumerate(FATES) if fate not in AS_HOPED]
    counts = data.messages.fates[unusual]
    if not counts.any():
        return None
    figure = new_figure(data, height=230)
    names = [FATE_NAMES[FATES[number]] for number in unusual]
    figure.add_traces(own_areas(data, names, counts, [traces.FATE_COLOURS[number] for number in unusual], None))
    figure.update_layout(meta={"set": "all", "axis": {"all": {"range": _range(counts / seconds(data))}}})
    return figure


def avoidance(data: ReportData) -> go.Figure | None:
    """One strip a broker: the deeper its colour, the more producers avoid it."""
    if not data.lanes:
        return None
    figure = new_figure(data, height=LANE_PX * len(data.lanes) + traces.MARGIN["t"] + traces.MARGIN["b"])
    own_line, names = line_of(data), list(data.output.brokers)
    isolated = [broker.isolated_s for broker in data.summary.brokers]
    for row, broker in enumerate(data.lanes):
        colour = colours(data)[own_line[broker]]
        faint, full = (f"rgba({rgb(colour)},{alpha})" for alpha in (0.2, 1))
        figure.add_trace(
            go.Heatmap(
                **time_axis(data),
                y=[-row - 0.4, -row + 0.08],
                z=100 * data.fraction[[broker]].astype(np.float32),
                zmin=0,
                zmax=100,
                colorscale=[[0, f"rgba({rgb(colour)},0)"], [1e-6, faint], [1, full]],
                showscale=False,
                hovertemplate=f"<b>{escape(names[broker])}</b><br>%{{x}}: isolated by %{{z:.3~g}} % "
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
            text=f"{escape(short(names[broker], 28))}: {isolated[broker] or 0:,.1f} s per producer",
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
    figure = new_figure(data, height=row_px * len(rows) + traces.MARGIN["t"] + traces.MARGIN["b"])
    names, own_line = list(data.output.brokers), line_of(data)
    for place, broker in enumerate(brokers):
        x: list[float] = []
        y: list[float] = []
        for producer, row in rows.items():
            for begin, end in data.bars.get((producer, broker), ()):
                height = row + 0.4 - (place + 0.5) * lane
                x += [at_ms(begin), at_ms(end), np.nan]
                y += [height, height, np.nan]
        line = int(own_line[broker])
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
