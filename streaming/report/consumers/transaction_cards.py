"""The cards of transactions: half messages by fate, time until readable, check-backs."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from streaming.report.collected.data import ReportData
from streaming.report.collected.transaction_series import ENDS
from streaming.report.picture_card import PictureCard
from streaming.report.traces import GROUP_COLOURS, areas, line_of, line_trace, new_figure, own_areas, seconds

END_COLOURS = ("#5b8c5a", "#44aa99", "#8a8a8a", "#d0342c")
HEAD_ROOM = 0.12
CHECK_SETS = (("rate", "Check-backs per second"), ("open", "Open half messages"))


def transaction_figures(data: ReportData) -> dict[str, go.Figure | None]:
    """The pictures by name, None where there is nothing to show."""
    return {"transactions": _ends(data), "visible": _visible(data), "check_backs": _checks(data)}


def _range(stacked: np.ndarray) -> dict[str, list[float]]:
    return {"range": [0.0, max(float(stacked.sum(axis=0).max()), 1.0) * (1 + HEAD_ROOM)]}


def _ends(data: ReportData) -> go.Figure | None:
    counts = data.transactions.ends
    if not counts.any():
        return None
    figure = new_figure(data, height=260)
    figure.add_traces(own_areas(data, ENDS, counts, END_COLOURS, None))
    figure.update_layout(meta={"set": "all", "axis": {"all": _range(counts / seconds(data))}})
    return figure


def _visible(data: ReportData) -> go.Figure | None:
    values = data.transactions.visible_ms
    shown = np.concatenate([np.empty(0), *(rows[np.isfinite(rows) & (rows > 0)] for rows in values.values())])
    if not shown.size:
        return None
    figure = new_figure(data, height=260)
    for which, rows in values.items():
        for place, (name, shade) in enumerate(_group_keys(data)):
            if np.isfinite(rows[place]).any():
                figure.add_trace(line_trace(data, name, rows[place], shade, "ms", line=None, which=which))
    low, high = np.log10([shown.min() * 0.8, shown.max()]).tolist()
    high += max(HEAD_ROOM * (high - low), HEAD_ROOM)
    figure.update_yaxes(type="log", range=[low, high])
    figure.update_layout(meta={"set": "p99"})
    return figure


def _checks(data: ReportData) -> go.Figure | None:
    seen = data.transactions
    if not seen.checks.any():
        return None
    checks, waiting = (_of_lines(data, rows) for rows in (seen.checks, seen.open))
    figure = new_figure(data, height=260)
    figure.add_traces([*areas(data, checks / seconds(data), "rate", "/s"), *areas(data, waiting, "open", "halves")])
    axis = {"rate": _range(checks / seconds(data)), "open": _range(waiting)}
    figure.update_layout(meta={"set": "rate", "axis": axis})
    return figure


def _of_lines(data: ReportData, rows: np.ndarray) -> np.ndarray:
    """[brokers, bins] as the lines of the legend of brokers."""
    found = np.zeros((len(data.series.names), rows.shape[1]))
    np.add.at(found, line_of(data), rows)
    return found


def _group_keys(data: ReportData) -> list[tuple[str, str]]:
    groups = list(data.output.groups)
    return list(zip(groups, GROUP_COLOURS * len(groups), strict=False))


def transaction_cards(data: ReportData) -> list[PictureCard]:
    """The cards of half messages and check-backs."""
    seen = data.transactions
    fates = [(name, shade) for name, shade, row in zip(ENDS, END_COLOURS, seen.ends, strict=True) if row.any()]
    senders = {group.producer_group for group in data.summary.transactions}
    visible = [(name, shade) for name, shade in _group_keys(data) if name in senders]
    return [
        PictureCard(
            "transactions", "Half messages by fate, per second",
            "Copies of messages sent in transactions, by the time at which the broker ended them.", keys={"": fates},
        ),
        PictureCard(
            "visible", "From the wish to send until readable, ms",
            "Messages sent in transactions that were committed, by the time of the wish; logarithmic.",
            (("p50", "p50"), ("p99", "p99")), "p99", {"": visible},
        ),
        PictureCard(
            "check_backs", "Check-backs, by broker",
            f"{int(seen.checks.sum()):,} in all; a broker asks in rounds. Open: half messages that nothing has ended.",
            CHECK_SETS, "rate",
        ),
    ]  # fmt: skip
