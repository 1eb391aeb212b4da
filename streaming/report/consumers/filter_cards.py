"""The cards of groups that filter: what brokers looked at for them, and what of that they gave them."""

from __future__ import annotations

import numpy as np

from streaming.page_frame.figure import Figure
from streaming.report.collected.data import ReportData
from streaming.report.collected.filter_series import FilterSeries
from streaming.report.picture_card import PictureCard
from streaming.report.texts.card_texts import CardTexts
from streaming.report.traces import stacked

COLOURS = ("#009e73", "#c9a227", "#a9a9a9")


def filter_figures(data: ReportData) -> dict[str, Figure | None]:
    """A picture of each group; None of those without a filter."""
    return {f"filtered-{place}": _filtered(data, own) for place, own in enumerate(data.filters)}


def _counts(own: FilterSeries) -> np.ndarray:
    return np.stack([own.given, own.read, own.passed_by])


def _names() -> tuple[str, ...]:
    return CardTexts.GIVEN(), CardTexts.LEFT_OUT_READ(), CardTexts.LEFT_OUT()


def _filtered(data: ReportData, own: FilterSeries) -> Figure | None:
    if not own:
        return None
    return stacked(data, _names(), _counts(own), COLOURS, 230)


def filter_cards(data: ReportData) -> list[PictureCard]:
    """A card of each group that filters."""
    cards = []
    for place, own in enumerate(data.filters):
        if own:
            given, read, passed_by = (int(row.sum()) for row in _counts(own))
            note = CardTexts.FILTERED_NOTE(
                expressions="; ".join(f"{topic}: {text}" for topic, text in own.expressions.items()),
                looked=given + read + passed_by, given=given, percent=100 * given / (given + read + passed_by),
            )  # fmt: skip
            shown = zip(_names(), COLOURS, (given, read, passed_by), strict=True)
            keys = {"": [(name, shade) for name, shade, count in shown if count]}
            cards.append(PictureCard(f"filtered-{place}", CardTexts.FILTERED(group=own.group), note, keys=keys))
    return cards
