"""The cards of consumer groups: title, what is seen, keys."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np

from streaming.clock import clock
from streaming.page_frame.colours import COLOURS
from streaming.report.collected.backlog import ConsumerSeries
from streaming.report.collected.data import ReportData
from streaming.report.consumers.consumer_figures import MOST_ROWS, NOBODY, SEVERAL, VERDICT_COLOURS
from streaming.report.traces import GROUP_COLOURS

MOST_KEYS = 12  # instances


def backlog_cards(data: ReportData, made: dict[str, Any], picture_card: Callable[..., str]) -> str:
    """Backlog and end-to-end latency, nothing without consumers. made: name -> figure; picture_card: of cards.py."""
    seen = data.consumers
    if not seen:
        return ""
    keys = {"": list(zip(seen.groups, GROUP_COLOURS * len(seen.groups), strict=False))}
    made_card: str = picture_card(
        made, "backlog", "Backlog of consumer groups, messages",
        f"Stored messages that a group has not consumed yet. {_most(seen, data.bin_us)}", keys=keys,
    ) + picture_card(
        made, "end_to_end", "From the wish to send until consumed, ms",
        "Each message when it is consumed for the first time; the highest percentile of the windows in a point; "
        "logarithmic.", (("p50", "p50"), ("p99", "p99")), "p99", keys,
    )  # fmt: skip
    verdict_keys = {"": [(name, shade) for name, shade in VERDICT_COLOURS.items()]}
    made_card += picture_card(
        made, "verdicts", "Verdict on the lag",
        "What a monitor with Burrow's rules says of each group: the worst of its queues.", keys=verdict_keys,
    ) + picture_card(
        made, "busy", "Consume threads at work, per cent",
        "Of the threads of all instances that run; the busiest window of a point.", keys=keys,
    ) + picture_card(
        made, "instances", "Instances that run", "Of each group, the most of a point.", keys=keys,
    )  # fmt: skip
    return made_card


def owner_cards(data: ReportData, made: dict[str, Any], picture_card: Callable[..., str]) -> str:
    """Who owned which queue, a card a group; nothing without consumers."""
    seen, cards = data.consumers, ""
    for place, group in enumerate(seen.groups):
        stretches = seen.stretches[group]
        instances = sorted({stretch.instance for stretch in stretches})
        shades = [COLOURS[n % len(COLOURS)] for n in range(len(instances))]
        named = [*zip(instances[:MOST_KEYS], shades, strict=False), ("several owners", SEVERAL), ("nobody", NOBODY)]
        more = " The first of its queues." if len({each.queue for each in stretches}) > MOST_ROWS else ""
        cards += picture_card(
            made, f"owners-{place}", f"Who owns which queue: {escape(group)}",
            f"A row a queue, a colour an instance, as each instance sees it.{more}", keys={"": named},
        )  # fmt: skip
    return f'<div class="charts">{cards}</div>' if cards else ""


def _most(seen: ConsumerSeries, bin_us: int) -> str:
    told = []
    for place, group in enumerate(seen.groups):
        lag = seen.lag[place]
        if np.isfinite(lag).any():
            at = int(np.nanargmax(lag))
            again = int(seen.again[place].sum())
            twice = f", {again:,} consumed more than once" if again else ""
            told.append(f"{escape(group)}: at most {int(lag[at]):,} at {clock(at * bin_us)}{twice}")
    return "; ".join(told) + "." if told else ""
