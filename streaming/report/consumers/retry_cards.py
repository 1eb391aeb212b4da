"""The cards of consumer groups that fail to handle messages: retries by delay level, and dead letters."""

from __future__ import annotations

import numpy as np

from streaming.clock import length
from streaming.page_frame.figure import Figure
from streaming.report.collected.data import ReportData
from streaming.report.collected.retry_series import RetrySeries, level_delays_ms
from streaming.report.fault_times import scenario_of
from streaming.report.picture_card import PictureCard
from streaming.report.texts.card_texts import CardTexts
from streaming.report.traces import stacked

DEAD = "#d0342c"
LEVEL_COLOURS = ("#9ecae1", "#6baed6", "#3f8fc5", "#2171b5", "#0b4a8f", "#08306b", "#54278f")


def retry_figures(data: ReportData) -> dict[str, Figure | None]:
    """A picture of each group, None where it handled every message."""
    return {f"failed-{place}": _failed(data, own) for place, own in enumerate(data.retries)}


def _failed(data: ReportData, own: RetrySeries) -> Figure | None:
    if not own:
        return None
    keys = _keys(data, own)
    counts = np.stack([*(own.levels[level] for level in sorted(own.levels)), own.dead])
    names, shades = [name for name, _ in keys], [shade for _, shade in keys]
    return stacked(data, names, counts[: len(keys)], shades, 260)


def _keys(data: ReportData, own: RetrySeries) -> list[tuple[str, str]]:
    """Name and colour of each level that was used, and of dead letters."""
    delays_ms, levels = level_delays_ms(scenario_of(data.output)), sorted(own.levels)
    last = max(delays_ms, default=0)
    keys: list[tuple[str, str]] = []
    for place, level in enumerate(levels):
        delay_ms = delays_ms.get(min(level, last))
        of_level = CardTexts.RETRY_OF_LEVEL(level=level)
        name = CardTexts.RETRY_AFTER(delay=length(delay_ms * 1000)) if delay_ms else of_level
        shade = LEVEL_COLOURS[place * (len(LEVEL_COLOURS) - 1) // max(len(levels) - 1, 1)]
        keys.append((name, shade))
    return [*keys, ("dead letter", DEAD)] if own.dead.any() else keys


def retry_cards(data: ReportData) -> list[PictureCard]:
    """A card of each group that failed to handle messages."""
    cards = []
    for place, own in enumerate(data.retries):
        if own:
            dead = int(own.dead.sum())
            letters = CardTexts.DEAD_LETTERS(dead=dead) if dead else ""
            note = CardTexts.DELIVERIES_FAILED_NOTE(retries=own.retries, letters=letters)
            title = CardTexts.DELIVERIES_FAILED(group=own.group)
            cards.append(PictureCard(f"failed-{place}", title, note, keys={"": _keys(data, own)}))
    return cards
