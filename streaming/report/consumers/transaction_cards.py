"""The cards of transactions: half messages by fate, time until readable, check-backs."""

from __future__ import annotations

import numpy as np

from streaming.page_frame.figure import Figure
from streaming.report.collected.data import ReportData
from streaming.report.collected.transaction_series import ENDS
from streaming.report.picture_card import PictureCard
from streaming.report.texts.card_texts import CardTexts
from streaming.report.traces import (
    GROUP_COLOURS,
    areas,
    line_of,
    percentiles,
    ranges,
    seconds,
    stacked,
    timed,
    top_of,
)

END_COLOURS = ("#5b8c5a", "#44aa99", "#8a8a8a", "#d0342c")
CHECK_SETS = (("rate", CardTexts.CHECK_BACKS_PER_SECOND()), ("open", "Open half messages"))


def transaction_figures(data: ReportData) -> dict[str, Figure | None]:
    """The pictures by name, None where there is nothing to show."""
    return {"transactions": _ends(data), "visible": _visible(data), "check_backs": _checks(data)}


def _ends(data: ReportData) -> Figure | None:
    counts = data.transactions.ends
    if not counts.any():
        return None
    return stacked(data, ENDS, counts, END_COLOURS, 260)


def _visible(data: ReportData) -> Figure | None:
    keys = _group_keys(data)
    names, shades = [name for name, _ in keys], [shade for _, shade in keys]
    return percentiles(data, data.transactions.visible_ms, names, shades)


def _checks(data: ReportData) -> Figure | None:
    seen = data.transactions
    if not seen.checks.any():
        return None
    checks, waiting = _of_lines(data, seen.checks) / seconds(data), _of_lines(data, seen.open)
    shown = [*areas(data, checks, "rate", "/s"), *areas(data, waiting, "open", "halves")]
    axis = ranges(rate=max(top_of(checks), 1.0), open=max(top_of(waiting), 1.0))
    return timed(data, shown, 260, "rate", axis)


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
            "transactions", CardTexts.HALVES(), CardTexts.HALVES_NOTE(), keys={"": fates},
        ),
        PictureCard(
            "visible", CardTexts.READABLE(), CardTexts.READABLE_NOTE(),
            (("p50", "p50"), ("p99", "p99")), "p99", {"": visible},
        ),
        PictureCard(
            "check_backs", CardTexts.CHECK_BACKS(), CardTexts.CHECK_BACKS_NOTE(count=int(seen.checks.sum())),
            CHECK_SETS, "rate",
        ),
    ]  # fmt: skip
