"""The card of delay levels: how late their messages became readable, and how many wait."""

from __future__ import annotations

import numpy as np

from streaming.page_frame.figure import Figure
from streaming.report.collected.data import ReportData
from streaming.report.collected.level_names import level_names
from streaming.report.consumers.retry_cards import LEVEL_COLOURS
from streaming.report.picture_card import PictureCard
from streaming.report.texts.card_texts import CardTexts
from streaming.report.traces import line_trace, ranges, timed

SETS = (("late", "Late, p99 ms"), ("waiting", "Waiting messages"))


def delay_figures(data: ReportData) -> dict[str, Figure | None]:
    """The picture, None where nothing is delayed."""
    seen = data.delays
    if not seen:
        return {"delays": None}
    names, lines = level_names(data, sorted(seen.late_ms)), []
    axis: Figure = {}
    for which, unit, values in (("late", "ms", seen.late_ms), ("waiting", "messages", seen.waiting)):
        for (level, name), shade in zip(names.items(), _shades(len(names)), strict=True):
            lines.append(line_trace(data, name, values[level], shade, unit, line=None, which=which))
        most = max(float(np.nanmax(row, initial=0.0)) for row in values.values())
        axis |= ranges(**{which: max(most, 1.0)})
    return {"delays": timed(data, lines, 260, "late", axis)}


def _shades(levels: int) -> list[str]:
    last = len(LEVEL_COLOURS) - 1
    return [LEVEL_COLOURS[place * last // max(levels - 1, 1)] for place in range(levels)]


def delay_cards(data: ReportData) -> list[PictureCard]:
    """The card of all levels."""
    names = level_names(data, sorted(data.delays.late_ms))
    keys = {"": list(zip(names.values(), _shades(len(names)), strict=True))}
    return [
        PictureCard(
            "delays", CardTexts.DELAYED(), CardTexts.DELAYED_NOTE(), SETS, "late", keys,
        )
    ]  # fmt: skip
