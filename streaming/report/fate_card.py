"""What the callers got against the durable copies: a bar, and a cell for each combination."""

from __future__ import annotations

from streaming.outputs.fates import CALLERS, FATE_NAMES, FATES, GroupSummary
from streaming.outputs.tables.number_text import number
from streaming.report.traces import FATE_COLOURS

TITLES = {"acknowledged": "acknowledged", "failed": "failed", "oneway": "one-way"}
COPIES = ("lost", "once", "doubled")
ONE_WAY = '<p class="note">The caller of a one-way send gets no answer: a message that is lost is lost unseen.</p>'


def fate_card(total: GroupSummary | None) -> str:
    """The card of all messages; empty where there are none."""
    if total is None or not total.messages:
        return ""
    counts = {fate: int(getattr(total, fate)) for fate in FATES}
    bar = "".join(
        f'<i style="flex-grow:{count};background:{colour}" title="{FATE_NAMES[fate]}: {number(count)}"></i>'
        for (fate, count), colour in zip(counts.items(), FATE_COLOURS, strict=True)
        if count
    )
    callers = [caller for caller in CALLERS if caller != "oneway" or total.of_caller(caller)]
    rows = "".join(_row(caller, total) for caller in callers)
    durable = [sum(counts[f"{caller}_{copies}"] for caller in CALLERS) for copies in COPIES]
    sums = "".join(f"<td>{number(count)}</td>" for count in (*durable, sum(durable)))
    adds = "" if total.adds_up else '<p class="warn">The counts do not add up to the messages.</p>'
    adds += ONE_WAY if "oneway" in callers else ""
    return (
        '<section class="card" aria-labelledby="title-told"><h2 id="title-told">Results of the messages</h2>'
        f'<div class="bar" aria-hidden="true">{bar}</div><div class="wide" tabindex="0" role="group" '
        'aria-label="Results of the messages"><table class="told compact"><thead><tr>'
        '<th scope="col">caller</th><th scope="col">no copy</th><th scope="col">one copy</th>'
        f'<th scope="col">more copies</th><th scope="col">total</th></tr></thead><tbody>{rows}'
        f'<tr class="total"><th scope="row">all</th>{sums}</tr></tbody></table></div>{adds}</section>'
    )


def _row(caller: str, total: GroupSummary) -> str:
    cells = ""
    for place, fate in enumerate(FATES):
        if fate.startswith(f"{caller}_"):
            count, words = int(getattr(total, fate)), FATE_NAMES[fate].partition(", ")[2]
            style = f' class="some" style="--fate:{FATE_COLOURS[place]}"' if count else ' class="none"'
            cells += f"<td{style}>{number(count)}<small>{words}</small></td>"
    return f'<tr><th scope="row">{TITLES[caller]}</th>{cells}<td>{number(total.of_caller(caller))}</td></tr>'
