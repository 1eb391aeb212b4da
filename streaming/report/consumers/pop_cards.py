"""The cards of POP groups: messages that come again by the reason, and those that are invisible."""

from __future__ import annotations

import numpy as np

from streaming.page_frame.figure import Figure
from streaming.report.collected.data import ReportData
from streaming.report.collected.pop_series import REASONS, PopSeries
from streaming.report.fault_times import scenario_of
from streaming.report.group_labels import groups_over_proxies
from streaming.report.picture_card import PictureCard
from streaming.report.texts.card_texts import CardTexts
from streaming.report.traces import line_trace, own_areas, ranges, seconds, timed, top_of

REASON_COLOURS = ("#d0342c", "#e69f00", "#8e44ad", "#1f83c6")
INVISIBLE = "#44aa99"
AGAIN_SETS = (("again", CardTexts.COME_AGAIN_PER_SECOND()), ("invisible", "Invisible messages"))


def pop_figures(data: ReportData) -> dict[str, Figure | None]:
    """A picture of each POP group; None of groups that pull."""
    return {f"popped-{place}": _popped(data, own) for place, own in enumerate(data.pops)}


def _popped(data: ReportData, own: PopSeries) -> Figure | None:
    if not own:
        return None
    shown = own_areas(data, REASONS, own.again, REASON_COLOURS, "again")
    line = line_trace(data, "invisible", own.invisible, INVISIBLE, "messages", line=None, which="invisible")
    again = top_of(own.again / seconds(data))
    axis = ranges(again=max(again, 1.0), invisible=max(float(own.invisible.max()), 1.0))
    return timed(data, [*shown, line], 260, _first(own), axis)


def _first(own: PopSeries) -> str:
    return "again" if own.again.any() else "invisible"


def pop_cards(data: ReportData) -> list[PictureCard]:
    """A card of each POP group, and of each gRPC group, whose proxies pop."""
    cards, over = [], groups_over_proxies(scenario_of(data.output))
    for place, own in enumerate(data.pops):
        if own:
            counts = own.again.sum(axis=1)
            reasons = zip(REASONS, REASON_COLOURS, counts, strict=True)
            keys = {"again": [(name, shade) for name, shade, count in reasons if count], "invisible": []}
            note = CardTexts.POPPED_NOTE(count=int(counts.sum()), invisible=int(np.max(own.invisible)))
            title = (CardTexts.POPPED_OVER_PROXIES if own.group in over else CardTexts.POPPED)(group=own.group)
            cards.append(PictureCard(f"popped-{place}", title, note, AGAIN_SETS, _first(own), keys))
    return cards
