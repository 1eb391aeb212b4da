"""What the callers got against the durable copies: a bar, and a cell for each combination."""

from __future__ import annotations

from typing import Any

from streaming.outputs.fates import CALLERS, FATE_NAMES, FATES, GroupSummary
from streaming.report.texts.page_texts import PageTexts
from streaming.report.traces import FATE_COLOURS

TITLES = {"acknowledged": "acknowledged", "failed": "failed", "oneway": "one-way"}
COPIES = ("lost", "once", "doubled")


def fate_card(total: GroupSummary | None) -> dict[str, Any] | None:
    """What the card of all messages shows; None where there are none."""
    if total is None or not total.messages:
        return None
    counts = {fate: int(getattr(total, fate)) for fate in FATES}
    shades = dict(zip(FATES, FATE_COLOURS, strict=True))
    callers = [caller for caller in CALLERS if caller != "oneway" or total.of_caller(caller)]
    durable = [sum(counts[f"{caller}_{copies}"] for caller in CALLERS) for copies in COPIES]
    rows = []
    for caller in callers:
        own = [fate for fate in FATES if fate.startswith(f"{caller}_")]
        cells = [(counts[fate], FATE_NAMES[fate].partition(", ")[2], shades[fate]) for fate in own]
        rows.append((TITLES[caller], cells, total.of_caller(caller)))
    return {
        "bar": [(FATE_NAMES[fate], count, shades[fate]) for fate, count in counts.items() if count],
        "title": PageTexts.RESULTS(),
        "rows": rows,
        "sums": [*durable, sum(durable)],
        "adds_up": total.adds_up,
        "one_way": "oneway" in callers,
    }
