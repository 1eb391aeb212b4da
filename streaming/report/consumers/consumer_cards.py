"""The cards of consumer groups: title, what is seen, keys."""

from __future__ import annotations

import numpy as np

from streaming.clock import clock
from streaming.page_frame.colours import COLOURS
from streaming.report.collected.backlog import ConsumerSeries
from streaming.report.collected.data import ReportData
from streaming.report.consumers.consumer_figures import MOST_ROWS, NOBODY, SEVERAL, VERDICT_COLOURS
from streaming.report.picture_card import PictureCard
from streaming.report.traces import GROUP_COLOURS

MOST_KEYS = 12  # instances


def backlog_cards(data: ReportData) -> list[PictureCard]:
    """Backlog and end-to-end latency, none without consumers."""
    seen = data.consumers
    if not seen:
        return []
    keys = {"": list(zip(seen.groups, GROUP_COLOURS * len(seen.groups), strict=False))}
    return [
        PictureCard(
            "backlog", "Backlog of consumer groups, messages",
            f"Stored messages that a group has not consumed yet. {_most(seen, data.bin_us)}", keys=keys,
        ),
        PictureCard(
            "end_to_end", "From the intended send time until consumed, ms",
            "Each message when it is consumed for the first time; the highest percentile of the windows in a point; "
            "logarithmic.", (("p50", "p50"), ("p99", "p99")), "p99", keys,
        ),
        PictureCard(
            "verdicts", "Verdict on the lag",
            "What a monitor with Burrow's rules says of each group: the worst of its queues.",
            keys={"": list(VERDICT_COLOURS.items())},
        ),
        PictureCard(
            "busy", "Consume threads at work, per cent",
            "Of the threads of all instances that run; the busiest window of a point.", keys=keys,
        ),
        PictureCard("instances", "Instances that run", "Of each group, the most of a point.", keys=keys),
    ]  # fmt: skip


def owner_cards(data: ReportData) -> list[PictureCard]:
    """Who owned which queue, a card a group; none without consumers."""
    seen, cards = data.consumers, []
    for place, group in enumerate(seen.groups):
        stretches = seen.stretches[group]
        instances = sorted({stretch.instance for stretch in stretches})
        shades = [COLOURS[n % len(COLOURS)] for n in range(len(instances))]
        named = [*zip(instances[:MOST_KEYS], shades, strict=False), ("several owners", SEVERAL), ("nobody", NOBODY)]
        more = " The first of its queues." if len({each.queue for each in stretches}) > MOST_ROWS else ""
        note = f"A row a queue, a colour an instance, as each instance sees it.{more}"
        cards.append(PictureCard(f"owners-{place}", f"Who owns which queue: {group}", note, keys={"": named}))
    return cards


def _most(seen: ConsumerSeries, bin_us: int) -> str:
    parts = []
    for place, group in enumerate(seen.groups):
        lag = seen.lag[place]
        if np.isfinite(lag).any():
            at = int(np.nanargmax(lag))
            again = int(seen.again[place].sum())
            twice = f", {again:,} consumed more than once" if again else ""
            parts.append(f"{group}: at most {int(lag[at]):,} at {clock(at * bin_us)}{twice}")
    return "; ".join(parts) + "." if parts else ""
