"""The pictures of a report.

A trace carries in `meta` the line it belongs to (for the broker legend) and the set that a button selects;
the page draws fault windows and applies the colours of the theme.
"""

from __future__ import annotations

from html import escape

import numpy as np

from streaming.outputs.fates import AS_HOPED, FATE_NAMES, FATES
from streaming.page_frame.figure import Figure
from streaming.report import traces
from streaming.report.collected.data import ReportData
from streaming.report.consumers.consumer_figures import consumer_figures
from streaming.report.consumers.delay_cards import delay_figures
from streaming.report.consumers.filter_cards import filter_figures
from streaming.report.consumers.pop_cards import pop_figures
from streaming.report.consumers.proxy_cards import proxy_figures
from streaming.report.consumers.retry_cards import retry_figures
from streaming.report.consumers.transaction_cards import transaction_figures
from streaming.report.sets.set_cards import set_figures
from streaming.report.traces import (
    areas,
    at_ms,
    colours,
    line_of,
    own_areas,
    percentiles,
    ranges,
    seconds,
    time_axis,
    timed,
    top_of,
)

BESIDE_PX = 230  # as high as a picture that stands beside a short one
LANE_PX, LANE_NAME_PX = 46, 22  # of a lane at least, and of the line above its strip


def figures(data: ReportData) -> dict[str, Figure]:
    """Every picture that has something to show, by name."""
    made = {
        "load": load(data),
        **set_figures(data),
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
        **pop_figures(data),
        **filter_figures(data),
        **proxy_figures(data),
        **delay_figures(data),
        **transaction_figures(data),
    }
    return {name: figure for name, figure in made.items() if figure is not None}


def load(data: ReportData) -> Figure | None:
    """Attempts by broker, as a share and per second: stacked areas."""
    counts = data.series.attempts
    if not counts.any():
        return None
    total = counts.sum(axis=0)
    share = 100 * counts / np.where(total, total, 1)
    per_s = counts / seconds(data)
    axis = {"share": {"range": [0, 100], "ticksuffix": " %"}, **ranges(rate=top_of(per_s))}
    shown = [*areas(data, share, "share", " %"), *areas(data, per_s, "rate", "/s")]
    return timed(data, shown, 260, "share", axis)


def latency(data: ReportData) -> Figure | None:
    """Latency percentiles of the attempts by broker, ms on a log axis: lines."""
    return percentiles(data, data.series.latency, data.series.names, colours(data), of_brokers=True)


def waits(data: ReportData) -> Figure | None:
    """Latency percentiles of the messages by producer group, ms on a log axis: lines."""
    return percentiles(data, data.messages.latency, data.messages.groups, traces.GROUP_COLOURS)


def rate(data: ReportData, counts: np.ndarray) -> Figure | None:
    """Attempts of one kind per second by broker: stacked areas."""
    if not counts.any():
        return None
    per_s = counts / seconds(data)
    return timed(data, areas(data, per_s, None, "/s"), BESIDE_PX, "all", ranges(all=top_of(per_s)))


def failures(data: ReportData) -> Figure | None:
    """Failed attempts per second, by how they ended and by broker: stacked areas."""
    if not data.series.endings:
        return rate(data, data.series.failures)
    if not data.series.failures.any():
        return None
    per_s, (names, counts) = data.series.failures / seconds(data), shown_endings(data)
    shown = [*areas(data, per_s, "broker", "/s"), *own_areas(data, names, counts, traces.ENDING_COLOURS, "outcome")]
    top = top_of(per_s)
    return timed(data, shown, BESIDE_PX, "outcome", ranges(outcome=top, broker=top))


def shown_endings(data: ReportData) -> tuple[list[str], np.ndarray]:
    """How failed attempts ended, most first, and their [endings, bins]; as many as there are colours, with the rest."""
    every = list(data.series.endings.items())
    own = every if len(every) <= len(traces.ENDING_COLOURS) else every[: len(traces.ENDING_COLOURS) - 1]
    rest = [counts for _, counts in every[len(own) :]]
    names = [name for name, _ in own] + (["others"] if rest else [])
    return names, np.array([counts for _, counts in own] + ([np.sum(rest, axis=0)] if rest else []))


