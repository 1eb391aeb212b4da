"""Pictures of rows that have names, each with bars over the time of the run."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from streaming.page_frame.figure import Figure
from streaming.report.collected.data import ReportData
from streaming.report.row_names import LEAST_PX, room_px, short_names
from streaming.report.traces import MARGIN, at_ms, timed

ROW_PX = 13
TIMES_MOST = 4  # on the axis beside long names

Row = TypeVar("Row", bound=Hashable)


def bar_rows(data: ReportData, bars: list[Figure], height: int, places: list[int], names: list[str]) -> Figure:
    """Bars in rows that have names; places: of the rows on the axis."""
    shown = short_names(names)
    axis = {"range": [-0.7, len(places) - 0.3], "tickvals": places, "ticktext": shown}
    margin = MARGIN | {"l": room_px(shown)}
    made = timed(data, bars, height, "all", yaxis=axis, hovermode="closest", margin=margin)
    made["layout"]["xaxis"]["nticks"] = TIMES_MOST if margin["l"] > LEAST_PX else made["layout"]["xaxis"]["nticks"]
    return made


def stretch_bars(
    name: str, spans: Iterable[tuple[Row, int, int]], rows: Mapping[Row, int], colour: str, width: int
) -> Figure:
    """Bars of one colour; spans: (row, from_us, until_us), those of rows that are not shown are left out."""
    x: list[float | None] = []
    y: list[float | None] = []
    for row, from_us, until_us in spans:
        if row in rows:
            x += [at_ms(from_us), at_ms(until_us), None]
            y += [rows[row], rows[row], None]
    return {
        "type": "scatter", "x": x, "y": y, "name": name, "mode": "lines", "line": {"color": colour, "width": width},
        "meta": {"line": None, "set": None}, "hovertemplate": f"{name}<extra></extra>",
    }  # fmt: skip


def row_marks(name: str, places: Sequence[tuple[int, float, str]], colour: str) -> Figure:
    """Marks at moments; places: (at_us, row on the axis, text)."""
    return {
        "type": "scatter", "x": [at_ms(at_us) for at_us, _, _ in places], "y": [row for _, row, _ in places],
        "name": name, "mode": "markers", "text": [text for _, _, text in places],
        "marker": {"color": colour, "size": 9, "symbol": "diamond"},
        "meta": {"line": None, "set": None}, "hovertemplate": "%{text}<extra></extra>",
    }  # fmt: skip
