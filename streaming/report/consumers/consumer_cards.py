"""The cards of consumer groups: title, what is seen, keys."""

from __future__ import annotations

from collections.abc import Sequence

from streaming.clock import clock
from streaming.outputs.consumer_lags import ConsumerSummary
from streaming.page_frame.colours import COLOURS
from streaming.report.collected.data import ReportData
from streaming.report.consumers.consumer_figures import (
    MOST_ROWS,
    NOBODY,
    SEVERAL,
    VERDICT_COLOURS,
    does_pop,
    rows_of,
)
from streaming.report.fault_times import scenario_of
from streaming.report.group_labels import consumer_kinds, labelled
from streaming.report.picture_card import PictureCard
from streaming.report.texts.card_texts import CardTexts

MOST_KEYS = 12  # instances


def backlog_cards(data: ReportData) -> list[PictureCard]:
    """Backlog and end-to-end latency, none without consumers."""
    seen = data.consumers
    if not seen:
        return []
    keys = {"": labelled(seen.groups, consumer_kinds(scenario_of(data.output)))}
    return [
        PictureCard(
            "backlog", CardTexts.BACKLOG(),
            CardTexts.BACKLOG_NOTE(most=_most(data.summary.consumers), broadcasting=_broadcasting(data)), keys=keys,
        ),
        PictureCard(
            "end_to_end", CardTexts.END_TO_END(), CardTexts.END_TO_END_NOTE(),
            (("p50", "p50"), ("p99", "p99")), "p99", keys,
        ),
        PictureCard(
            "verdicts", CardTexts.VERDICTS(), CardTexts.VERDICTS_NOTE(), keys={"": list(VERDICT_COLOURS.items())},
        ),
        PictureCard("busy", CardTexts.BUSY_THREADS(), CardTexts.BUSY_THREADS_NOTE(), keys=keys),
        PictureCard("instances", CardTexts.INSTANCES(), CardTexts.INSTANCES_NOTE(), keys=keys),
    ]  # fmt: skip


def owner_cards(data: ReportData) -> list[PictureCard]:
    """Who owned which queue, a card a group; none without consumers."""
    seen, cards = data.consumers, []
    for place, group in enumerate(seen.groups):
        stretches = seen.stretches[group]
        instances = sorted({stretch.instance for stretch in stretches})
        shades = [COLOURS[n % len(COLOURS)] for n in range(len(instances))]
        pops = does_pop(data, group)
        others = [("nobody", NOBODY)] if pops else [("several owners", SEVERAL), ("nobody", NOBODY)]
        named = [*zip(instances[:MOST_KEYS], shades, strict=False), *others]
        rows = len(rows_of(stretches, pops))
        if pops:
            more = CardTexts.FIRST_ROWS(most=MOST_ROWS, rows=rows) if rows > MOST_ROWS else ""
            note, title = CardTexts.POPPERS_NOTE(more=more), CardTexts.POPPERS(group=group)
        else:
            more = CardTexts.FIRST_QUEUES() if rows > MOST_ROWS else ""
            note, title = CardTexts.OWNERS_NOTE(more=more), CardTexts.OWNERS(group=group)
        cards.append(PictureCard(f"owners-{place}", title, note, keys={"": named}))
    return cards


def _broadcasting(data: ReportData) -> str:
    """That the backlog of a broadcasting group is that of all its instances; "" where there is none."""
    scenario = scenario_of(data.output)
    groups = () if scenario is None else scenario.consumers.values()
    return CardTexts.BACKLOG_OF_INSTANCES() if any(own.is_broadcasting and own.count > 1 for own in groups) else ""


def _most(groups: Sequence[ConsumerSummary]) -> str:
    """When each group was farthest behind, as its finding says it: at the end of a window."""
    parts = []
    for group in groups:
        if group.lag_max is not None and group.lag_max_at_s is not None:
            twice = CardTexts.BACKLOG_TWICE(again=group.consumed_again) if group.consumed_again else ""
            at = clock(group.lag_max_at_s * 1e6)
            parts.append(CardTexts.BACKLOG_MOST(group=group.consumer_group, most=group.lag_max, at=at, twice=twice))
    return "; ".join(parts) + "." if parts else ""
