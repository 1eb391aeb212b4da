"""Whether an exporter's `_tps` metrics are messages a second or the sum of a minute.

Source: apache/rocketmq-exporter, MetricsCollectTask: rocketmq_broker_tps, rocketmq_producer_tps, rocketmq_consumer_tps
and their message sizes are getStatsMinute().getTps(), but builds from 767612c (2022-06-30) up to 5ac38b7 (2024-01-16)
put getSum() under the same names. No metric says which build it is, so other figures of the same load must.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from streaming.texts.import_note_texts import ImportNoteTexts

MINUTE = 60.0
HALFWAY = math.sqrt(MINUTE)
WHOLE_LEAST = 3  # different figures: each of messages a second is whole once in 60 at most


@dataclass(frozen=True)
class TpsUnit:
    """divisor: 60 for the sum of a minute, 1 for messages a second. why: as evidence. is_sure: nothing was assumed."""

    divisor: float
    why: str
    is_sure: bool = True

    @property
    def is_sum(self) -> bool:
        """Whether it is the sum of a minute."""
        return self.divisor == MINUTE


def unit_by_fractions(values: Iterable[float]) -> TpsUnit | None:
    """Messages a second if there is no figure, or one that is no whole number, which a sum always is."""
    known = list(values)
    return TpsUnit(1.0, "") if not known or any(value != round(value) for value in known) else None


def unit_by(value: float, known_per_s: float, known: str) -> TpsUnit | None:
    """What a figure is by another of the same load in messages a second; None if either is 0."""
    if value <= 0 or known_per_s <= 0:
        return None
    ratio = value / known_per_s
    if ratio > HALFWAY:
        return TpsUnit(MINUTE, ImportNoteTexts.SUM_AS_ANOTHER_SHOWS(known=known, per_s=known_per_s))
    return TpsUnit(1.0, ImportNoteTexts.AS_ANOTHER_SHOWS(known=known, per_s=known_per_s))


def unit_by_figures(values: Iterable[float]) -> TpsUnit:
    """What figures are by themselves: of messages a second some have digits behind the point, of sums none."""
    some = {value for value in values if value}
    if unit := unit_by_fractions(some):
        return unit
    if len(some) >= WHOLE_LEAST:
        return TpsUnit(MINUTE, ImportNoteTexts.SUM_AS_ALL_ARE_WHOLE())
    return TpsUnit(1.0, ImportNoteTexts.SUM_OR_RATE(), is_sure=False)
