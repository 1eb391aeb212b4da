"""What the pictures are made of: axes, lines and areas in the colours of what they show.

Time is on a date axis that begins at `BASE_MS`, so that ticks read mm:ss.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from streaming.page_frame.colours import COLOURS
from streaming.page_frame.figure import Figure, figure
from streaming.report.collected.data import MAX_SHOWN, ReportData

OTHERS = "#8a8a8a"
# What became of messages, in the order of FATES: the one that is hoped for is grey. None is a broker's colour.
FATE_COLOURS = (
    *("#d0342c", "#8a8a8a", "#8470c9"),
    *("#f08f84", "#94602f", "#d3a56b"),
    *("#b0436e", "#a9a9a9", "#5b8c5a"),
)
ENDING_COLOURS = ("#b0436e", "#999933", "#8470c9", "#8c6d46", "#44aa99", "#7f8fa6", "#d0342c", "#5b8c5a")
GROUP_COLOURS = ("#8470c9", "#999933", "#b0436e", "#44aa99", "#8c6d46", "#7f8fa6")
SOLID = 6  # lines with a solid stroke
MARGIN = {"l": 50, "r": 14, "t": 26, "b": 24}
HEAD_ROOM = 0.12  # of the height stays free above the largest value
FONT = {"family": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif", "size": 12}
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


def timed(
    data: ReportData, traces: list[Figure], height: int, which: str = "", axes: Figure | None = None, **layout: Any
) -> Figure:
    """A picture over the time of the run; height in pixels; which: the set that is shown at first; axes: by set."""
    end_ms = data.output.end_us / 1000
    clock = "%M:%S" if end_ms < 3_600_000 else "%H:%M:%S" if end_ms < DAY_MS else "day %-j %H:%M"
    ends = [BASE_MS, BASE_MS + end_ms]
    across = {
        "type": "date", "range": ends, "tickformat": clock, "hoverformat": clock, "minallowed": ends[0],
        "maxallowed": ends[1], "showline": True, "ticks": "outside", "ticklen": 4, "nticks": 8, "tickangle": 0,
    }  # fmt: skip
    looks = {"hovermode": "x unified", "font": FONT, "hoverlabel": {"font": {"size": 12}, "namelength": 40}}
    above = {"fixedrange": True, "zeroline": False, "nticks": 6} | layout.pop("yaxis", {})
    looks |= {"margin": MARGIN, "xaxis": across, "yaxis": above}
    if which:
        looks["meta"] = {"set": which} | ({"axis": axes} if axes else {})
    return figure(traces, height, **(looks | layout))


def ranges(**tops: float) -> Figure:
    """The axis of each set of a picture, from 0 with room above its highest place."""
    return {which: {"range": [0.0, top * (1 + HEAD_ROOM)]} for which, top in tops.items()}


def top_of(stacked: np.ndarray) -> float:
    """The highest place of areas [lines, bins] that are stacked."""
    return float(stacked.sum(axis=0).max())


def percentile_axis(shown: np.ndarray) -> Figure:
    """A logarithmic axis for values above 0; one for all percentiles, so that switching shows the difference."""
    low, high = np.log10([shown.min() * 0.8, shown.max()]).tolist()
    high += max(HEAD_ROOM * (high - low), HEAD_ROOM)
    span = high - low
    steps: Sequence[int] = (1,) if span > 2.5 else (1, 2, 5) if span > 0.5 else range(1, 10)
    ticks = [step * 10.0**power for power in range(-4, 11) for step in steps]
    return {"type": "log", "range": [low, high], "tickvals": ticks, "ticktext": [f"{tick:,.10g}" for tick in ticks]}


def percentiles(
    data: ReportData,
    values: Mapping[str, np.ndarray],
    names: Sequence[str],
    shades: Sequence[str],
    height: int = 260,
    of_brokers: bool = False,
) -> Figure | None:
    """Lines on a log axis, None without a value; values: percentile -> [lines, bins] in ms.

    of_brokers: the lines are those of the legend of brokers.
    """
    measured = [row[np.isfinite(row) & (row > 0)] for rows in values.values() for row in rows]
    shown = np.concatenate(measured) if measured else np.empty(0)
    if not shown.size:
        return None
    lines = [
        line_trace(data, names[line], row, shades[line], "ms", line=line if of_brokers else None, which=name)
        for name, rows in values.items()
        for line, row in enumerate(rows)
        if (row > 0).any()
    ]
    return timed(data, lines, height, "p99", yaxis=percentile_axis(shown))


def stacked(data: ReportData, names: Sequence[str], counts: np.ndarray, shades: Sequence[str], height: int) -> Figure:
    """A picture of areas a second of lines that are not brokers; counts: [lines, bins], some above 0."""
    axes = ranges(all=top_of(counts / seconds(data)))
    return timed(data, own_areas(data, names, counts, shades, None), height, "all", axes)


def time_axis(data: ReportData) -> dict[str, float]:
    """A point stands in the middle of its bin."""
    return {"x0": at_ms(data.bin_us / 2), "dx": data.bin_us / 1000}


def line_trace(
    data: ReportData, name: str, values: np.ndarray, colour: str, unit: str, line: int | None, which: str | None
) -> Figure:
    """A line of [bins] values; line: which of the brokers it is, None for none; which: the set of a button."""
    marks, mode = _marks(values)
    return {
        "type": "scatter",
        **time_axis(data),
        "y": values.astype(np.float32),
        "name": escape(short(name, 28)),
        "mode": mode,
        "marker": {"size": marks},
        "line": {"color": colour, "width": 1.6, "dash": "solid" if (line or 0) < SOLID else "dash"},
        "meta": {"line": line, "set": which},
        "hovertemplate": f"%{{y:,.3~r}} {unit.strip()}" if unit != "/s" else "%{y:,.3~r}/s",
    }


def _marks(values: np.ndarray) -> tuple[Any, str]:
    """Marks where a line alone shows nothing: a point without a neighbour; and plotly's mode."""
    if values.size < 40:
        return 5, "lines+markers"
    there = np.isfinite(values)
    alone = there & ~np.r_[False, there[:-1]] & ~np.r_[there[1:], False]
    return (np.where(alone, 5, 0).astype(np.int8), "lines+markers") if alone.any() else (0, "lines")