def fates(data: ReportData) -> Figure | None:
    """Messages per second that failed, were lost or have more than one copy, by what became of them: stacked areas."""
    unusual = [number for number, fate in enumerate(FATES) if fate not in AS_HOPED]
    counts = data.messages.fates[unusual]
    if not counts.any():
        return None
    names = [FATE_NAMES[FATES[number]] for number in unusual]
    shown = own_areas(data, names, counts, [traces.FATE_COLOURS[number] for number in unusual], "fate")
    top = ranges(fate=top_of(counts / seconds(data)))
    failed = data.messages.failed
    if len(failed) > 1 and failed.any():
        shown += own_areas(data, data.messages.groups, failed, traces.GROUP_COLOURS, "group")
        top |= ranges(group=top_of(failed / seconds(data)))
    return timed(data, shown, BESIDE_PX, "fate", top)


def avoidance(data: ReportData) -> Figure | None:
    """One strip a broker: the deeper its colour, the more producers avoid it. Few fill the height of a picture."""
    if not data.lanes:
        return None
    around = traces.MARGIN["t"] + traces.MARGIN["b"]
    lane_px = max(LANE_PX, (BESIDE_PX - around) // len(data.lanes))
    top = 0.56 - LANE_NAME_PX / lane_px
    own_line, names = line_of(data), list(data.output.brokers)
    isolated = [broker.isolated_s for broker in data.summary.brokers]
    lanes, shapes, words = [], [], []
    for row, broker in enumerate(data.lanes):
        shade, y = traces.rgb(colours(data)[own_line[broker]]), [-row - 0.4, -row + top]
        lanes.append({
            "type": "heatmap", **time_axis(data), "y": y, "z": 100 * data.fraction[[broker]].astype(np.float32),
            "zmin": 0, "zmax": 100, "showscale": False,
            "colorscale": [[0, f"rgba({shade},0)"], [1e-6, f"rgba({shade},0.2)"], [1, f"rgba({shade},1)"]],
            "hovertemplate": f"<b>{escape(names[broker])}</b><br>%{{x}}: isolated by %{{z:.3~g}} % of producers"
            "<extra></extra>",
        })  # fmt: skip
        shapes.append({
            "type": "rect", "xref": "paper", "x0": 0, "x1": 1, "y0": y[0], "y1": y[1], "line": {"width": 0},
            "fillcolor": "rgba(128,128,128,0.13)", "layer": "below",
        })  # fmt: skip
        words.append({
            "xref": "paper", "x": 0, "y": -row + top + 1 / lane_px, "xanchor": "left", "yanchor": "bottom",
            "showarrow": False,
            "text": f"{escape(traces.short(names[broker], 28))}: {isolated[broker] or 0:,.1f} s per producer",
        })  # fmt: skip
    axis = {"visible": False, "range": [0.56 - len(data.lanes), 0.56], "fixedrange": True}
    height = lane_px * len(data.lanes) + around
    return timed(data, lanes, height, yaxis=axis, shapes=shapes, annotations=words, hovermode="closest")


def producers(data: ReportData) -> Figure | None:
    """One row a producer with a bar for every isolation, in the colour of the broker."""
    if not data.bars:
        return None
    brokers = sorted({broker for _, broker in data.bars})
    rows = {producer: -row for row, producer in enumerate(data.sample)}
    lane = 0.8 / len(brokers)
    row_px = max(15, 4 * len(brokers) + 5)
    names, own_line, bars = list(data.output.brokers), line_of(data), []
    for place, broker in enumerate(brokers):
        x: list[float] = []
        y: list[float] = []
        for producer, row in rows.items():
            for begin, end in data.bars.get((producer, broker), ()):
                height = row + 0.4 - (place + 0.5) * lane
                x += [at_ms(begin), at_ms(end), np.nan]
                y += [height, height, np.nan]
        line = int(own_line[broker])
        bars.append({
            "type": "scatter", "x": np.array(x), "y": np.array(y, dtype=np.float32), "mode": "lines",
            "line": {"color": colours(data)[line], "width": max(2.5, lane * row_px - 1)},
            "meta": {"line": line, "set": None},
            "hovertemplate": f"<b>{escape(names[broker])}</b><br>%{{x}}<extra></extra>",
        })  # fmt: skip
    ticks = list(rows.items())[:: max(1, -(-len(rows) // 30))]
    axis = {
        "tickvals": [row for _, row in ticks], "ticktext": [str(producer) for producer, _ in ticks],
        "range": [0.6 - len(rows), 0.6], "showgrid": False, "zeroline": False,
    }  # fmt: skip
    height = row_px * len(rows) + traces.MARGIN["t"] + traces.MARGIN["b"]
    return timed(data, bars, height, yaxis=axis, hovermode="closest")