def areas(data: ReportData, values: np.ndarray, which: str | None, unit: str) -> list[Figure]:
    """Stacked areas of brokers; values: [lines, bins], which: the set of a button."""
    return [
        _area(line_trace(data, data.series.names[line], row, colours(data)[line], unit, line, which))
        for line, row in enumerate(values)
        if row.any()
    ]


def own_areas(
    data: ReportData, names: Sequence[str], counts: np.ndarray, shades: Sequence[str], which: str | None
) -> list[Figure]:
    """Stacked areas a second of lines that are not brokers; counts: [lines, bins]."""
    rates = counts / seconds(data)
    return [
        _area(line_trace(data, names[place], row, shades[place], "/s", None, which))
        for place, row in enumerate(rates)
        if row.any()
    ]


def _area(trace: Figure) -> Figure:
    # In steps: a slope from one point to the next would show load where there is none.
    steps = {"line": trace["line"] | {"width": 0.6, "dash": "solid", "shape": "hv"}, "mode": "lines", "x0": at_ms(0)}
    shown = {key: value for key, value in trace.items() if key != "marker"}
    y = trace["y"]
    return shown | steps | {"stackgroup": trace["meta"]["set"] or "all", "y": np.r_[y, y[-1:]]}


def seconds(data: ReportData) -> np.ndarray:
    """Length of every bin; the last may be cut."""
    bins = data.series.attempts.shape[1]
    length = np.full(bins, data.bin_us / 1e6)
    length[-1] = max(data.output.end_us - (bins - 1) * data.bin_us, 1) / 1e6
    return length


def line_of(data: ReportData) -> list[int]:
    """The line of each broker."""
    lines = {name: line for line, name in enumerate(data.series.names)}
    return [lines.get(name, len(lines) - 1) for name in data.output.brokers]


def rgb(colour: str) -> str:
    """Red, green and blue of #rrggbb as a comma-separated list."""
    return ",".join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))


def short(name: str, length: int) -> str:
    """A name without its middle where it is longer than that."""
    return name if len(name) <= length else name[: length // 2] + "…" + name[-(length // 2 - 1) :]
